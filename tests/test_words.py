"""The words of CONTEXT.md hold: what it says to avoid stands in no name, comment, message or page of ours."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
#: of the words to avoid, those that never mean anything else here
_AVOIDED = re.compile(
    r"(?<![a-z])(chunk|bucket|dead.letter|judgement|database)(s|ed|er|ers)?(?![a-z]|_oid)", re.IGNORECASE
)
#: DuckDB's own words, and pages that are superseded and not edited
_LEFT_OUT = ("schemas/privacy/erase/copy_anew.sql", "docs/adr/")

_FILES = sorted(
    str(path.relative_to(ROOT))
    for folder in ("assets", "benchmarks", "docs", "pipelines", "schemas")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in {".py", ".sql", ".md"}
)


@pytest.mark.parametrize("folder", ["assets", "benchmarks", "docs", "pipelines", "schemas"])
def test_avoided_words_stand_nowhere(folder: str) -> None:
    """A second word for one thing makes readers look for a second thing."""
    found = [
        f"{name}:{number}: {line.strip()}"
        for name in _FILES
        if name.startswith(f"{folder}/") and not name.startswith(_LEFT_OUT)
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), start=1)
        if _AVOIDED.search(line)
    ]

    assert found == []


def test_no_page_waits_for_its_figures() -> None:
    """A line of capitals alone is what a table was to stand in for."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    found = [
        f"{page.relative_to(ROOT)}:{number}: {line}"
        for page in pages
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
        if re.fullmatch(r"[^\w`]*[A-Z][A-Z_ ]{3,}[^\w`]*", line)
    ]

    assert pages
    assert found == []
