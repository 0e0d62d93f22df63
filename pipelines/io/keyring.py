"""The file of write keys: small, beside the warehouse and not in it, so that no lock of the one stops the other."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from pipelines.errors import NightcheckError

Item = TypeVar("Item", bound=msgspec.Struct)


class BrokenKeyringError(NightcheckError):
    """The file holds something else."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            str(path), f"this is no file of keys ({reason})", "Restore it, or remove it and make keys anew"
        )


class Keyring(Generic[Item]):
    """Items by an id, in a JSON file that only its owner can read; each change is written aside and renamed."""

    def __init__(self, path: Path, item: type[Item]) -> None:
        self._path = path
        self._decoder = msgspec.json.Decoder(dict[str, item])  # type: ignore[valid-type]
        self._seen: tuple[int, int, int] | None = None
        self._items: dict[str, Item] = {}

    def items(self) -> dict[str, Item]:
        """Return what is stored now; the file is read again only when it changed."""
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return {}
        seen = (found.st_mtime_ns, found.st_size, found.st_ino)
        if seen != self._seen:
            try:
                self._items = self._decoder.decode(self._path.read_bytes())
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BrokenKeyringError(self._path, str(error)) from error
            self._seen = seen
        return self._items

    @contextmanager
    def change(self) -> Iterator[dict[str, Item]]:
        """Yield a copy to change; it is stored at the end of the block. One process changes at a time."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.with_name(f"{self._path.name}.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            changed = dict(self.items())
            yield changed
            aside = self._path.with_name(f".{self._path.name}.new")
            aside.unlink(missing_ok=True)
            descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(msgspec.json.format(msgspec.json.encode(changed), indent=1))
                file.flush()
                os.fsync(file.fileno())
            aside.replace(self._path)
