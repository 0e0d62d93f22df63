"""What an alarm says of a slice."""

import numpy as np
import pytest

from pipelines.alerts.finding import Finding, Period, period
from pipelines.alerts.night import Row, Stratum, night_of
from pipelines.alerts.slices import ANY, Leaf, Slice
from tests.alerts.build import DOCUMENTS, OTHERS, a_night, day
from tests.sampling.test_rate import COMBINED, FIRST, LATER

ALL = Slice("acme.example", "document", ANY)


def test_the_rate_of_a_slice_is_the_published_one() -> None:
    """The worked example through nights: 7/38 with its interval."""
    leaves = [Leaf("acme.example", "document", position) for position in ("first", "later_as_typed", "combined")]
    strata = dict(zip(leaves, (FIRST, LATER, COMBINED), strict=True))
    rows = [Row(leaf=leaf, judged=m, irrelevant=y, count=1) for leaf, (_, drawn) in strata.items() for y, m in drawn]
    sizes = {leaf: Stratum(size, len(drawn)) for leaf, (size, drawn) in strata.items()}

    found = period([night_of(day(0), rows, strata=sizes)], ALL)

    assert found.rate.rate == pytest.approx(7 / 38)
    assert [found.rate.low, found.rate.high] == pytest.approx([0.06236598956361736, 0.43393491471343704], abs=1e-6)


def test_rows_that_are_alike_are_as_many_retrievals() -> None:
    """Three in one row are three of one."""
    apart = [Row(leaf=DOCUMENTS, judged=5, irrelevant=y, count=1, query_faults=y) for y in (2, 2, 2, 0)]
    together = [Row(leaf=DOCUMENTS, judged=5, irrelevant=y, count=n, query_faults=y * n) for y, n in ((2, 3), (0, 1))]

    assert period([night_of(day(0), apart)], ALL) == period([night_of(day(0), together)], ALL)


def test_other_slices_and_incomplete_nights_are_not_counted() -> None:
    """Only what the slice holds, on nights that are whole."""
    rng = np.random.default_rng(1)
    one = a_night(0, {DOCUMENTS: 0.3, OTHERS: 0.9}, rng)
    half = a_night(1, {DOCUMENTS: 0.9}, rng, complete=False)

    found = period([one, half], ALL)

    assert (found.nights, found.rate.retrievals, found.rate.passages) == (1, 20, 100)


def test_no_nights_have_no_rate() -> None:
    """And no fault."""
    found = period([], ALL)

    assert (found.nights, found.rate.rate, found.query, found.retriever) == (0, None, None, None)


@pytest.mark.parametrize(
    ("before", "now", "fault"),
    [
        ((0.1, 0.1), (0.3, 0.12), "query"),
        ((0.1, 0.1), (0.12, 0.3), "retriever"),
        ((0.1, 0.1), (0.2, 0.3), "both"),
        ((0.1, 0.1), (0.05, 0.1), "unclear"),
        ((None, None), (0.3, 0.1), "unclear"),
    ],
)
def test_the_fault_that_grew_is_named(
    before: tuple[float | None, float | None], now: tuple[float | None, float | None], fault: str
) -> None:
    """The half that broke, or both, where the lesser grew at least half as much."""
    nothing = period([], ALL).rate
    periods = [Period(nights=1, rate=nothing, query=query, retriever=retriever) for query, retriever in (before, now)]

    finding = Finding(slice=ALL, part=1.0, since=None, before=periods[0], now=periods[1])

    assert finding.fault == fault
