"""What is published is what the warehouse holds, with what its contract says of it."""

import io
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pipelines.io.warehouse import describe
from pipelines.judging.lexical import LexicalJudge
from pipelines.marts.catalog import MARTS
from pipelines.marts.publishing import run as publishing
from pipelines.marts.publishing.run import publish
from pipelines.marts.run import read
from pipelines.night.run import Plan, run_night
from tests.marts.test_keys import SAID
from tests.resolution.replay.build import DAY, MORNING, stored

_COLUMNS = "select column_name, data_type, coalesce(comment, '') from duckdb_columns() where table_name = $mart"


def test_both_forms_hold_the_rows_of_the_warehouse(tmp_path: Path) -> None:
    """Every mart, row by row, with the types and comments of its contract; neither form can be written to."""
    warehouse = stored(tmp_path, *SAID)
    plan = Plan(environments=("production",), seed="1", cap=2)
    run_night(warehouse, DAY, LexicalJudge(), plan, now=lambda: MORNING)

    rows = publish(warehouse, tmp_path / "out")

    with duckdb.connect(tmp_path / "out" / "nightcheck.duckdb", read_only=True) as published:
        for mart in MARTS:
            held = read(warehouse, mart, DAY, DAY)
            assert len(held) == rows[mart] > 0
            assert published.sql(f"from marts.{mart} order by all").pl().equals(held)
            assert pl.read_parquet(tmp_path / "out" / f"{mart}.parquet").equals(held)
            comment, columns = describe(f"marts.{mart}")
            told = published.execute("select comment from duckdb_tables() where table_name = $mart", {"mart": mart})
            assert told.fetchall() == [(comment,)]
            described = published.execute(_COLUMNS, {"mart": mart})
            assert described.fetchall() == columns
        assert published.sql("from duckdb_indexes() limit 1").fetchall() == []
        assert published.sql("from duckdb_constraints() limit 1").fetchall() == []
    assert {oct(path.stat().st_mode & 0o777) for path in (tmp_path / "out").glob("[!.]*")} == {"0o444"}


@pytest.mark.parametrize("last", [0, 1])
@pytest.mark.parametrize("sizes", [[8], [1] * 8, [3, 4, 1], [6, 0, 2], [4, 4, 0]])
def test_row_groups_have_one_size_however_rows_arrive(
    monkeypatch: pytest.MonkeyPatch, sizes: list[int], last: int
) -> None:
    """The last may have fewer."""
    monkeypatch.setattr(publishing, "_ROWS_AT_ONCE", 4)
    sizes = [*sizes, last]
    whole = pa.record_batch({"n": list(range(8 + last))})
    starts = [sum(sizes[:place]) for place in range(len(sizes))]

    groups = list(publishing._of_one_size(whole[at : at + size] for at, size in zip(starts, sizes, strict=True)))

    assert [group["n"].to_pylist() for group in groups] == [[0, 1, 2, 3], [4, 5, 6, 7], *[[8]] * last]


def test_the_same_rows_are_the_same_bytes_however_they_arrive() -> None:
    """Texts that differ fill a dictionary of Parquet's before the group ends, and where it ends follows the pieces."""
    whole = pa.record_batch({"text": [f"{number:0>120}" for number in range(30_000)]})

    written = [_written(*pieces) for pieces in ([whole], [whole[:17_000], whole[17_000:]])]

    assert written[0] == written[1]


def _written(*batches: pa.RecordBatch) -> bytes:
    file = io.BytesIO()
    with pq.ParquetWriter(file, batches[0].schema) as writer:
        for group in publishing._of_one_size(batches):
            writer.write_batch(group)
    return file.getvalue()
