"""A disk of a few megabytes, which can be filled."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class SmallDisk:
    """A tmpfs at a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def grow(self, size: str) -> None:
        """Make room."""
        subprocess.run(["mount", "-o", f"remount,size={size}", str(self.folder)], check=True)


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[SmallDisk | None]:
    """Mount a disk of a size, as mount(8) writes it; None where this process may not."""
    folder.mkdir()
    may = os.geteuid() == 0
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if not may or subprocess.run(command, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
