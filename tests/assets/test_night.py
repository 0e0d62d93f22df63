"""The chain of a night, materialised in a process over a few days of generated traffic."""

import dataclasses
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest

from assets.resources import Nightcheck
from pipelines.io.warehouse import Warehouse
from pipelines.judging.anchors.line import read_anchors
from pipelines.judging.anchors.run import import_anchors
from pipelines.judging.lexical import LexicalJudge
from pipelines.marts.figures import share_with_interval
from pipelines.marts.reading.run import published_nights
from pipelines.marts.run import read
from tests.alerts.stored import insert
from tests.assets.conftest import FIRST, LAST, TENANT_NAMES
from tests.assets.runs import CHAIN, OVERVIEW, metadata_by_day, run_day, run_from_the_command_line, run_range
from tests.judging.test_anchors import an_anchor


@pytest.fixture
def instance() -> Iterator[dg.DagsterInstance]:
    """Return an instance that forgets everything."""
    with dg.DagsterInstance.ephemeral() as instance:
        yield instance


def warehouse_of(home: Path) -> Warehouse:
    """Return the warehouse of a home."""
    return Warehouse(home / "warehouse.duckdb")


def test_one_day_makes_every_mart_and_publishes(home: Path, instance: dg.DagsterInstance) -> None:
    """Each asset is materialised once for the day, its figures are on it, the files are there, the night is finished."""
    result = run_day(FIRST, Nightcheck(home=str(home)), instance)

    assert result.success
    assert {event.partition for event in result.get_asset_materialization_events()} == {FIRST.isoformat()}
    assert len(result.get_asset_materialization_events()) == len(CHAIN)
    on_page = metadata_by_day(result, "relevance_daily")[FIRST.isoformat()]
    assert 0 < on_page["irrelevant_need"] < 1
    assert on_page["coverage"] > 0.5
    assert (home / "published" / "relevance_daily.parquet").exists()
    assert published_nights(warehouse_of(home)) == [FIRST]


def test_a_range_in_a_single_run_gives_what_single_days_give(
    ingested: Path, home: Path, instance: dg.DagsterInstance
) -> None:
    """One run over two days publishes the bytes that two runs of a day publish."""
    days = (FIRST, FIRST + timedelta(days=1))
    for day in days:
        run_day(day, Nightcheck(home=str(home)), instance)
    one_by_one = {path.name: path.read_bytes() for path in (home / "published").glob("*.parquet")}
    other = home.with_name("other")
    other.mkdir()
    (other / "warehouse.duckdb").write_bytes((ingested / "warehouse.duckdb").read_bytes())

    result = run_range(*days, Nightcheck(home=str(other)), instance)

    assert result.success
    assert list(metadata_by_day(result, "relevance_daily")) == [day.isoformat() for day in days]
    assert {path.name: path.read_bytes() for path in (other / "published").glob("*.parquet")} == one_by_one


def test_a_second_run_of_a_day_asks_the_judge_nothing(home: Path, instance: dg.DagsterInstance) -> None:
    """What is known is not asked for again."""
    first = metadata_by_day(run_day(FIRST, Nightcheck(home=str(home)), instance), "relevance_verdicts")
    second = metadata_by_day(run_day(FIRST, Nightcheck(home=str(home)), instance), "relevance_verdicts")

    assert first[FIRST.isoformat()]["asked"] > 0
    assert second[FIRST.isoformat()]["asked"] == 0
    assert second[FIRST.isoformat()]["known"] == first[FIRST.isoformat()]["asked"]


def test_a_day_without_events_still_materialises(home: Path, instance: dg.DagsterInstance) -> None:
    """A quiet day is a day of zero rows, not a failed one."""
    quiet = FIRST - timedelta(days=30)

    result = run_day(quiet, Nightcheck(home=str(home)), instance)

    assert result.success
    assert metadata_by_day(result, "relevance_daily") == {quiet.isoformat(): {"dagster/partition_row_count": 0}}
    assert published_nights(warehouse_of(home)) == [quiet]


def test_a_check_that_fails_leaves_the_offending_rows_and_a_green_run(home: Path, instance: dg.DagsterInstance) -> None:
    """A judge that knows no label grades nothing: the coverage check says of whom, and the night goes on."""
    labels = home / "labels.jsonl"
    labels.write_text("", encoding="utf-8")

    result = run_day(FIRST, Nightcheck(home=str(home), judge=f"labels:{labels}"), instance)

    assert result.success
    (coverage,) = [each for each in result.get_asset_check_evaluations() if each.check_name == "coverage"]
    assert not coverage.passed
    assert coverage.severity == dg.AssetCheckSeverity.WARN
    assert coverage.metadata["offending rows"].value == 2
    offending = coverage.metadata["rows"]
    assert isinstance(offending, dg.TableMetadataValue)
    assert {row.data["coverage"] for row in offending.records} == {0.0}


def test_the_overview_shows_the_newest_night_whichever_was_run_last(home: Path, instance: dg.DagsterInstance) -> None:
    """After a backfill of an old day the page to open first still shows the newest night."""
    resources = {"nightcheck": Nightcheck(home=str(home))}
    run_from_the_command_line(home, LAST)
    run_day(FIRST, resources["nightcheck"], instance)

    result = dg.materialize(OVERVIEW, resources=resources, instance=instance)

    assert result.success
    (event,) = result.get_asset_materialization_events()
    shown = event.materialization.metadata
    rate = read(warehouse_of(home), "relevance_daily", LAST, LAST, "*").filter(slice="all", measure="irrelevant_need")
    (row,) = rate.to_dicts()
    words = share_with_interval(row["rate"], row["low"], row["high"])
    assert shown["irrelevant"].value == f"{words} of {row['passages']} judged passages, {LAST}"
    assert str(shown["judge"].value).startswith("The lexical judge counts shared words")
    trend = shown["trend"]
    assert isinstance(trend, dg.MarkdownMetadataValue)
    assert trend.md_str is not None
    assert trend.md_str.startswith("![trend](<data:image/svg+xml,")
    assert trend.md_str.endswith("2 of 28 nights; band: 95 % interval")
    tenants = shown["tenants"]
    assert isinstance(tenants, dg.TableMetadataValue)
    assert [row.data["tenant"] for row in tenants.records] == ["all tenants", *sorted(TENANT_NAMES)]
    costs = shown["coverage and cost"]
    assert isinstance(costs, dg.MarkdownMetadataValue)
    assert "no calls\\, no cost" in (costs.md_str or "")
    assert not [name for name, value in shown.items() if isinstance(value, dg.FloatMetadataValue)], (
        "rates are in per cent"
    )
    order = ("irrelevant", "trend", "alerts", "read first, 1", "coverage and cost")
    assert [name for name in shown if name in order] == list(order)
    checks = {each.check_name: each.passed for each in result.get_asset_check_evaluations()}
    assert checks == {"no_rise": True, "judge_has_not_moved": True, "relevance_contract": True, "fresh": True}


def test_a_judge_that_moved_fails_a_check_of_the_overview(home: Path, instance: dg.DagsterInstance) -> None:
    """The frozen passages have other grades on the newest night than on the nine before it; no rise is reported."""
    run_from_the_command_line(home, LAST)
    judge = LexicalJudge().identity
    rows = [
        {
            **dataclasses.asdict(judge), "day": LAST - timedelta(days=back), "tenant": "a.example", "retrieval_id": f"a-{each}",
            "ordinal": 1, "status": "judged", "query_grade": 3 if back else 0, "need_grade": 3 if back else 0,
            "judged_at": datetime(2026, 3, 7, tzinfo=UTC),
        }
        for back in range(10)
        for each in range(30)
    ]  # fmt: skip
    with warehouse_of(home).write() as connection:
        insert(connection, "night.anchor_verdicts", rows)

    result = dg.materialize(OVERVIEW[:1], resources={"nightcheck": Nightcheck(home=str(home))}, instance=instance)

    assert result.success
    checks = {each.check_name: each.passed for each in result.get_asset_check_evaluations()}
    assert checks == {"no_rise": True, "judge_has_not_moved": False}
    (event,) = result.get_asset_materialization_events()
    assert str(event.materialization.metadata["frozen passages"].value).startswith("THE JUDGE HAS MOVED")


def test_frozen_passages_are_judged_in_the_chain(home: Path, instance: dg.DagsterInstance) -> None:
    """An asset of its own, which a second run of the day leaves alone; both say how canaries were judged."""
    nightcheck = Nightcheck(home=str(home))
    import_anchors(warehouse_of(home), read_anchors([an_anchor(1, canary=True)], "a"), datetime(2026, 3, 7, tzinfo=UTC))

    first = run_day(FIRST, nightcheck, instance)
    second = run_day(FIRST, nightcheck, instance)

    assert metadata_by_day(first, "anchor_verdicts")[FIRST.isoformat()]["asked"] == 5
    assert metadata_by_day(second, "anchor_verdicts")[FIRST.isoformat()]["asked"] == 0
    for result in (first, second):
        said = metadata_by_day(result, "anchor_verdicts")[FIRST.isoformat()]["canaries"]
        assert said == "0 of 5 passages judged otherwise than first"


def test_the_overview_of_a_leap_day(home: Path, instance: dg.DagsterInstance) -> None:
    """The twenty-ninth of February has no day of that name a year before."""
    leap_day = date(2024, 2, 29)
    nightcheck = Nightcheck(home=str(home))
    run_day(leap_day, nightcheck, instance)

    result = dg.materialize(OVERVIEW[:1], resources={"nightcheck": nightcheck}, instance=instance)

    assert result.success
    (event,) = result.get_asset_materialization_events()
    assert event.materialization.metadata["irrelevant"].value == "nothing was judged on 2024-02-29"
