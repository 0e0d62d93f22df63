"""One ingester for one source and one warehouse: a second, started by mistake, says so and leaves."""

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pipelines.errors import NightcheckError


class SecondIngesterError(NightcheckError):
    """Two readers of one source would both move its positions."""

    def __init__(self, warehouse: Path, source: str) -> None:
        super().__init__(
            f"{warehouse}, source {source}", "another process is ingesting it", "Leave it to that one, or end it first"
        )


@contextmanager
def sole_ingester(warehouse: Path, source: str) -> Iterator[None]:
    """Be the only one that ingests this source into this warehouse, or raise `SecondIngesterError` at once."""
    warehouse.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.blake2b(source.encode(), digest_size=6).hexdigest()
    with warehouse.with_name(f"{warehouse.name}.ingest-{digest}.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SecondIngesterError(warehouse, source) from None
        yield
