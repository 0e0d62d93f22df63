"""Room on the disk and in memory: where there is none it is told by one error, whoever met it."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from pipelines.errors import NightcheckError


class FullDiskError(NightcheckError):
    """There is no room for what was to be written."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            str(path), "there is no room left on its disk", "Make some, and run the same again; nothing is half done"
        )


class LittleMemoryError(NightcheckError):
    """DuckDB may not have as much memory as it needs."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            str(path),
            "DuckDB needs more memory than it may have",
            "Raise NIGHTCHECK_MEMORY_LIMIT, or lower NIGHTCHECK_THREADS, and run the same again; nothing is half done",
        )


@contextmanager
def room(path: Path) -> Iterator[None]:
    """Tell an error of DuckDB or of the system that means a full disk, or too little memory, by one of these errors."""
    try:
        yield
    except (duckdb.Error, OSError) as error:
        if getattr(error, "errno", None) == errno.ENOSPC or os.strerror(errno.ENOSPC) in str(error):
            raise FullDiskError(path) from error
        if isinstance(error, duckdb.OutOfMemoryException):
            raise LittleMemoryError(path) from error
        raise
