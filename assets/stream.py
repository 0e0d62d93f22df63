"""What the stream writes: the canonical tables, known to Dagster by name, made by `nightcheck ingest`."""

import dagster as dg

from pipelines.io.warehouse import describe
from schemas import sql

STREAM = [
    dg.AssetSpec(
        dg.AssetKey(["canonical", table]),
        group_name="stream",
        description=describe(f"canonical.{table}")[0],
        kinds={"duckdb"},
        metadata={"dagster/table_name": f"canonical.{table}"},
    )
    for table in sql.names("projections")
]
