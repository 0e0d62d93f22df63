"""What is made outside Dagster and read by its assets: the stream's tables, and what commands store."""

import dagster as dg

from assets.nightly import MAKERS
from pipelines.io.warehouse import describe
from pipelines.marts.catalog import MARTS, sources
from schemas import sql

_READ = {table for mart in MARTS for table in sources(mart) if not table.startswith("marts.") and table not in MAKERS}

STREAM = [
    dg.AssetSpec(
        dg.AssetKey(table.split(".")),
        group_name="stream",
        description=describe(table)[0],
        kinds={"duckdb"},
        metadata={"dagster/table_name": table},
    )
    for table in sorted(_READ | {f"canonical.{name}" for name in sql.names("projections")})
]
