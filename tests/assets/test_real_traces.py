"""Real traces, judged by people's votes: what Dagster backfills is what the command line makes, byte for byte."""

import dataclasses
import shutil
from datetime import date, timedelta
from pathlib import Path

import dagster as dg
import pytest

from assets.resources import Nightcheck
from pipelines.cli.ingest import ingest_all
from pipelines.cli.night import run_days
from pipelines.marts.run import over
from pipelines.settings import Settings
from tests.assets.runs import metadata_by_day, run_range

FIRST, LAST = date(2024, 7, 26), date(2024, 9, 5)
#: undisputed irrelevant passages and all undisputed ones
IRRELEVANT, JUDGED = 648, 2229


def published(home: Path) -> dict[str, bytes]:
    """Return the published Parquet files by name."""
    return {path.name: path.read_bytes() for path in sorted((home / "published").glob("*.parquet"))}


@pytest.mark.integration
@pytest.mark.timeout(900)
def test_a_backfill_through_dagster_equals_the_command_line(shared_data: Path, tmp_path: Path) -> None:
    """Six weeks in a single run give the command line's files; run again, the same ones, and no judge is asked."""
    events, labels = shared_data / "mtrag" / "events.jsonl.gz", shared_data / "mtrag" / "labels.jsonl"
    by_hand, by_dagster = tmp_path / "by_hand", tmp_path / "by_dagster"
    chosen = dataclasses.replace(Settings.from_environment({}), home=by_hand)
    ingest_all([str(events)], chosen)
    by_dagster.mkdir()
    shutil.copy(chosen.warehouse, by_dagster)
    days = [FIRST + timedelta(days=each) for each in range((LAST - FIRST).days + 1)]
    run_days(days, chosen, judge=f"labels:{labels}", cap="all")
    nightcheck = Nightcheck(home=str(by_dagster), judge=f"labels:{labels}", sample="all")

    with dg.DagsterInstance.ephemeral() as instance:
        first = run_range(FIRST, LAST, nightcheck, instance)
        after_first = published(by_dagster)
        second = run_range(FIRST, LAST, nightcheck, instance)

    asked = [
        sum(day["asked"] for day in metadata_by_day(run, "relevance_verdicts").values()) for run in (first, second)
    ]
    assert asked[0] > 0
    assert asked[1] == 0
    assert len(metadata_by_day(first, "relevance_daily")) == len(days)
    assert after_first == published(by_hand)
    assert published(by_dagster) == after_first
    rates = over(nightcheck.warehouse(), "relevance_daily", FIRST, LAST)
    whole = rates.filter(tenant="*", slice="all", measure="irrelevant_need")
    assert whole.select("hits", "passages").rows() == [(IRRELEVANT, JUDGED)]
    assert whole["rate"][0] == pytest.approx(IRRELEVANT / JUDGED)
