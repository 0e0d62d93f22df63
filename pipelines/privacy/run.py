"""Erase a visitor: from the log and everything derived from it, from the spool and from harvested sets, with a proof.

In this order, so that one who is stopped half way can run it again: sets, caches, pages and spool while the warehouse
still knows what belongs to the visitor; then rows and tombstones in one transaction; then a fresh copy in its place.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

import pyarrow as pa

from pipelines.experiments.datasets.harvest import pseudonym
from pipelines.ingest.decode import Rejection, decode
from pipelines.io.erasing import blank_lines, copy_anew
from pipelines.io.judge_files import clear_answers
from pipelines.io.warehouse import Connection, Warehouse
from pipelines.privacy.beside.run import erase_caches, erase_items, erase_pages
from pipelines.privacy.erasure import Belongings, mentions, probes
from pipelines.privacy.proof.run import Leftover, leftovers, statements
from schemas import sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """What was erased, which days have changed by it, and what of the visitor was still found afterwards."""

    rows: dict[str, int]
    quarantined: int
    verdicts: int
    spool_lines: int
    items: dict[str, int]
    caches: int
    pages: int
    days: tuple[date, ...]
    probes: int
    leftovers: tuple[Leftover, ...]

    @property
    def found(self) -> bool:
        """Whether anything of the visitor was there to erase."""
        rows = sum(self.rows.values()) + self.quarantined + self.verdicts
        return rows + self.spool_lines + sum(self.items.values()) + self.pages > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """What went from the warehouse. `waiting` is how many of the quarantined records were not released before."""

    by_table: dict[str, int]
    quarantined: int
    waiting: int
    verdicts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where traces of visitors may lie beside the warehouse; all that is below `searched` is looked into afterwards.

    `caches` are files that can be made again; `run_logs` are folders where Dagster keeps what pages have shown;
    `answers` is the home in which what judges answered is kept until it is stored.
    """

    searched: tuple[Path, ...]
    published: Path
    spool: Path
    datasets: tuple[Path, ...]
    caches: tuple[Path, ...] = ()
    run_logs: tuple[Path, ...] = ()
    answers: Path | None = None


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
    items = erase_items(place.datasets, belongings)
    caches = erase_caches(place.caches, belongings)
    pages = erase_pages(place.run_logs, belongings)
    lines = blank_lines(place.spool, lambda line: _is_theirs(line, belongings))
    with warehouse.write() as connection:
        belongings = _find(connection, theirs, key)
        rows = _erase_from(connection, belongings, salt, at)
    if place.answers is not None:
        # they may quote anyone; not before the rows are gone, or a night that begins now would keep more of them
        clear_answers(place.answers)
    copy_anew(warehouse)
    publish()
    ours = (warehouse.path, place.published, place.spool, *place.datasets)
    return Erasure(
        rows=rows.by_table,
        quarantined=rows.quarantined,
        verdicts=rows.verdicts,
        spool_lines=lines,
        items=items,
        caches=caches,
        pages=pages,
        days=tuple(belongings.days),
        probes=len(belongings.probes),
        leftovers=tuple(leftovers(warehouse, belongings, searched=place.searched, ours=ours)),
    )


def _find(connection: Connection, theirs: Mapping[str, str], key: bytes) -> Belongings:
    """Make the `erasing_…` tables, which live as long as the connection, and return what is in them."""
    tenant = {"tenant": theirs["tenant"]}
    for step in ("whom", "conversations", "own_events"):
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
    return Belongings(
        **theirs,
        conversations=tuple(conversations),
        events=tuple(events),
        retrievals=tuple(retrievals),
        turns=tuple(turns),
        prefixes=prefixes,
        days=days,
        probes=probes(theirs["visitor"], strings),
    )


def _is_theirs(line: bytes, belongings: Belongings) -> bool:
    event = decode(line)
    if isinstance(event, Rejection):
        return mentions(line, belongings.tenant, belongings.visitor, belongings.conversations)
    if event.tenant != belongings.tenant:
        return False
    in_conversation = event.visitor_id is None and event.conversation_id in belongings.conversations
    return event.visitor_id == belongings.visitor or in_conversation or event.event_id in belongings.events


def _erase_from(connection: Connection, belongings: Belongings, salt: str, at: datetime) -> _Rows:
    """Erase the visitor from the warehouse, and leave the tombstones, in the transaction that is open."""
    connection.execute(sql.load("privacy/erase/salt.sql"), {"salt": salt})
    connection.execute(sql.load("privacy/erase/numbers.sql"), {"tenant": belongings.tenant})
    _erase_mentions(connection, belongings)
    by_table = _erase_rows(connection)
    quarantined, waiting = _erase_quarantined(connection, belongings)
    verdicts = _erase_verdicts(connection, belongings.tenant)
    theirs = {"tenant": belongings.tenant, "visitor": belongings.visitor}
    connection.execute(sql.load("privacy/erase/tombstones.sql"), theirs | {"at": at})
    rows = _Rows(by_table=by_table, quarantined=quarantined, waiting=waiting, verdicts=verdicts)
    _account(connection, rows, belongings.days, at)
    return rows


def _erase_mentions(connection: Connection, belongings: Belongings) -> None:
    """Take the visitor's retrievals out of the lists and sums of alerts, and the passages quoted out of experiments."""
    parameters = {"tenant": belongings.tenant, "retrievals": list(belongings.retrievals)}
    for told in ("alerts", "notices"):
        connection.execute(sql.load(f"privacy/erase/{told}.sql"), parameters)
    summed = connection.execute(sql.load("privacy/erase/summed_days.sql"), {"tenant": belongings.tenant}).fetchall()
    connection.execute(sql.load("alerts/forget_sums.sql"), {"days": [day for (day,) in summed]})
    passages = connection.execute(sql.load("privacy/erase/passages.sql"), {"tenant": belongings.tenant}).fetchall()
    if passages:
        found = {"passages": [passage for (passage,) in passages]}
        for kept in ("results", "run_items"):
            connection.execute(sql.load(f"privacy/erase/{kept}.sql"), found | {"tenant": belongings.tenant})


def _erase_rows(connection: Connection) -> dict[str, int]:
    """Delete the visitor's rows from every table that has any; return how many went from where."""
    erased = {}
    for table, _, _, delete_theirs in statements(connection):
        ((count,),) = connection.execute(delete_theirs).fetchall()
        if count:
            erased[table] = count
    return erased


def _erase_quarantined(connection: Connection, belongings: Belongings) -> tuple[int, int]:
    """Delete rejected records that may be the visitor's; return how many there were, and how many of them waited."""
    found = [
        (number, waits)
        for number, raw, waits in connection.execute(sql.load("privacy/erase/quarantined.sql")).fetchall()
        if mentions(raw, belongings.tenant, belongings.visitor, belongings.conversations)
    ]
    connection.execute(sql.load("privacy/erase/quarantine.sql"), {"ids": [number for number, _ in found]})
    return len(found), sum(waits for _, waits in found)


def _erase_verdicts(connection: Connection, tenant: str) -> int:
    connection.execute(sql.load("privacy/erase/passage_verdicts.sql"), {"tenant": tenant})
    ((count,),) = connection.execute(sql.load("privacy/erase/verdicts.sql"), {"tenant": tenant}).fetchall()
    return int(count)


def _account(connection: Connection, rows: _Rows, days: Mapping[date, int], at: datetime) -> None:
    """Keep the conservation law: what was stored, a conflict or quarantined is erased now; and open the days again."""
    stored = rows.by_table.get("ingest.events", 0)
    conflicts = rows.by_table.get("ingest.conflicts", 0)
    if not stored + conflicts + rows.waiting:
        return
    ((number,),) = connection.execute(sql.load("ingest/next_batch.sql")).fetchall()
    moved = {
        "stored": -stored,
        "conflicts": -conflicts,
        "quarantined": -rows.waiting,
        "erased": stored + conflicts + rows.waiting,
    }
    row = {"batch": number, "source": "erasure", "at": at, "consumed": 0, "duplicates": 0}
    connection.execute(sql.load("ingest/store_batch.sql"), row | moved)
    for day, events in days.items():
        connection.execute(sql.load("privacy/erase/open_day.sql"), {"batch": number, "day": day, "events": -events})
