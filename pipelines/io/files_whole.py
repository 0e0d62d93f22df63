"""Small files that are read and replaced as a whole."""

import os
from pathlib import Path


def read_whole(path: Path) -> bytes | None:
    """Return the content of a file, or None where there is none."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def write_whole(path: Path, content: bytes) -> None:
    """Replace a file in one step: who reads it finds the old content or the new."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{path.name}.new")
    with aside.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
