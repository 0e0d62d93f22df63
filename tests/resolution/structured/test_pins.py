"""Pins over a real DuckDB: items in the window, people's latest contact, live facts, and what is never shown."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import duckdb
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.resolution.structured.pins import MAX_ITEMS, Hit, Source, fill, pin
from pipelines.resolution.structured.run import DuckDBRecords
from schemas import sql
from schemas.events.retrieval import Pin as PinOnTheWire
from schemas.events.retrieval import Window

#: a Monday
AT = datetime(2026, 11, 30, 9, 30, tzinfo=ZoneInfo("Europe/Paris"))


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database with the tables of structured reads and a week of one tenant's life."""
    with duckdb.connect(":memory:") as database:
        database.execute("set TimeZone = 'UTC'")
        for path, ddl in sql.contracts().items():
            if path.startswith("structured/"):
                database.execute(ddl)
        database.execute(
            """
            insert into structured.items values
              ('a.example.com', 'i1', 'todo', 'Call the dentist', '2026-12-02 09:00+01', null, 'confirmed', 'n1'),
              ('a.example.com', 'i2', 'event', 'Choir', '2026-12-01 19:00+01', '2026-12-01 21:00+01', 'proposed', 'n2'),
              ('a.example.com', 'i3', 'event', 'Cancelled dinner', '2026-12-03 19:00+01', null, 'rejected', 'n1'),
              ('a.example.com', 'i4', 'event', 'Fair', '2026-11-28 08:00+01', '2026-12-01 18:00+01', 'confirmed', null),
              ('a.example.com', 'i5', 'todo', 'Next week', '2026-12-07 00:00+01', null, 'confirmed', null),
              ('a.example.com', 'i6', 'todo', 'Some day', null, null, 'confirmed', 'n1'),
              ('b.example.com', 'i1', 'todo', 'Of another tenant', '2026-12-02 09:00+01', null, 'confirmed', 'n1');
            insert into structured.people values
              ('a.example.com', 'p1', 'Tunde Bakare', []),
              ('a.example.com', 'p2', 'Chloé Lefèvre', ['Coco']),
              ('b.example.com', 'p9', 'Tunde Other', []);
            insert into structured.contacts values
              ('a.example.com', 'c1', 'p1', '2026-10-02 12:00+02', 'Lunch with Tunde at the market.', 'confirmed', 'n3'),
              ('a.example.com', 'c2', 'p1', '2026-11-07 18:00+01', 'Tunde came by with the drill.', 'confirmed', 'n4'),
              ('a.example.com', 'c3', 'p1', '2026-11-20 18:00+01', 'Not Tunde after all.', 'rejected', 'n5'),
              ('a.example.com', 'c4', 'p1', '2026-12-24 18:00+01', 'Planned.', 'confirmed', 'n6'),
              ('a.example.com', 'c5', 'p2', '2026-11-10 18:00+01', 'Chloé rang about the flat.', 'confirmed', 'n7');
            insert into structured.sources values
              ('a.example.com', 'n1', 'Tuesday notes', '2026-11-10'),
              ('a.example.com', 'n2', 'Choir plans', null),
              ('b.example.com', 'n3', 'Of another tenant', null);
            """
        )
        yield database


@pytest.fixture
def records(connection: duckdb.DuckDBPyConnection) -> DuckDBRecords:
    """The first tenant's records."""
    return DuckDBRecords(connection, "a.example.com")


def test_items_in_the_window_are_pinned_by_time(records: DuckDBRecords) -> None:
    """This week's items, one that began before it too, without the rejected, the undated and the other tenant's."""
    pinned = pin("What's on this week?", at=AT, records=records)

    assert [found.item_id for found in pinned.pins] == ["i4", "i2", "i1"]


def test_a_person_pins_the_latest_contact_with_its_line(records: DuckDBRecords) -> None:
    """The latest that is recorded and past; not a rejected one, and not one that is still to come."""
    pinned = pin("When did I last see tunde?", at=AT, records=records)

    assert [(found.item_id, found.item_type, found.text) for found in pinned.pins] == [
        ("c2", "contact", "Tunde came by with the drill.")
    ]
    assert pinned.reading.window is None
    assert pinned.reading.dated == "none"


def test_several_people_pin_one_contact_each(records: DuckDBRecords) -> None:
    """The latest first."""
    pinned = pin("Have Coco and T. Bakare met?", at=AT, records=records)

    assert [found.item_id for found in pinned.pins] == ["c5", "c2"]


def test_a_question_that_names_nothing_pins_nothing(records: DuckDBRecords) -> None:
    """It is recorded with empty pins and without a window."""
    assert pin("Which plans include SSO?", at=AT, records=records).recorded() == {"pins": []}


def test_the_result_is_what_a_retrieval_event_records(records: DuckDBRecords) -> None:
    """`window` and `pins` decode strictly as the wire contract has them, an open side too."""
    closed = pin("What's on this week?", at=AT, records=records).recorded()
    past = pin("What came before 2018?", at=AT, records=records).recorded()
    open_sided = pin("What is due since August?", at=AT, records=records).recorded()

    window = msgspec.convert(closed["window"], Window, strict=True)
    pins = msgspec.convert(closed["pins"], list[PinOnTheWire], strict=True)
    assert closed["window"] == {"start": "2026-11-30T00:00:00+01:00", "end": "2026-12-07T00:00:00+01:00"}
    assert window.start < window.end
    assert pins[1].text == "Choir"
    assert msgspec.convert(open_sided["window"], Window, strict=True).end.year == 9999
    assert msgspec.convert(past["window"], Window, strict=True).start.year == 1


def test_a_wide_window_pins_no_more_than_the_limit(
    connection: duckdb.DuckDBPyConnection, records: DuckDBRecords
) -> None:
    """A year of items does not fill the prompt; those nearest to the anchor are kept."""
    connection.execute(
        "insert into structured.items select 'a.example.com', 'x' || n, 'todo', 'x', '2026-06-01 00:00+00', null, "
        "'confirmed', null from range(100) numbers(n)"
    )

    pins = pin("this year", at=AT, records=records).pins
    before = pin("before Friday", at=AT, records=records).pins

    assert len(pins) == len(before) == MAX_ITEMS
    assert [found.item_id for found in pins[-4:]] == ["i4", "i2", "i1", "i5"]
    assert [found.item_id for found in before[-3:]] == ["i4", "i2", "i1"]


def test_facts_of_retrieved_notes_are_read_live(connection: duckdb.DuckDBPyConnection, records: DuckDBRecords) -> None:
    """What was rejected since is gone from the next read; one query serves all notes."""
    before = records.facts(["n1", "n2", "n-unknown"])
    connection.execute("update structured.items set status = 'rejected' where item_id = 'i1'")
    after = records.facts(["n1", "n2", "n-unknown"])

    assert {source: [item.item_id for item in items] for source, items in before.items()} == {
        "n1": ["i1", "i6"],
        "n2": ["i2"],
    }
    assert [item.item_id for item in after["n1"]] == ["i6"]


def test_snippets_get_title_and_date_in_one_lookup(records: DuckDBRecords) -> None:
    """All known sources of one tenant; unknown ones are left out, and no ids are no rows."""
    assert records.sources(["n1", "n2", "n3", "n1"]) == {
        "n1": Source(source_id="n1", title="Tuesday notes", dated=date(2026, 11, 10)),
        "n2": Source(source_id="n2", title="Choir plans", dated=None),
    }
    assert records.sources([]) == {}


def test_text_from_outside_is_only_ever_a_value(records: DuckDBRecords) -> None:
    """A quote in an id or a question does not break out of the query."""
    assert records.facts(["n1' or '1'='1"]) == {}
    assert pin("'; drop table structured.items; -- this week", at=AT, records=records).pins


def test_contacts_are_instants_in_utc(records: DuckDBRecords) -> None:
    """The database gives back the instant that was stored."""
    (contact,) = records.latest_contacts(["p1"], AT)

    assert contact.at.astimezone(UTC) == datetime(2026, 11, 7, 17, tzinfo=UTC)


def test_the_window_comes_first_then_the_nearest_outside() -> None:
    """Up to eight: every hit in the window by distance, then those outside; a passage in both counts once."""
    inside = [Hit(passage_id="w2", distance=0.9), Hit(passage_id="w1", distance=0.4)]
    outside = [Hit(passage_id="w1", distance=0.4)] + [
        Hit(passage_id=f"o{n}", distance=n / 100) for n in range(9, 0, -1)
    ]

    chosen = fill(inside, outside)

    assert [hit.passage_id for hit in chosen] == ["w1", "w2", "o1", "o2", "o3", "o4", "o5", "o6"]


_hits = st.lists(
    st.builds(
        lambda n, distance: Hit(passage_id=f"p{n}", distance=distance),
        st.integers(0, 20),
        st.floats(allow_nan=True, allow_infinity=True),
    ),
    max_size=20,
    unique_by=lambda hit: hit.passage_id,
)


@pytest.mark.property
@given(_hits, _hits, st.integers(0, 12))
def test_filling_never_prefers_outside_and_ignores_order(inside: list[Hit], outside: list[Hit], limit: int) -> None:
    """As many as there are up to the limit; no outside hit before the window is used up; order of input is nothing."""
    chosen = fill(inside, outside, limit)

    ids = [hit.passage_id for hit in chosen]
    in_window = {hit.passage_id for hit in inside}
    assert len(ids) == len(set(ids)) == min(limit, len(in_window | {hit.passage_id for hit in outside}))
    assert sum(name in in_window for name in ids) == min(limit, len(in_window))
    assert [hit.passage_id for hit in fill(inside[::-1], outside[::-1], limit)] == ids
