"""The published rate and its interval."""

import math
from dataclasses import fields
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.sampling import CellSums, Rate, estimate, sum_cells, t_quantile, wilson
from schemas import sql

#: (N, [(irrelevant, passages) of each drawn retrieval]) of each cell
Cells = list[tuple[int, list[tuple[int, int]]]]

FIRST = (8, [(0, 5), (1, 5)])
LATER = (6, [(1, 5), (0, 4), (2, 5)])
COMBINED = (2, [(3, 5), (1, 3)])

WITH_THE_MACROS = """
with slices as (
  select slice,
    sum(frame / drawn * y) / nullif(sum(frame / drawn * m), 0) as rate,
    sum(frame / drawn * m) as weighted, sum(m) as passages,
    reference.rate_degrees(sum(retrievals), count_if(retrievals > 1), count_if(retrievals = 1)) as degrees,
    sum(reference.rate_spread(frame, drawn, yy, y, y)) as of_yy,
    sum(reference.rate_spread(frame, drawn, ym, y, m)) as of_ym,
    sum(reference.rate_spread(frame, drawn, mm, m, m)) as of_mm
  from cells
  group by slice
),
spread as (
  select *, reference.rate_variance(rate, of_yy, of_ym, of_mm, weighted) as variance, reference.t_of(degrees) as t from slices
)
select rate, sqrt(variance) as standard_error, reference.rate_effective(rate, variance, passages) as effective, degrees,
  reference.wilson_low(rate, effective, t) as low, reference.wilson_high(rate, effective, t) as high
from spread
order by slice
"""


def sums(cells: Cells, missing: list[list[int]] | None = None) -> CellSums:
    """Return the sums of these cells."""
    cell = [i for i, (_, drawn) in enumerate(cells) for _ in drawn]
    pairs = [pair for _, drawn in cells for pair in drawn]
    return sum_cells(
        np.array(cell, dtype=np.int64),
        np.array([y for y, _ in pairs], dtype=float),
        np.array([m for _, m in pairs], dtype=float),
        frame=np.array([size for size, _ in cells], dtype=float),
        missing=None if missing is None else np.array([n for of_cell in missing for n in of_cell], dtype=float),
    )


def rate_of(cells: Cells, *, missing: list[list[int]] | None = None, finite: bool = False) -> Rate:
    """Return the rate of one slice that is the union of these cells."""
    return estimate(sums(cells, missing), np.zeros(len(cells), dtype=np.int64), count=1, finite=finite).at(0)


def by_query(cells: CellSums, slices: list[int]) -> list[tuple[float | None, ...]]:
    """Return rate, standard error, effective n, degrees, low and high of each slice as the macros compute them."""
    table = {"slice": slices} | {field.name: getattr(cells, field.name) for field in fields(cells)}
    with duckdb.connect() as connection:
        connection.execute(sql.load("reference/t_quantile/table.sql"))
        connection.execute(sql.load("reference/wilson/table.sql"))
        connection.register("cells", pa.table(table))
        return connection.execute(WITH_THE_MACROS).fetchall()


def test_the_worked_example_comes_out(reference: dict[str, dict[str, Any]]) -> None:
    """Three strata, seven retrievals, 32 passages: 7/38, as an independent survey package has it."""
    case = reference["stratified_cluster_rate"]
    strata = case["input"]["strata"].values()
    cells = [(s["N"], [(r["irrelevant"], r["passages"]) for r in s["retrievals"]]) for s in strata]
    expected, tolerance = case["expected"], case["abs_tol"]

    rate, of_frame = rate_of(cells), rate_of(cells, finite=True)

    assert rate.rate == pytest.approx(7 / 38, abs=1e-15)
    assert rate.standard_error == pytest.approx(expected["se_no_fpc"], abs=tolerance)
    assert of_frame.standard_error == pytest.approx(expected["se_fpc"], abs=tolerance)
    assert (rate.degrees, rate.passages, rate.retrievals) == (expected["df"], expected["n_passages"], 7)
    assert rate.effective == pytest.approx(expected["n_eff"], abs=tolerance)
    assert [rate.low, rate.high] == pytest.approx(expected["ci_wilson_neff_df_adjusted"], abs=tolerance)


@pytest.mark.parametrize(("name", "cell"), [("first", FIRST), ("later_as_typed", LATER), ("combined", COMBINED)])
def test_each_stratum_of_the_example_has_its_own_rate(
    reference: dict[str, dict[str, Any]], name: str, cell: tuple[int, list[tuple[int, int]]]
) -> None:
    """A slice of one stratum is the same formula."""
    expected = reference["stratified_cluster_rate"]["expected"]

    rate = rate_of([cell])

    assert rate.rate == pytest.approx(expected["stratum_rates"][name], abs=1e-12)
    assert rate.standard_error == pytest.approx(expected["stratum_se"][name], abs=1e-6)


def test_the_macros_give_the_worked_example() -> None:
    """The query has the same figures: 7/38, a standard error of .0704, [.0624, .4339]."""
    ((rate, error, effective, degrees, low, high),) = by_query(sums([FIRST, LATER, COMBINED]), [0, 0, 0])

    assert rate == pytest.approx(7 / 38, abs=1e-15)
    assert error == pytest.approx(0.0703513855911, abs=1e-9)
    assert effective == pytest.approx(30.363178294591368, abs=1e-9)
    assert degrees == 4
    assert [low, high] == pytest.approx([0.06236598956361736, 0.43393491471343704], abs=1e-6)


@pytest.mark.parametrize("name", ["wilson_17_100", "wilson_0_360", "wilson_1_6", "wilson_50_50", "wilson_8_50"])
def test_independent_passages_give_the_plain_interval(reference: dict[str, dict[str, Any]], name: str) -> None:
    """With the normal quantile and n itself, the interval is the textbook one."""
    case = reference[name]
    k, n = case["input"]["k"], case["input"]["n"]

    low, high = wilson(np.array([k / n]), np.array([float(n)]), t_quantile(np.array([np.inf])))

    assert [low[0], high[0]] == pytest.approx(case["expected"]["wilson"], abs=case["abs_tol"])


def test_the_variance_holds_what_passages_have_in_common(reference: dict[str, dict[str, Any]]) -> None:
    """Over that of independent passages with the same total spread it is the design effect, 1 + (m - 1) ICC."""
    case = reference["icc_deff"]
    matrix = np.array(case["input"]["matrix"], dtype=float)
    retrievals, passages = matrix.shape
    between = passages * matrix.mean(axis=1).var(ddof=1)
    within = matrix.var(axis=1, ddof=1).mean()
    together = (between + (passages - 1) * within) / passages
    icc = (between - within) / (between + (passages - 1) * within)

    rate = rate_of([(1000, [(int(row.sum()), passages) for row in matrix])])

    assert rate.standard_error is not None
    assert icc == pytest.approx(case["expected"]["icc"], abs=case["abs_tol"])
    effect = rate.standard_error**2 / (together / (retrievals * passages))
    assert effect == pytest.approx(case["expected"]["deff"], abs=case["abs_tol"])


def test_a_stratum_of_one_drawn_retrieval_is_centred_at_the_overall_mean() -> None:
    """It adds its whole residual: .0824 where leaving it out would claim .0650 (of an independent survey package)."""
    rate = rate_of([FIRST, LATER, (2, [(3, 5)])])

    assert rate.standard_error == pytest.approx(0.0823902706, abs=1e-9)


def test_a_stratum_of_one_retrieval_adds_nothing_to_the_spread_of_the_frame() -> None:
    """Drawn whole, it is known; for the process behind it one retrieval is still one."""
    with_one: Cells = [FIRST, LATER, (1, [(3, 5)])]

    finite, process = rate_of(with_one, finite=True), rate_of(with_one)

    assert finite.standard_error is not None
    assert process.standard_error is not None
    assert 0 < finite.standard_error < process.standard_error


def test_many_nights_of_single_retrievals_have_an_interval() -> None:
    """Cells with one retrieval each are taken together, or a small tenant would never have one."""
    rate = rate_of([(1, [(i % 2, 4)]) for i in range(28)])

    assert rate.degrees == 27
    assert rate.low is not None


def test_a_census_of_the_frame_is_a_point() -> None:
    """Whoever was judged whole is known, as far as these retrievals go; the process behind them is not."""
    census: Cells = [(2, [(0, 5), (1, 5)]), (3, [(1, 5), (0, 4), (2, 5)])]

    finite, process = rate_of(census, finite=True), rate_of(census)

    assert finite.rate == finite.low == finite.high == pytest.approx(4 / 24)
    assert process.low is not None
    assert process.low < 4 / 24


def test_no_spread_leaves_an_interval() -> None:
    """Not one irrelevant passage does not mean that there are none: n is divided by an assumed design effect."""
    clean: Cells = [(100, [(0, 5)] * 20)]

    rate = rate_of(clean)

    assert (rate.rate, rate.low) == (0.0, 0.0)
    assert rate.effective == pytest.approx(100 / 1.8)
    assert rate.high == pytest.approx(
        float(wilson(np.zeros(1), np.array([100 / 1.8]), t_quantile(np.array([19.0])))[1][0])
    )


def test_retrievals_that_are_all_alike_leave_an_interval() -> None:
    """Rounding is no spread."""
    rate = rate_of([(90, [(1, 3)] * 9), (70, [(2, 6)] * 7)])

    assert rate.rate == pytest.approx(1 / 3)
    assert rate.effective == pytest.approx((27 + 42) / 1.8)


def test_the_zero_of_a_large_sample_agrees_with_the_exact_bound(reference: dict[str, dict[str, Any]]) -> None:
    """The exact one-sided bound for nothing in 360 independent trials lies within the interval, as clustered ones ask."""
    exact = reference["zero_events_upper"]["expected"]["upper"]

    rate = rate_of([(360, [(0, 1)] * 360)])

    assert rate.high is not None
    assert exact == pytest.approx(1 - 0.05 ** (1 / 360), abs=1e-10)
    assert exact < rate.high < 3 * exact


def test_one_retrieval_has_a_rate_and_no_interval() -> None:
    """Nothing is known about spread from one."""
    rate = rate_of([(4, [(2, 5)])])

    assert rate.rate == pytest.approx(0.4)
    assert (rate.low, rate.high, rate.degrees) == (None, None, 0)


def test_a_slice_without_passages_has_no_rate() -> None:
    """Zero of zero is not zero."""
    rate = rate_of([(4, [(0, 0), (0, 0)])])

    assert (rate.rate, rate.low, rate.coverage, rate.lowest) == (None, None, None, None)
    assert (rate.passages, rate.retrievals) == (0, 0)


def test_a_missing_verdict_gives_bounds_instead_of_a_rate() -> None:
    """Three verdicts of ten are missing: the sample's rate lies between all relevant and all irrelevant."""
    rate = rate_of([(8, [(1, 5), (0, 2)])], missing=[[0, 3]])

    assert (rate.rate, rate.low, rate.high) == (None, None, None)
    assert rate.coverage == pytest.approx(0.7)
    assert rate.lowest == pytest.approx(1 / 10)
    assert rate.highest == pytest.approx(4 / 10)


def test_a_stratum_that_was_not_drawn_from_leaves_nothing_known() -> None:
    """Neither a rate nor bounds: nobody looked."""
    rate = rate_of([FIRST, (9, [])])

    assert (rate.rate, rate.lowest, rate.highest) == (None, None, None)


def test_bounds_meet_where_nothing_is_missing() -> None:
    """Both are the rate."""
    rate = rate_of([FIRST, LATER, COMBINED])

    assert rate.lowest == rate.highest == rate.rate
    assert rate.coverage == 1.0


def test_slices_may_overlap() -> None:
    """Each slice is computed as if it were alone."""
    cells = sums([FIRST, LATER, COMBINED])
    slices = {0: [0, 1, 2], 1: [0, 1], 2: [1, 2], 3: [2]}
    index = np.array([i for members in slices.values() for i in members])
    group = np.array([number for number, members in slices.items() for _ in members])

    rates = estimate(cells.take(index), group, count=4)

    alone = [FIRST, LATER, COMBINED]
    for number, members in slices.items():
        assert rates.at(number) == rate_of([alone[i] for i in members])


cell_strategy = st.lists(
    st.integers(0, 6).flatmap(lambda m: st.tuples(st.integers(0, m), st.just(m))), min_size=1, max_size=6
).flatmap(lambda drawn: st.tuples(st.integers(len(drawn), 200), st.just(drawn)))


@pytest.mark.property
@given(st.lists(cell_strategy, min_size=1, max_size=6), st.data())
def test_the_macros_agree_with_the_function(cells: Cells, data: st.DataObject) -> None:
    """Query and function give the same figures, and leave the same ones out."""
    slices = data.draw(st.lists(st.integers(0, 2), min_size=len(cells), max_size=len(cells)))
    rates = estimate(sums(cells), np.array(slices, dtype=np.int64), count=3)

    rows = by_query(sums(cells), slices)

    for number, row in zip(sorted(set(slices)), rows, strict=True):
        rate = rates.at(number)
        ours = (rate.rate, rate.standard_error, rate.effective, rate.degrees, rate.low, rate.high)
        assert [v is None for v in ours] == [v is None for v in row]
        assert [v for v in ours if v is not None] == pytest.approx(
            [v for v in row if v is not None], rel=1e-5, abs=1e-6
        )


@pytest.mark.property
@given(st.lists(cell_strategy, min_size=1, max_size=6))
def test_an_interval_holds_its_rate(cells: Cells) -> None:
    """Low, rate and high are in order and within 0 and 1."""
    rate = rate_of(cells)

    if rate.low is not None and rate.high is not None and rate.rate is not None:
        assert 0 <= rate.low <= rate.rate + 1e-12
        assert rate.rate - 1e-12 <= rate.high <= 1
    assert rate.effective is None or rate.effective <= rate.passages


@pytest.mark.property
@given(st.lists(cell_strategy, min_size=1, max_size=4), st.integers(2, 5))
def test_the_days_of_a_window_add_up(cells: Cells, days: int) -> None:
    """The same night several times has the same rate, and a smaller error by the root of the number of nights."""
    one, many = rate_of(cells), rate_of(cells * days)

    assert (one.rate is None) == (many.rate is None)
    if one.rate is not None and one.standard_error is not None and many.standard_error is not None:
        assert many.rate == pytest.approx(one.rate)
        assert many.standard_error == pytest.approx(one.standard_error / math.sqrt(days), abs=1e-6)


def test_the_table_of_quantiles_is_students() -> None:
    """Every row to six decimals, and the next smaller degrees of freedom in between."""
    with duckdb.connect() as connection:
        connection.execute(sql.load("reference/t_quantile/table.sql"))
        connection.execute(sql.load("reference/wilson/table.sql"))
        rows = connection.execute("select df, quantile from reference.t_quantile order by df").fetchall()
        between = connection.execute(
            "select reference.t_of(df) from (values (0), (1), (225), (10000000)) as asked (df) order by df"
        ).fetchall()

    assert [df for df, _ in rows][:200] == list(range(1, 201))
    exact = t_quantile(np.array([float(df) for df, _ in rows]))
    assert [float(quantile) for _, quantile in rows] == pytest.approx(list(exact), abs=1e-6)
    assert [None if value is None else float(value) for (value,) in between] == [None, 12.706205, 1.971896, 1.959966]


def test_intervals_cover_a_clustered_process() -> None:
    """Of 1,500 samples of 20 clustered retrievals from three strata, 93 to 97 % of the intervals hold the true rate."""
    rng = np.random.default_rng(20261130)
    samples, drawn, frame = 1500, np.array([8, 7, 5]), np.array([60.0, 30.0, 10.0])
    stratum_rates, rho = np.array([0.12, 0.2, 0.35]), 0.35
    truth = float((frame * stratum_rates).sum() / frame.sum())
    cell = np.repeat(np.arange(3 * samples), np.tile(drawn, samples))
    mean = stratum_rates[cell % 3]
    share = rng.beta(mean * (1 - rho) / rho, (1 - mean) * (1 - rho) / rho)
    irrelevant = rng.binomial(5, share).astype(float)

    cells = sum_cells(cell, irrelevant, np.full(len(cell), 5.0), frame=np.tile(frame, samples))
    rates = estimate(cells, np.repeat(np.arange(samples), 3), count=samples)

    covered = float(np.mean((rates.low <= truth) & (truth <= rates.high)))
    assert 0.93 <= covered <= 0.97
