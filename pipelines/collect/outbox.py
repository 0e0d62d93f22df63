"""What a client could not send yet, on its disk: bounded, and there again after a restart."""

import os
import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path


class Outbox:
    """Files of JSON lines in a folder, each a batch. Trouble with the disk is an `OSError` and costs one batch."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder = folder
        self._most = most_bytes

    def put(self, records: Sequence[bytes]) -> bool:
        """Keep a batch; False where it does not fit. The batch is on the disk when this returns."""
        content = b"".join(record + b"\n" for record in records)
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._size() + len(content) > self._most:
            return False
        path = self._folder / f"{self._next_number():012d}-{uuid.uuid4().hex}.jsonl"
        aside = path.with_suffix(".new")
        try:
            with aside.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        except OSError:
            aside.unlink(missing_ok=True)
            raise
        return True

    def batches(self) -> list[Path]:
        """Return what waits, the oldest first."""
        return sorted(self._folder.glob("*.jsonl")) if self._folder.is_dir() else []

    @staticmethod
    def read(path: Path) -> list[bytes]:
        """Return the records of a batch; what is no JSON object any more is left out by its shape."""
        lines = path.read_bytes().split(b"\n")
        return [line for line in lines if line.startswith(b"{") and line.endswith(b"}")]

    @staticmethod
    def remove(path: Path) -> None:
        """Forget a batch that was sent."""
        path.unlink(missing_ok=True)

    def _size(self) -> int:
        size = 0
        for path in self.batches():
            with suppress(FileNotFoundError):  # another process of this application has sent it
                size += path.stat().st_size
        return size

    def _next_number(self) -> int:
        present = self.batches()
        first = present[-1].name.partition("-")[0] if present else "0"
        return 1 + (int(first) if first.isdecimal() else 0)
