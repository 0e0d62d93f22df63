"""The report as a colleague sees it who was sent the file and has nothing else."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from matplotlib.image import imread

from pipelines.marts.report import page
from pipelines.marts.trend import NightRate, Rise
from tests.integration.browser import drawn_by_browser, too_wide
from tests.marts.test_report import DAY, report_of

pytestmark = pytest.mark.integration

#: the colours of the line of rates, of its band and of an alarm, in the report's style
LINE, BAND, ALARM = (0xB0, 0x2A, 0x2A), (0xF6, 0xCA, 0xCA), (0xD5, 0x00, 0x00)


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """Write a report of nine nights with a change of judge, of which the last three are alarming."""
    nights = tuple(
        NightRate(day=DAY - timedelta(days=8 - i), rate=0.2 + 0.02 * i, low=0.1, high=0.5, passages=90, coverage=1.0)
        for i in range(9)
    )
    rise = Rise(since=DAY - timedelta(days=2), last_day=DAY, headline="acme.example: 36% irrelevant")
    known = report_of(alerts=(rise.headline,))
    changes = (replace(known.trends[0].changes[0], day=DAY - timedelta(days=5)),)
    fleet = replace(known.trends[0], nights=nights, rises=(rise,), changes=changes)
    path = tmp_path / "report.html"
    path.write_text(page(replace(known, trends=(fleet,))), encoding="utf-8")
    return path


def test_it_is_one_file_that_shows_all_it_should(report: Path, tmp_path: Path) -> None:
    """No request leaves the file; rate and interval, trend with break and alarm, what to read, coverage and cost."""
    seen = drawn_by_browser(report.as_uri(), tmp_path)

    assert seen.asked == ()
    for words in (
        "25.0% of the retrieved passages were irrelevant",
        "95 % interval 12.5% to 50.0%",
        "acme.example: 36% irrelevant",
        "Definition changed on",
        "Which half broke",
        "Read these first",
        "evidence",
        "90.0% of the sampled passages have a grade",
        "Coverage and cost",
    ):
        assert words in seen.document
    pixels = (imread(seen.picture)[..., :3] * 255).round().astype(int)
    drawn = {colour: int(np.all(abs(pixels - colour) < 12, axis=-1).sum()) for colour in (LINE, BAND, ALARM)}
    assert drawn[LINE] > 500, "the line of rates"
    assert drawn[ALARM] > 50, "the dots of alarming nights"
    assert np.all(abs(pixels - (0xF9, 0xDA, 0xDA)) < 12, axis=-1).sum() > 5000, (
        "the band of intervals, through which one sees"
    )


@pytest.mark.parametrize("width", [1000, 700, 400])
def test_it_fits_a_narrow_window(tmp_path: Path, width: int) -> None:
    """The page does not scroll sideways, down to a telephone; tenants with long names are in it."""
    known = report_of()
    names = ["*", *(f"assistance{place}.with.some.length.example" for place in range(1, 6))]
    rows = pl.concat(
        known.windows.with_columns(pl.lit(name).alias("tenant"), pl.lit(123_456).alias("passages")) for name in names
    )
    (tmp_path / "report.html").write_text(page(replace(known, windows=rows)), encoding="utf-8")

    assert too_wide("report.html", tmp_path, width=width) == []


def test_what_strangers_wrote_is_shown_and_does_nothing(tmp_path: Path) -> None:
    """A script, a picture and a link in a passage are letters: none runs, none is fetched."""
    evil = "<script>document.title='owned'</script><img src=http://evil.example/p.png>"
    path = tmp_path / "report.html"
    path.write_text(page(report_of(evil)), encoding="utf-8")

    seen = drawn_by_browser(path.as_uri(), tmp_path)

    assert seen.asked == ()
    assert "<title>nightcheck" in seen.document
    assert "&lt;script&gt;" in seen.document


def test_a_request_would_be_seen(tmp_path: Path) -> None:
    """A page that does ask for something is caught at it."""
    path = tmp_path / "other.html"
    path.write_text('<img src="http://elsewhere.example/p.png">', encoding="utf-8")

    assert drawn_by_browser(path.as_uri(), tmp_path).asked == ("http://elsewhere.example/p.png",)
