"""What a warehouse must be: the DDL of every table, and the migrations that bring an older one there."""

import hashlib
from functools import cache

import duckdb

from schemas import sql


def settings_of(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return what is known of the warehouse; nothing of a new one."""
    ((has_settings,),) = connection.execute(sql.load("ops/has_settings.sql")).fetchall()
    return dict(connection.execute(sql.load("ops/settings.sql")).fetchall()) if has_settings else {}


@cache
def fingerprint() -> str:
    """Return the digest of the DDL of every table: a warehouse that notes the same one has them."""
    return hashlib.sha256("\n".join(sql.contracts().values()).encode()).hexdigest()


def apply(connection: duckdb.DuckDBPyConnection, *, is_new: bool) -> None:
    """Run the DDL of every table, and the migrations that a live warehouse lacks."""
    if not is_new:
        applied = {name for (name,) in connection.execute(sql.load("ops/applied.sql")).fetchall()}
        for name, statements in sql.migrations().items():
            if name not in applied:
                connection.execute(statements)
    for statements in sql.contracts().values():
        connection.execute(statements)
    for name in sql.migrations():
        connection.execute(sql.load("ops/applied_now.sql"), {"name": name})
