"""Open a source by what the command line names."""

from collections.abc import Sequence
from pathlib import Path

from pipelines.errors import UsageError
from pipelines.io.files import FileSource, StandardInput, find_files
from pipelines.io.spool import SpoolSource
from pipelines.settings import Settings
from schemas.sources import Source


def open_sources(names: Sequence[str], settings: Settings) -> list[Source]:
    """Return a source for each name: a file, a folder, `-` (standard input), `spool` or `spool:FOLDER`."""
    return [_open(name, settings) for name in names]


def _open(name: str, settings: Settings) -> Source:
    if name == "-":
        return StandardInput()
    if name == "spool":
        return SpoolSource(settings.spool)
    if name.startswith("spool:"):
        folder = Path(name.removeprefix("spool:")).expanduser()
        if not folder.is_dir():
            raise UsageError(str(folder), "there is no such spool", "Name a folder that a collector writes to")
        return SpoolSource(folder)
    return FileSource(find_files(Path(name).expanduser()))
