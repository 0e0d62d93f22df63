"""Open a source by what the command line names."""

from collections.abc import Sequence
from pathlib import Path

from pipelines.cli.context import console
from pipelines.cli.counted import counted
from pipelines.errors import UsageError
from pipelines.io.files import FileSource, StandardInput, find_files
from pipelines.io.spool import SpoolSource
from pipelines.settings import Settings
from schemas.sources import Source


def open_sources(names: Sequence[str], settings: Settings) -> list[Source]:
    """Return a source for each name: a file, a folder, `-` (standard input), `spool` or `spool:FOLDER`."""
    return [_open(name, settings) for name in names]


def is_spool(name: str) -> bool:
    """Whether a source is a spool: `spool` or `spool:FOLDER`."""
    return name == "spool" or name.startswith("spool:")


def open_spool(name: str, settings: Settings, *, follow: bool = False) -> SpoolSource:
    """Return the source for a spool, read to its end or followed; `spool` is the one that the collector writes to."""
    if name == "spool":
        return SpoolSource(settings.spool, follow=follow)
    folder = Path(name.removeprefix("spool:")).expanduser()
    if not folder.is_dir():
        raise UsageError(str(folder), "there is no such spool", "Name a folder that a collector writes to")
    return SpoolSource(folder, follow=follow)


def _open(name: str, settings: Settings) -> Source:
    if name == "-":
        return StandardInput()
    if is_spool(name):
        return open_spool(name, settings)
    return FileSource(find_files(Path(name).expanduser()), on_unfinished=_tell)


def _tell(file: Path, size: int) -> None:
    waiting = counted(size, "byte waits", "bytes wait")
    message = f"{file}: the last line is not finished yet: {waiting} until there is more"
    console.print(message, markup=False, highlight=False, soft_wrap=True)
