"""What is told where there is no room."""

import errno
import os
from pathlib import Path

import duckdb
import pytest

from pipelines.errors import NightcheckError
from pipelines.io.room import FullDiskError, LittleMemoryError, room


@pytest.mark.parametrize(
    ("error", "told", "words"),
    [
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), FullDiskError, "no room left"),
        (duckdb.IOException(f"Could not write: {os.strerror(errno.ENOSPC)}"), FullDiskError, "no room left"),
        (duckdb.OutOfMemoryException("failed to pin block"), LittleMemoryError, "NIGHTCHECK_MEMORY_LIMIT"),
    ],
)
def test_little_room_is_told_with_what_to_do(error: Exception, told: type[NightcheckError], words: str) -> None:
    """Whatever met it."""
    with pytest.raises(told, match=words), room(Path("x.duckdb")):
        raise error


def test_other_errors_are_as_they_were() -> None:
    """They have another cause."""
    with pytest.raises(duckdb.ConstraintException), room(Path("x.duckdb")):
        raise duckdb.ConstraintException("a key")
