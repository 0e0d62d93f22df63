"""A judge that cannot be asked: said before the night where it can be known, and stored and counted where not."""

from datetime import UTC, datetime
from pathlib import Path

from click.testing import CliRunner

from pipelines.cli import app
from pipelines.errors import UsageError
from pipelines.io.warehouse import Warehouse
from pipelines.judging.pace import Limits
from pipelines.judging.verdict import Status
from pipelines.marts.run import read
from pipelines.night.run import Plan, run_night
from tests.judging.build import Clock, a_judge, a_retrieval, judged
from tests.judging.nights import DAYS, RETRIEVALS, ingest
from tests.judging.scripted_endpoint import scripted, well

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def nobody_listens() -> str:
    """Return an address at which nobody listens."""
    with scripted(well) as endpoint:
        return endpoint.base_url


def test_without_a_key_no_night_begins(tmp_path: Path) -> None:
    """The error names the variable and what to do, with the exit code of wrong usage; no sample is drawn."""
    ingest(tmp_path, 0)
    environment = {
        "NIGHTCHECK_HOME": str(tmp_path),
        "NIGHTCHECK_JUDGE_MODEL": "gpt-5.4-mini-2026-03-17",
        "OPENAI_API_KEY": "",
        "NIGHTCHECK_JUDGE_BASE_URL": "",
    }

    result = CliRunner().invoke(app, ["night", "--day", str(DAYS[0]), "--judge", "openai"], env=environment)

    assert isinstance(result.exception, UsageError)
    assert str(result.exception) == "OPENAI_API_KEY: no key is set. Set the key for https://api.openai.com/v1"
    with Warehouse(tmp_path / "warehouse.duckdb").read() as connection:
        assert connection.execute("select count(*) from night.sample").fetchall() == [(0,)]


def test_a_night_without_its_endpoint_is_stored_counted_and_mended_later(tmp_path: Path) -> None:
    """Every retrieval is unavailable, the rate is null and its bounds are wide; the next run pays for all of them once."""
    warehouse = ingest(tmp_path, 0)
    plan = Plan(environments=("production",), seed="s", cap=None)

    dead = run_night(warehouse, DAYS[0], a_judge(nobody_listens()), plan, now=lambda: NOW)
    (before,) = (
        read(warehouse, "relevance_daily", DAYS[0], DAYS[0], "*")
        .filter(slice="all", measure="irrelevant_need")
        .iter_rows(named=True)
    )
    with scripted(well) as endpoint:
        mended = run_night(warehouse, DAYS[0], a_judge(endpoint.base_url), plan, now=lambda: NOW)

        assert len(endpoint.calls) == RETRIEVALS
    assert dead.judged.statuses == {"unavailable": RETRIEVALS}
    assert (before["rate"], before["best"], before["worst"], before["pending"]) == (None, 0.0, 1.0, RETRIEVALS * 3)
    assert mended.judged.statuses == {"judged": RETRIEVALS}


def test_a_night_whose_endpoint_is_not_there_ends_soon() -> None:
    """Once one call was given up and none was ever answered, all behind it have one try: two were on their way by then."""
    clock = Clock()
    judge = a_judge(nobody_listens(), clock=clock, limits=Limits(most_at_once=1))

    found = judged(judge, [a_retrieval("The plan.", query=f"q {n}", retrieval_id=f"r-{n}") for n in range(30)])

    assert {verdict.status for verdict in found.values()} == {Status.UNAVAILABLE}
    assert len(clock.slept) == 2 * 5
