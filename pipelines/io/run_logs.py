"""The door to Dagster's SQLite files, for erasure alone: they keep what pages of assets have shown of visitors."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from schemas import sql

_MAGIC = b"SQLite format 3\x00"
#: Dagster's processes write to the same files
_WAIT_SECONDS = 60.0


def rewrite_events(root: Path, rewrite: Callable[[str], str | None]) -> int:
    """Replace each stored event below `root` for which `rewrite` returns another document; return how many there were.

    The old bytes are overwritten, also in the write-ahead log.
    """
    return sum(_rewrite_file(path, rewrite) for path in sorted(root.rglob("*.db")) if _is_sqlite(path))


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _rewrite_file(path: Path, rewrite: Callable[[str], str | None]) -> int:
    with closing(sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)) as connection:
        connection.execute("pragma secure_delete = on")
        rewritten = 0
        for (table,) in connection.execute(sql.load("privacy/run_logs/tables.sql")).fetchall():
            for number, document in connection.execute(sql.load(f"privacy/run_logs/{table}.sql")).fetchall():
                new = rewrite(document)
                if new is not None:
                    update = sql.load(f"privacy/run_logs/{table}_again.sql")
                    connection.execute(update, {"id": number, "document": new})
                    rewritten += 1
        if rewritten:
            connection.execute("vacuum")
            connection.execute("pragma wal_checkpoint(truncate)")
    return rewritten
