"""The query of the mart says the same as the function, from the same sums."""

from dataclasses import dataclass

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import sql
from tests.sampling.test_rate import COMBINED, FIRST, LATER, Cells, cell_strategy, rate_of

DAY = "2026-11-29"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What the mart says of one slice."""

    rate: float | None
    low: float | None
    high: float | None
    effective_n: float | None
    best: float
    worst: float


def in_the_mart(cells: Cells) -> Row:
    """Store each cell as a stratum, run the query, return the row of its tenant."""
    with duckdb.connect() as connection:
        for table in ("reference/t_quantile", "reference/wilson", "marts/relevance_strata", "night/judge_errors"):
            connection.execute(sql.load(f"{table}/table.sql"))
        for number, (size, drawn) in enumerate(cells):
            stratum = {
                "day": DAY, "environment": "production", "tenant": "acme.example", "kind": f"k{number}", "position": "first",
                "slice": "all", "value": "all", "measure": "irrelevant_need", "frame_size": size, "sample_size": len(drawn),
                "retrievals": sum(m > 0 for _, m in drawn), "passages": sum(m for _, m in drawn), "hits": sum(y for y, _ in drawn),
                "passages_squared": sum(m * m for _, m in drawn), "hits_squared": sum(y * y for y, _ in drawn),
                "hits_passages": sum(y * m for y, m in drawn), "missing": 0, "pending": 0,
                "judge": "labels", "model": "none", "rubric_version": "1",
            }  # fmt: skip
            names, marks = ", ".join(stratum), ", ".join(f"${name}" for name in stratum)
            connection.execute(f"insert into marts.relevance_strata ({names}) values ({marks})", stratum)  # noqa: S608 - names from above
        query = sql.load("marts/relevance_daily/query.sql")
        mart = connection.sql(query, params={"first_day": DAY, "last_day": DAY})
        ((*values,),) = (
            mart.filter("tenant = 'acme.example'").select("rate, low, high, effective_n, best, worst").fetchall()
        )
    return Row(**dict(zip(Row.__dataclass_fields__, values, strict=True)))


def test_the_worked_example_goes_through_the_mart() -> None:
    """7/38 with [.0624, .4339], as an independent survey package has it."""
    row = in_the_mart([FIRST, LATER, COMBINED])

    assert row.rate == pytest.approx(7 / 38, abs=1e-9)
    assert row.effective_n == pytest.approx(30.363178294591368, abs=1e-6)
    assert [row.low, row.high] == pytest.approx([0.06236598956361736, 0.43393491471343704], abs=1e-6)


def test_many_nights_of_single_retrievals_have_an_interval() -> None:
    """A tenant with one retrieval a night has an interval over a month."""
    row = in_the_mart([(1, [(i % 2, 4)]) for i in range(28)])

    assert row.low is not None


@pytest.mark.property
@settings(deadline=None, max_examples=40)  # each opens a database
@given(
    st.lists(cell_strategy, min_size=1, max_size=6).filter(lambda cells: any(m for _, drawn in cells for _, m in drawn))
)
def test_the_query_agrees_with_the_function(cells: Cells) -> None:
    """The same figures, and null for the same ones."""
    ours, row = rate_of(cells), in_the_mart(cells)

    pairs = [
        (ours.rate, row.rate),
        (ours.low, row.low),
        (ours.high, row.high),
        (ours.lowest, row.best),
        (ours.highest, row.worst),
    ]
    for one, other in pairs:
        assert (one is None) == (other is None)
        assert one is None or one == pytest.approx(other, rel=1e-5, abs=1e-6)
