"""An erased visitor is nowhere: no row, no byte, no harvested item, and never again."""

import gzip
import json
import uuid
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from pipelines.experiments.datasets.harvest import HarvestRequest
from pipelines.experiments.datasets.run import harvest_to, load, stored_turns
from pipelines.ingest.conservation import violations
from pipelines.ingest.run import Counts, ingest
from pipelines.io.files import FileSource
from pipelines.io.spool import SpoolSource, SpoolWriter
from pipelines.io.warehouse import Warehouse
from pipelines.marts.publishing.run import publish
from pipelines.privacy.erasure import AGGREGATES
from pipelines.privacy.run import Erasure, Place, erase
from schemas import sql

NOW = datetime(2026, 11, 30, 6, 0, tzinfo=UTC)
DAY = date(2026, 11, 29)
KEY = b"a key that only these tests know"
TENANT = "help.example.com"
GONE, STAYS = "visitor-to-forget", "visitor-who-stays"
SECRET = "the lantern on my grandmother's porch keeps flickering at dusk"


def _event(kind: str, payload: Mapping[str, object], **envelope: object) -> dict[str, object]:
    name = json.dumps([kind, payload, envelope], sort_keys=True)
    return {
        "event_id": str(uuid.uuid5(uuid.NAMESPACE_URL, name)), "event_type": kind, "schema_version": 1, "tenant": TENANT,
        "environment": "production", "occurred_at": "2026-11-29T10:00:00+00:00", "payload": payload,
    } | envelope  # fmt: skip


def _conversation(
    name: str, visitor: str | None, message: str, *, quotes: str | None = None
) -> list[dict[str, object]]:
    about = {"conversation_id": name} | ({} if visitor is None else {"visitor_id": visitor})
    passages = [
        {
            "passage_id": f"{name}-p",
            "kind": "conversation",
            "text": "an earlier remark",
            "rank": 1,
            "source_id": quotes or name,
        }
    ]
    turn = {"turn_id": f"{name}-t", "turn_index": 0, "message": message, "answer": f"You said: {message}"}
    retrieval = {
        "retrieval_id": f"{name}-r", "turn_id": f"{name}-t", "outcome": "searched", "message": message,
        "searched_query": message, "resolution": "as_typed", "passages": passages,
    }  # fmt: skip
    call = {
        "call_id": f"{name}-m", "turn_id": f"{name}-t", "purpose": "answer", "provider": "p", "model": "m",
        "prompt_tokens": 1, "completion_tokens": 1,
    }  # fmt: skip
    return [
        _event("turn", turn, **about),
        _event("retrieval", retrieval, conversation_id=name),  # names no visitor
        _event("model_call", call),  # names neither
        _event("page_view", {"page_id": f"{name}-v", "path": "/"}, **about),
    ]


def _events() -> list[dict[str, object]]:
    return [
        *_conversation("conversation-gone", GONE, SECRET),
        *_conversation("conversation-kept", STAYS, "how do ladders compare with scaffolds for a gutter"),
        *_conversation("conversation-quoting", STAYS, "what did we say about the porch", quotes="conversation-gone"),
        _event("page_view", {"page_id": "elsewhere", "path": "/"}, tenant="other.example.com", visitor_id=GONE),
    ]


def _records() -> bytes:
    broken = {"event_type": "turn", "tenant": TENANT.upper(), "visitor_id": GONE, "payload": {"message": SECRET}}
    return b"".join(json.dumps(each).encode() + b"\n" for each in [*_events(), broken])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home whose warehouse holds three conversations of two visitors, one of which quotes the other's."""
    (tmp_path / "home").mkdir()
    (tmp_path / "events.jsonl").write_bytes(_records())
    _ingest(tmp_path / "home", tmp_path / "events.jsonl")
    return tmp_path / "home"


def _warehouse(home: Path) -> Warehouse:
    return Warehouse(home / "warehouse.duckdb")


def _ingest(home: Path, file: Path) -> Counts:
    return ingest(FileSource([file]), _warehouse(home), now=lambda: NOW)


def _erase(home: Path, visitor: str = GONE) -> Erasure:
    warehouse = _warehouse(home)
    published = home / "published"
    place = Place(searched=(home,), published=published, spool=home / "spool", datasets=(home / "datasets",))
    return erase(
        warehouse,
        TENANT,
        visitor,
        at=NOW,
        salt="a salt",
        key=KEY,
        place=place,
        publish=lambda: publish(warehouse, published),
    )


def _rows(home: Path, query: str) -> list[tuple[object, ...]]:
    with _warehouse(home).read() as connection:
        return connection.execute(query).fetchall()


_NEWEST_BATCH = "select max(batch) from ingest.batch_days where day = date '2026-11-29'"


def _conserved(home: Path) -> list[str]:
    with _warehouse(home).read() as connection:
        found = connection.execute(sql.load("ops/conservation.sql"))
        names = [column[0] for column in found.description]
        return violations(dict(zip(names, found.fetchone() or (), strict=True)))


def test_every_event_of_the_visitor_goes_and_nobody_elses(home: Path) -> None:
    """Events that name the visitor, the conversation or only the turn go, and searches that quote the conversation."""
    report = _erase(home)

    assert report.leftovers == ()
    assert report.rows["ingest.events"] == 5
    assert report.quarantined == 1
    assert report.days == (DAY,)
    left = _rows(home, "select distinct conversation_id, visitor_id, tenant from ingest.events order by all")
    assert left == [
        ("conversation-kept", STAYS, TENANT),
        ("conversation-kept", None, TENANT),
        ("conversation-quoting", STAYS, TENANT),
        (None, GONE, "other.example.com"),
        (None, None, TENANT),
    ]
    assert _conserved(home) == []


def test_no_byte_is_left_in_the_file(home: Path) -> None:
    """The new file holds neither what was said nor the ids; the old one is gone."""
    before = (home / "warehouse.duckdb").read_bytes()
    assert SECRET.encode() in before

    _erase(home)

    for path in home.rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path
            assert b"conversation-gone" not in path.read_bytes(), path


def test_what_is_delivered_again_is_counted_and_not_stored(home: Path, tmp_path: Path) -> None:
    """The whole of it once more: the visitor's events are erased, the others duplicates; a rebuild brings none back."""
    _erase(home)
    (tmp_path / "again.jsonl").write_bytes(_records())

    counts = _ingest(home, tmp_path / "again.jsonl")

    assert (counts.erased, counts.duplicates, counts.stored) == (6, 8, 0)
    assert _rows(home, "select count(*) from canonical.turns where message like '%lantern%'") == [(0,)]
    assert _conserved(home) == []


def test_a_new_event_of_an_erased_visitor_is_not_stored(home: Path, tmp_path: Path) -> None:
    """Also one that was never seen before; another tenant's visitor of the same name is somebody else."""
    _erase(home)
    new = [
        _event("page_view", {"page_id": "new", "path": "/"}, visitor_id=GONE),
        _event("page_view", {"page_id": "new", "path": "/"}, conversation_id="conversation-gone"),
        _event("page_view", {"page_id": "new", "path": "/"}, visitor_id=GONE, tenant="third.example.com"),
    ]
    (tmp_path / "new.jsonl").write_text("".join(json.dumps(each) + "\n" for each in new))

    counts = _ingest(home, tmp_path / "new.jsonl")

    assert (counts.erased, counts.stored) == (2, 1)


def test_the_spool_keeps_its_places(home: Path) -> None:
    """The visitor's lines become blank in place; what others wrote is read from where it was."""
    spool = home / "spool"
    with SpoolWriter(spool) as writer:
        writer.append([json.dumps(each).encode() for each in _events()])
        writer.append([json.dumps({"visitor_id": GONE, "torn": SECRET}).encode()])
    size = sum(path.stat().st_size for path in spool.glob("*.jsonl"))

    report = _erase(home)

    assert report.spool_lines == 6
    assert report.leftovers == ()
    assert sum(path.stat().st_size for path in spool.glob("*.jsonl")) == size
    counts = ingest(SpoolSource(spool), _warehouse(home), now=lambda: NOW)
    assert (counts.consumed, counts.duplicates, counts.quarantined) == (8, 8, 0)


def test_harvested_sets_lose_the_visitors_items(home: Path) -> None:
    """Their hash is made anew, and the others' items stay."""
    turns = stored_turns(_warehouse(home), DAY, DAY, environments=["production"])
    request = HarvestRequest(per_tenant_cap=9, held_out_share=0.0)
    harvest_to(home / "datasets" / "s", turns, request, key=KEY, now=NOW, source="made up")
    folder = home / "datasets" / "s" / "tuning"
    before = load(folder)

    report = _erase(home)

    after = load(folder)
    assert report.items == {str(folder): 1}
    assert len(after.items) == len(before.items) - 1
    assert after.manifest.content_hash != before.manifest.content_hash
    assert not any("lantern" in each.message for each in after.items)


def test_what_was_left_is_reported(home: Path) -> None:
    """A copy that lies about is found, packed or not; the report says where, and not what it says."""
    (home / "copy.jsonl.gz").write_bytes(gzip.compress(_records()))
    (home / "note.txt").write_text(f"see {GONE}")

    report = _erase(home)

    assert {Path(each.place).name for each in report.leftovers} == {"copy.jsonl.gz", "note.txt"}
    assert not any(SECRET in each.what or GONE in each.what for each in report.leftovers)


def test_events_of_another_tenant_with_the_same_id_are_somebody_elses(home: Path) -> None:
    """A file of them is no leftover; one line of the tenant's own among them, or one that is no event, makes it one."""
    envelope = {"tenant": "x.example.com", "visitor_id": GONE}
    theirs = [json.dumps(_event("page_view", {"page_id": each, "path": "/"}, **envelope)) for each in ("1", "2")]
    own = json.dumps(_event("page_view", {"page_id": "3", "path": "/"}, visitor_id=GONE))
    for name, line in (("theirs", ""), ("own", own), ("text", f"see {GONE}"), ("cut", theirs[0][:-1])):
        (home / f"{name}.jsonl").write_text("\n".join([*theirs, line, theirs[0]]))

    report = _erase(home)

    assert {Path(each.place).stem: each.what for each in report.leftovers} == dict.fromkeys(
        ("own", "text", "cut"), "ids: 1"
    )


def test_erasing_again_changes_nothing(home: Path) -> None:
    """It may be run at any time, also for somebody who was never there."""
    _erase(home)
    rows = _rows(home, "from ingest.batches order by all")

    again = _erase(home)
    nobody = _erase(home, "nobody-of-that-name")

    assert again.rows == nobody.rows == {}
    assert again.leftovers == nobody.leftovers == ()
    assert _rows(home, "from ingest.batches order by all") == rows


def test_one_who_was_stopped_runs_it_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped between the deletion and the new file, the bytes are still there; the next run takes them away."""

    def stopped(_warehouse: Warehouse) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("pipelines.privacy.run.copy_anew", stopped)
        with pytest.raises(KeyboardInterrupt):
            _erase(home)
    assert SECRET.encode() in b"".join(path.read_bytes() for path in home.glob("warehouse.duckdb*"))

    report = _erase(home)

    assert report.leftovers == ()
    assert SECRET.encode() not in b"".join(path.read_bytes() for path in home.glob("warehouse.duckdb*"))


def test_the_days_are_open_again(home: Path) -> None:
    """A day that lost events has a newer batch than its night."""
    before = _rows(home, _NEWEST_BATCH)

    _erase(home)

    assert _rows(home, _NEWEST_BATCH) > before


def test_alerts_no_longer_point_to_what_was_erased(home: Path) -> None:
    """The lists of what to read first lose the visitor's retrievals, those over all tenants too; others stay, also of equal id."""
    alert = (
        "insert into alerts.alerts by name select $tenant as alert_id, 'fleet' as rule, 'production' as environment, "
        "$tenant as tenant, '*' as kind, '*' as cell, date '2026-11-29' as opened, date '2026-11-29' as since, "
        "date '2026-11-29' as last_day, false as instrument_moved, 9 as nights_before, 'query' as fault, "
        "[$kept, $gone, $elsewhere] as worst"
    )
    notice = (
        "insert into alerts.notices by name select 'n' as notice_id, 'fleet' as rule, 'production' as environment, "
        "date '2026-11-29' as day, date '2026-11-29' as opened, 'opened' as what, true as due, 'told' as text, "
        "[$tenant] as tenants, [$kept, $gone, $elsewhere] as worst"
    )
    stays = {"kept": f"{TENANT}/conversation-kept-r", "elsewhere": "other.example/conversation-gone-r"}
    worst = stays | {"gone": f"{TENANT}/conversation-gone-r"}
    with _warehouse(home).write() as connection:
        connection.execute(alert, worst | {"tenant": TENANT})
        connection.execute(alert, worst | {"tenant": "*"})
        connection.execute(notice, worst | {"tenant": TENANT})

    _erase(home)

    assert _rows(home, "select worst from alerts.alerts") == [(list(stays.values()),)] * 2
    assert _rows(home, "select worst from alerts.notices") == [(list(stays.values()),)]


def test_no_table_is_forgotten(tmp_path: Path) -> None:
    """Every table that names a tenant is reached by one of its columns, or is known to hold nothing of one visitor."""
    warehouse = _warehouse(tmp_path)
    with warehouse.write():
        pass
    with warehouse.read() as connection:
        tables = connection.execute(sql.load("privacy/erase/statements.sql"), {"aggregates": None}).fetchall()

    unreached = {name for name, has_tenant, count_theirs, _ in tables if has_tenant and count_theirs is None}

    assert {"ingest.events", "canonical.turns"} <= {name for name, *_ in tables}
    assert unreached <= AGGREGATES
