"""Erase a visitor: from the log and everything derived from it, from the spool and from harvested sets, with a proof.

In this order, so that one who is stopped half way can run it again: sets and spool while the database still knows what
belongs to the visitor; then rows and tombstones in one transaction; then a fresh copy in the place of the database.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

import pyarrow as pa

from pipelines.experiments.datasets.dataset import ITEMS, MANIFEST, NAMES, describe, encode_items
from pipelines.experiments.datasets.harvest import pseudonym
from pipelines.experiments.datasets.manifest import encode as encode_manifest
from pipelines.experiments.datasets.names import encode_names, names_to_review
from pipelines.experiments.datasets.run import find, load, names
from pipelines.ingest.decode import Rejection, decode
from pipelines.io.datasets import read_file, write_folder
from pipelines.io.erasing import blank_lines, copy_anew, files_with
from pipelines.io.warehouse import Connection, Warehouse
from pipelines.privacy.erasure import AGGREGATES, Probe, condition, mentions, probes
from schemas import sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Leftover:
    """A place where something of the visitor was still found: a table or a file, and what it was."""

    place: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What was erased, which days have changed by it, and what of the visitor was still found afterwards."""

    rows: dict[str, int]
    quarantined: int
    verdicts: int
    spool_lines: int
    items: dict[str, int]
    days: tuple[date, ...]
    probes: int
    leftovers: tuple[Leftover, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Belongings:
    """What belongs to a visitor; `prefixes` begin the names of the items that were harvested of the conversations."""

    conversations: tuple[str, ...]
    events: tuple[str, ...]
    retrievals: tuple[str, ...]
    turns: tuple[str, ...]
    prefixes: tuple[str, ...]
    days: dict[date, int]
    probes: tuple[Probe, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where traces of visitors may lie beside the warehouse; all that is below `searched` is looked into afterwards."""

    searched: tuple[Path, ...]
    published: Path
    spool: Path
    datasets: tuple[Path, ...]


def erase(
    warehouse: Warehouse,
    tenant: str,
    visitor: str,
    *,
    at: datetime,
    salt: str,
    key: bytes,
    place: Place,
    publish: Callable[[], object],
) -> Erasure:
    """Erase a visitor of a tenant everywhere, then look whether anything is left; may be run again at any time.

    `salt` is kept with the first erasure and goes into every tombstone; `key` is that of the harvested sets. `publish`
    writes anew what was published. The days that changed are open again for their night.
    """
    theirs = {"tenant": tenant, "visitor": visitor}
    with warehouse.write() as connection:
        belongings = _find(connection, theirs, key)
    items = {str(folder): count for root in place.datasets for folder, count in _erase_items(root, belongings)}
    lines = blank_lines(place.spool, lambda line: _is_theirs(line, theirs, belongings))
    with warehouse.write() as connection:
        belongings = _find(connection, theirs, key)
        connection.execute(sql.load("privacy/erase/salt.sql"), {"salt": salt})
        connection.execute(sql.load("privacy/erase/numbers.sql"), {"tenant": tenant})
        rows = _erase_rows(connection, theirs)
        quarantined, waiting = _erase_quarantined(connection, theirs)
        verdicts = _erase_verdicts(connection, tenant)
        for told in ("alerts", "notices"):
            parameters = {"tenant": tenant, "retrievals": list(belongings.retrievals)}
            connection.execute(sql.load(f"privacy/erase/{told}.sql"), parameters)
        connection.execute(sql.load("privacy/erase/tombstones.sql"), theirs | {"at": at})
        _account(connection, rows, waiting, belongings.days, at)
    copy_anew(warehouse)
    publish()
    return Erasure(
        rows=rows,
        quarantined=quarantined,
        verdicts=verdicts,
        spool_lines=lines,
        items=items,
        days=tuple(belongings.days),
        probes=len(belongings.probes),
        leftovers=tuple(_left(warehouse, theirs, place, belongings)),
    )


def _find(connection: Connection, theirs: Mapping[str, str], key: bytes) -> _Belongings:
    """Make the `erasing_…` tables, which live as long as the connection, and return what is in them."""
    tenant = {"tenant": theirs["tenant"]}
    for step in ("conversations", "own_events"):
        connection.execute(sql.load(f"privacy/erase/{step}.sql"), theirs)
    for step in ("more_events", "retrievals", "turns"):
        connection.execute(sql.load(f"privacy/erase/{step}.sql"), tenant)
    days = dict(connection.execute(sql.load("privacy/erase/days.sql"), tenant).fetchall())
    strings = connection.execute(sql.load("privacy/erase/strings.sql"), tenant).fetchall()
    ((conversations, events, retrievals, turns),) = connection.execute(
        sql.load("privacy/erase/belongings.sql")
    ).fetchall()
    prefixes = tuple(f"{theirs['tenant']}/{pseudonym(key, theirs['tenant'], name)}/" for name in conversations)
    connection.register("erasing_items", pa.table({"prefix": pa.array(prefixes, pa.string())}))
    return _Belongings(
        conversations=tuple(conversations),
        events=tuple(events),
        retrievals=tuple(retrievals),
        turns=tuple(turns),
        prefixes=prefixes,
        days=days,
        probes=probes(theirs["visitor"], strings),
    )


def _erase_items(root: Path, belongings: _Belongings) -> Iterator[tuple[Path, int]]:
    """Take the visitor's turns out of every set below a folder, and out of the lists of names to read."""
    for folder in find(root) if root.exists() and belongings.prefixes else ():
        dataset = load(folder)
        kept = [each for each in dataset.items if not each.item_id.startswith(belongings.prefixes)]
        if len(kept) == len(dataset.items):
            continue
        smaller = describe(dataset.manifest, kept)
        files = {ITEMS: encode_items(smaller.items), MANIFEST: encode_manifest(smaller.manifest)}
        files |= {each.file: read_file(folder / each.file) for each in dataset.manifest.collections.values()}
        if names(folder):
            files[NAMES] = encode_names(names_to_review(kept))
        write_folder(folder, files, replace=True)
        yield folder, len(dataset.items) - len(kept)


def _is_theirs(line: bytes, theirs: Mapping[str, str], belongings: _Belongings) -> bool:
    event = decode(line)
    if isinstance(event, Rejection):
        return mentions(line, theirs["tenant"], theirs["visitor"])
    if event.tenant != theirs["tenant"]:
        return False
    in_conversation = event.visitor_id is None and event.conversation_id in belongings.conversations
    return event.visitor_id == theirs["visitor"] or in_conversation or event.event_id in belongings.events


def _erase_rows(connection: Connection, theirs: Mapping[str, str]) -> dict[str, int]:
    """Delete the visitor's rows from every table that has any; return how many went from where."""
    erased = {}
    for table, where in _conditions(connection):
        parameters = {name: value for name, value in theirs.items() if f"${name}" in where}
        ((count,),) = connection.execute(f"delete from {table} where {where}", parameters).fetchall()  # noqa: S608 - names from the catalogue, conditions of ours
        if count:
            erased[table] = count
    return erased


def _conditions(connection: Connection) -> Iterator[tuple[str, str]]:
    for schema, name, columns in connection.execute(sql.load("privacy/erase/columns.sql")).fetchall():
        where = condition(columns)
        if where is not None and f"{schema}.{name}" not in AGGREGATES:
            yield f"{schema}.{name}", where


def _erase_quarantined(connection: Connection, theirs: Mapping[str, str]) -> tuple[int, int]:
    """Delete rejected records that may be the visitor's; return how many there were, and how many of them waited."""
    found = [
        (number, waits)
        for number, raw, waits in connection.execute(sql.load("privacy/erase/quarantined.sql")).fetchall()
        if mentions(raw, theirs["tenant"], theirs["visitor"])
    ]
    connection.execute(sql.load("privacy/erase/quarantine.sql"), {"ids": [number for number, _ in found]})
    return len(found), sum(waits for _, waits in found)


def _erase_verdicts(connection: Connection, tenant: str) -> int:
    connection.execute(sql.load("privacy/erase/passage_verdicts.sql"), {"tenant": tenant})
    ((count,),) = connection.execute(sql.load("privacy/erase/verdicts.sql"), {"tenant": tenant}).fetchall()
    return int(count)


def _account(
    connection: Connection, rows: Mapping[str, int], waiting: int, days: Mapping[date, int], at: datetime
) -> None:
    """Keep the conservation law: what was stored, a conflict or quarantined is erased now; and open the days again."""
    stored = rows.get("ingest.events", 0)
    conflicts = rows.get("ingest.conflicts", 0)
    if not stored + conflicts + waiting:
        return
    ((number,),) = connection.execute(sql.load("ingest/next_batch.sql")).fetchall()
    moved = {
        "stored": -stored,
        "conflicts": -conflicts,
        "quarantined": -waiting,
        "erased": stored + conflicts + waiting,
    }
    row = {"batch": number, "source": "erasure", "at": at, "consumed": 0, "duplicates": 0}
    connection.execute(sql.load("ingest/store_batch.sql"), row | moved)
    for day, events in days.items():
        connection.execute(sql.load("privacy/erase/open_day.sql"), {"batch": number, "day": day, "events": -events})


def _left(warehouse: Warehouse, theirs: Mapping[str, str], place: Place, belongings: _Belongings) -> Iterator[Leftover]:
    """Look for the visitor in every table by ids, and in every file byte by byte.

    In what we keep, bytes may stand for something that stays (a longer id, words that others used too); in a file that
    somebody put beside it they are reported whatever they are.
    """
    ours = (warehouse.path, place.published, place.spool, *place.datasets)
    patterns = [probe.pattern for probe in belongings.probes]
    found = [each for root in place.searched for each in files_with(root, patterns)]
    with warehouse.read() as connection:
        for name, column, values in (
            ("conversations", "conversation_id", belongings.conversations),
            ("events", "event_id", belongings.events),
            ("retrievals", "retrieval_id", belongings.retrievals),
            ("turns", "turn_id", belongings.turns),
            ("items", "prefix", belongings.prefixes),
        ):
            connection.register(f"erasing_{name}", pa.table({column: pa.array(values, pa.string())}))
        for table, where in _conditions(connection):
            parameters = {name: value for name, value in theirs.items() if f"${name}" in where}
            query = f"select count(*) from {table} where {where}"  # noqa: S608 - as above
            ((count,),) = connection.execute(query, parameters).fetchall()
            if count:
                yield Leftover(place=table, what=f"{count} rows")
        unexplained: dict[Path, Counter[str]] = {}
        for path, number in found:
            probe = belongings.probes[number]
            parameters = {"text": probe.pattern.decode("utf-8", "replace").strip('"')}
            ((explained,),) = connection.execute(sql.load("privacy/erase/explained.sql"), parameters).fetchall()
            if not explained or not any(path.is_relative_to(each) for each in ours):
                unexplained.setdefault(path, Counter())["ids" if probe.is_id else "things said"] += 1
        for path, counts in unexplained.items():
            what = ", ".join(f"{kind}: {count}" for kind, count in sorted(counts.items()))
            yield Leftover(place=str(path), what=what)
