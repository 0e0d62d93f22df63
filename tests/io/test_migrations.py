"""A warehouse of before becomes one of today: the same tables, and what was stored is where it belongs now."""

from pathlib import Path

import duckdb
import pytest

from pipelines.io.warehouse import Warehouse
from schemas import sql

_COLUMNS = """
select table_name, column_name, data_type, is_nullable from duckdb_columns()
where schema_name = 'marts' order by table_name, column_index"""
_KEYS = """
select table_name, constraint_type, constraint_text from duckdb_constraints()
where schema_name = 'marts' order by all"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a warehouse in which faults stood in relevance_daily, and outcomes of answers in disclaim_daily."""
    path = tmp_path / "warehouse.duckdb"
    with Warehouse(path).write():
        pass
    with duckdb.connect(str(path)) as connection:
        connection.execute("set TimeZone = 'UTC'")
        for statement in (
            "delete from ops.migrations where name = '0004_faults_and_outcomes'",
            "update ops.settings set value = 'of before' where name = 'contract'",
            "drop table marts.fault_daily",
            "drop table marts.answer_outcomes_daily",
            "alter table marts.disclaim_daily add column disclaimed_with_useful bigint",
            "alter table marts.disclaim_daily add column disclaimed_without_useful bigint",
            "alter table marts.disclaim_daily add column answered_with_useful bigint",
            "alter table marts.disclaim_daily add column answered_without_useful bigint",
            """insert into marts.relevance_daily by name
            select date '2026-03-02' as day, 'production' as environment, 'acme.example' as tenant, 'all' as slice,
              'all' as value, measure, 0.25 as rate, 0.1 as low, 0.4 as high, 8 as passages, 4 as retrievals,
              6.0 as effective_n, 2 as hits, 1.0 as coverage, 0.25 as best, 0.25 as worst, 0 as pending,
              '1' as metric_version, 'labels' as judge, 'people' as model, 'r1' as rubric_version
            from (values ('irrelevant_need'), ('fault_query'), ('fault_retriever'), ('fault_lucky')) as of (measure)""",
        ):
            connection.execute(statement)
    return path


def test_a_warehouse_of_before_becomes_one_of_today(old: Path, tmp_path: Path) -> None:
    """Columns, types, keys and checks are those of a new one."""
    with Warehouse(old).write() as migrated, Warehouse(tmp_path / "new.duckdb").write() as fresh:
        for query in (_COLUMNS, _KEYS):
            assert migrated.execute(query).fetchall() == fresh.execute(query).fetchall()


def test_published_faults_move_to_their_mart(old: Path) -> None:
    """Nothing is lost, nothing is left behind, and the migration is not run twice."""
    for _ in range(2):
        with Warehouse(old).write() as connection:
            faults = connection.execute("select fault, rate, hits from marts.fault_daily order by all").fetchall()
            left = connection.execute("select measure from marts.relevance_daily").fetchall()

        assert faults == [("lucky", 0.25, 2), ("query", 0.25, 2), ("retriever", 0.25, 2)]
        assert left == [("irrelevant_need",)]


def test_every_migration_can_be_run_on_a_new_warehouse(tmp_path: Path) -> None:
    """One that needs what is no longer there would stop whoever updates late."""
    with Warehouse(tmp_path / "warehouse.duckdb").write() as connection:
        for statements in sql.migrations().values():
            connection.execute(statements)
