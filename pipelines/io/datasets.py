"""The only door to folders of datasets: read a file, write a folder as a whole or not at all, keep the key."""

import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from pipelines.errors import NightcheckError
from pipelines.io.folders import sync

_KEY_BYTES = 32


class NoSuchFileError(NightcheckError):
    """A folder lacks a file that makes it a dataset."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path), "there is no such file", "Harvest or import the set anew, or name another")


def read_file(path: Path) -> bytes:
    """Return the bytes of a file; raises `NoSuchFileError`."""
    _settle(path.parent)
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise NoSuchFileError(path) from error


def write_folder(folder: Path, files: Mapping[str, bytes], *, replace: bool = False) -> None:
    """Write a folder of files: whatever happens, the next to read it finds all of the new files or all of the old.

    File names may have folders in front. With `replace` an existing folder gives way; without, it is an error.
    """
    _settle(folder)
    if folder.exists() and not replace:
        raise NightcheckError(str(folder), "it is there already", "Choose another name; a set is never overwritten")
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = folder.with_name(f".{folder.name}.new")
    shutil.rmtree(aside, ignore_errors=True)
    for name, content in files.items():
        path = aside / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    _put_in_place(aside, folder)


def _put_in_place(aside: Path, folder: Path) -> None:
    """Rename, moving what was there out of the way first: a folder cannot be renamed onto one with files in it."""
    old = _old(folder)
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    aside.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
    sync(folder.parent)


def _settle(folder: Path) -> None:
    """Put the old folder back where someone was stopped between moving it away and putting the new one in place."""
    old = _old(folder)
    if old.exists() and not folder.exists():
        old.rename(folder)


def _old(folder: Path) -> Path:
    return folder.with_name(f".{folder.name}.old")


def folders_with(root: Path, file: str) -> tuple[Path, ...]:
    """Return the folders under `root` that hold a file of this name, in order."""
    return tuple(sorted(path.parent for path in root.rglob(file) if not path.parent.name.startswith(".")))


def read_or_make_key(path: Path) -> bytes:
    """Return the key kept at `path`; the first time, make one that only this user can read."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
    key = secrets.token_bytes(_KEY_BYTES)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_bytes()
    with os.fdopen(descriptor, "wb") as file:
        file.write(key)
    return key
