"""What Dagster is told: the graph, its lineage, its checks, its automation."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import dagster as dg
import duckdb
import pytest

from assets.definitions import defs
from assets.nightly import MAKERS
from assets.partitions import DAYS
from pipelines.marts.catalog import MARTS, checks, sources
from schemas import sql
from tests.assets.graph import lines


@pytest.mark.golden
def test_the_graph_is_the_accepted_one() -> None:
    """Assets, lineage, checks, jobs, schedules and sensors change on purpose alone."""
    accepted = (Path(__file__).parent / "graph.txt").read_text(encoding="utf-8").splitlines()

    assert list(lines()) == accepted, "accept it: python -m tests.assets.graph > tests/assets/graph.txt"


def test_the_definitions_can_be_loaded() -> None:
    """Every resource, dependency and job resolves."""
    dg.Definitions.validate_loadable(defs)


@pytest.mark.parametrize("mart", MARTS)
def test_the_sources_of_a_mart_are_those_that_duckdb_sees(mart: str) -> None:
    """The pattern that reads tables off a query finds what DuckDB's own parser finds."""
    query = sql.load(f"marts/{mart}/query.sql")
    with duckdb.connect() as connection:
        ((tree,),) = connection.execute("select json_serialize_sql($query::varchar)", {"query": query}).fetchall()

    # settings of the installation are no data, so nothing is made from them
    assert sources(mart) == {each for each in base_tables(json.loads(tree)) if not each.startswith("ops.")}


def base_tables(node: Any) -> Iterator[str]:
    """Yield the schema-qualified tables in a serialised query; a name without a schema is one of the query's own."""
    if isinstance(node, dict):
        if node.get("type") == "BASE_TABLE" and node.get("schema_name"):
            yield f"{node['schema_name']}.{node['table_name']}"
        for value in node.values():
            yield from base_tables(value)
    elif isinstance(node, list):
        for value in node:
            yield from base_tables(value)


@pytest.mark.parametrize("mart", MARTS)
def test_no_source_of_a_mart_is_missing_from_its_lineage(mart: str) -> None:
    """Every table that a mart reads is an asset above it, whoever makes the table."""
    made_by = {table: key.to_user_string() for table, key in MAKERS.items()}
    expected = {
        made_by[table] if table in made_by else table.removeprefix("marts.").replace(".", "/")
        for table in sources(mart)
    }

    graph = defs.resolve_asset_graph()
    parents = {key.to_user_string() for key in graph.get(dg.AssetKey(mart)).parent_keys}

    assert parents == expected
    assert parents <= {key.to_user_string() for key in graph.get_all_asset_keys()}


@pytest.mark.parametrize("mart", MARTS)
def test_every_check_of_a_mart_is_a_check_of_its_asset(mart: str) -> None:
    """A check file appears in Dagster by itself, with the comment at its head as its description."""
    assets = defs.resolve_asset_graph()

    found = {key.name for key in assets.get(dg.AssetKey(mart)).check_keys}

    assert found == {check.name for check in checks(mart)}
    assert all(check.description for check in checks(mart))


def test_a_range_is_one_run_and_all_days_are_one_partitions_object() -> None:
    """Backfilling a month starts one run, and no asset of the chain cuts days in another way."""
    graph = defs.resolve_asset_graph()
    partitioned = [graph.get(key) for key in graph.get_all_asset_keys() if graph.get(key).partitions_def is not None]

    assert {node.partitions_def for node in partitioned} == {DAYS}
    assert all(node.backfill_policy == dg.BackfillPolicy.single_run() for node in partitioned)


def test_writers_share_one_pool() -> None:
    """Whatever opens the warehouse waits for its turn in the queue and not inside a started process."""
    graph = defs.resolve_asset_graph()

    pools = {pool for key in graph.get_all_asset_keys() for pool in graph.get(key).pools or ()}

    assert pools == {"duckdb"}


def test_the_nightly_job_has_the_whole_chain_and_the_overview() -> None:
    """The schedule leaves nothing of the night or the marts to be made by hand."""
    made = {key.to_user_string() for key in defs.resolve_job_def("nightly").asset_layer.executable_asset_keys}

    assert made >= {*MARTS, "published_marts", "relevance_overview", "sampled_retrievals", "relevance_verdicts"}


# Dagster's own schedules call what Dagster deprecates
@pytest.mark.filterwarnings("ignore:Function `JobDefinition.run_request_for_partition`:DeprecationWarning")
def test_the_schedule_asks_for_the_day_that_has_ended() -> None:
    """At half past two the night of the day before is run."""
    schedule = defs.get_repository_def().get_schedule_def("nightly_schedule")
    context = dg.build_schedule_context(scheduled_execution_time=datetime(2026, 3, 6, 2, 30, tzinfo=UTC))

    tick = schedule.evaluate_tick(context)

    assert [request.partition_key for request in tick.run_requests or ()] == ["2026-03-05"]
