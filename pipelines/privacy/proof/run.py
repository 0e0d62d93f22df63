"""Look for a visitor in every table by ids, and in every file byte by byte."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from pipelines.ingest.decode import Rejection, decode
from pipelines.io.erasing import files_with, lines_with
from pipelines.io.warehouse import Connection, Warehouse
from pipelines.privacy.erasure import AGGREGATES, Belongings
from schemas import sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Leftover:
    """A place where something of the visitor was still found: a table or a file, and what it was."""

    place: str
    what: str


def leftovers(
    warehouse: Warehouse, belongings: Belongings, *, searched: Sequence[Path], ours: Sequence[Path]
) -> Iterator[Leftover]:
    """Yield what is left in the tables, and in the files below `searched`.

    In files that are `ours` bytes may stand for something that stays (a longer id, words that others used too); in one
    that somebody put beside them they are reported, but for an id in events of other tenants: it is somebody else's.
    """
    patterns = [probe.pattern for probe in belongings.probes]
    found = [each for root in searched for each in files_with(root, patterns)]
    with warehouse.read() as connection:
        remember(connection, belongings)
        for table, _, count_theirs, _ in statements(connection):
            ((count,),) = connection.execute(count_theirs).fetchall()
            if count:
                yield Leftover(place=table, what=f"{count} rows")
        unexplained: dict[Path, Counter[str]] = {}
        for path, number in found:
            probe = belongings.probes[number]
            ((explained,),) = connection.execute(
                sql.load("privacy/erase/explained.sql"), {"text": probe.text}
            ).fetchall()
            if explained and any(path.is_relative_to(each) for each in ours):
                continue
            if not (probe.is_id and _is_anothers(path, probe.pattern, belongings.tenant)):
                unexplained.setdefault(path, Counter())["ids" if probe.is_id else "things said"] += 1
    for path, counts in unexplained.items():
        what = ", ".join(f"{kind}: {count}" for kind, count in sorted(counts.items()))
        yield Leftover(place=str(path), what=what)


def _is_anothers(path: Path, pattern: bytes, tenant: str) -> bool:
    """Whether bytes stand in lines of a file that are events of other tenants, and in no line that is anything else."""
    found = False
    for line in lines_with(path, pattern):
        event = decode(line.strip())
        if isinstance(event, Rejection) or event.tenant == tenant:
            return False
        found = True
    return found


def statements(connection: Connection) -> list[tuple[str, bool, str, str]]:
    """Return the tables that can hold something of a visitor, each with what counts and what deletes that.

    They read the `erasing_…` tables of the connection.
    """
    rows = connection.execute(sql.load("privacy/erase/statements.sql"), {"aggregates": sorted(AGGREGATES)}).fetchall()
    return [row for row in rows if row[2] is not None]


def remember(connection: Connection, belongings: Belongings) -> None:
    """Make the `erasing_…` tables of what was found before, for as long as the connection lasts."""
    for name, column, values in (
        ("whom", "visitor", [belongings.visitor]),
        ("conversations", "conversation_id", belongings.conversations),
        ("events", "event_id", belongings.events),
        ("retrievals", "retrieval_id", belongings.retrievals),
        ("turns", "turn_id", belongings.turns),
        ("items", "prefix", belongings.prefixes),
    ):
        table = pa.table({column: pa.array(values, pa.string())})
        if name == "whom":
            table = table.append_column("tenant", pa.array([belongings.tenant], pa.string()))
        connection.register(f"erasing_{name}", table)
