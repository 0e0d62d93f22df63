"""The door to Dagster's SQLite files, for erasure alone: they keep what pages of assets have shown of visitors."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from pipelines.errors import NightcheckError
from schemas import sql

_MAGIC = b"SQLite format 3\x00"
#: Dagster's processes write to the same files
_WAIT_SECONDS = 60.0
#: documents that are read and written under one lock
_AT_ONCE = 200


class RunLogError(NightcheckError):
    """SQLite does not let a file of Dagster's be rewritten, or not wholly."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            str(path),
            f"not everything could be erased ({reason})",
            "Let Dagster's runs end or stop it, and erase again",
        )


def rewrite_events(root: Path, rewrite: Callable[[str], str | None]) -> int:
    """Replace each stored event below `root` for which `rewrite` returns another document; return how many there were.

    The old bytes are overwritten, also in the write-ahead log. Raises `RunLogError` where another process keeps a file
    for longer than a minute; what was rewritten by then stays so, and doing it again goes on.
    """
    return sum(_rewrite_file(path, rewrite) for path in sorted(root.rglob("*.db")) if _is_sqlite(path))


def _is_sqlite(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _rewrite_file(path: Path, rewrite: Callable[[str], str | None]) -> int:
    try:
        with closing(sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)) as connection:
            connection.execute("pragma secure_delete = on")
            tables = connection.execute(sql.load("privacy/run_logs/tables.sql")).fetchall()
            rewritten = sum(_rewrite_table(connection, table, rewrite) for (table,) in tables)
            if tables:
                # also where nothing was rewritten: an erasure that was ended before this is finished by the next one
                connection.execute("vacuum")
                ((is_busy, *_),) = connection.execute("pragma wal_checkpoint(truncate)").fetchall()
                if is_busy:
                    raise RunLogError(path, "its log is locked by one who reads it")
            return rewritten
    except sqlite3.OperationalError as error:
        raise RunLogError(path, str(error)) from error


def _rewrite_table(connection: sqlite3.Connection, table: str, rewrite: Callable[[str], str | None]) -> int:
    """Rewrite a table's documents in steps. Each is read and written under one lock: nothing comes in between."""
    read, update = sql.load(f"privacy/run_logs/{table}.sql"), sql.load(f"privacy/run_logs/{table}_again.sql")
    rewritten, after = 0, -1
    while True:
        with connection:
            connection.execute("begin immediate")
            found = connection.execute(read, {"after": after, "rows": _AT_ONCE}).fetchall()
            changed = [
                {"id": number, "document": new} for number, document in found if (new := rewrite(document)) is not None
            ]
            connection.executemany(update, changed)
        rewritten += len(changed)
        if not found:
            return rewritten
        after = found[-1][0]
