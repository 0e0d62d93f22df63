"""The SQL of the project, by its path below `schemas/`. Nothing else reads these files."""

from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parent


@cache
def load(path: str) -> str:
    """Return the text of one file, such as `ingest/fate.sql`."""
    return (_ROOT / path).read_text(encoding="utf-8")


@cache
def contracts() -> dict[str, str]:
    """Return the DDL of every table by its path, in an order in which it can be run."""
    return {
        str(file.relative_to(_ROOT)): load(str(file.relative_to(_ROOT))) for file in sorted(_ROOT.rglob("table.sql"))
    }


@cache
def migrations() -> dict[str, str]:
    """Return every migration by its name, in order."""
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted((_ROOT / "migrations").glob("*.sql"))}


def names(folder: str) -> tuple[str, ...]:
    """Return the names of the folders with a `table.sql` below `folder`, such as all projections."""
    return tuple(sorted(file.parent.name for file in (_ROOT / folder).glob("*/table.sql")))


def files(prefix: str) -> tuple[str, ...]:
    """Return the paths of all SQL files below a folder, in alphabetical order."""
    return tuple(sorted(str(file.relative_to(_ROOT)) for file in (_ROOT / prefix).glob("*.sql")))
