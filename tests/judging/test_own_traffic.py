"""What the judge asks and answers never becomes traffic of the application that it judges."""

from datetime import UTC, datetime
from pathlib import Path

from pipelines.io.warehouse import Warehouse
from pipelines.judging.anchors.line import read_anchors
from pipelines.judging.anchors.run import import_anchors
from pipelines.judging.noise.run import measure_noise
from pipelines.night.run import Plan, run_night
from tests.judging.build import a_judge
from tests.judging.nights import DAYS, RETRIEVALS, ingest
from tests.judging.scripted_endpoint import scripted, well
from tests.judging.test_anchors import an_anchor

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def traffic(warehouse: Warehouse) -> dict[str, int]:
    """Return how many rows each table has that holds what applications sent."""
    with warehouse.read() as connection:
        tables = connection.execute(
            "select schema_name || '.' || table_name from duckdb_tables() where schema_name in ('ingest', 'canonical')"
        ).fetchall()
        counts = [connection.execute(f"select count(*) from {name}").fetchone() for (name,) in tables]  # noqa: S608 - from above
    return {name: count[0] for (name,), count in zip(tables, counts, strict=True) if count is not None}


def test_a_night_and_all_that_watches_it_add_nothing_to_the_stream(tmp_path: Path) -> None:
    """Verdicts, frozen passages and noise: calls by the dozen, and the next draw finds the frame that it found."""
    warehouse = ingest(tmp_path, 0)
    import_anchors(warehouse, read_anchors([an_anchor(1)], "anchors"), NOW)
    before = traffic(warehouse)
    plan = Plan(environments=("production",), seed="s", cap=None)

    with scripted(well) as endpoint:
        judge = a_judge(endpoint.base_url)
        first = run_night(warehouse, DAYS[0], judge, plan, now=lambda: NOW)
        measure_noise(warehouse, DAYS[0], judge, now=lambda: NOW)
        again = run_night(warehouse, DAYS[0], judge, plan, now=lambda: NOW)

        assert len(endpoint.calls) == 2 * RETRIEVALS + 1
    assert traffic(warehouse) == before
    assert before["canonical.retrievals"] == RETRIEVALS
    assert before["canonical.model_calls"] == 0
    assert (again.sample, again.sample.frame_size) == (first.sample, RETRIEVALS)
