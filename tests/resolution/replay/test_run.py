"""The replay of a day: what it reads, what it stores, what it leaves alone."""

from datetime import date, timedelta
from pathlib import Path
from threading import Barrier, BrokenBarrierError

import pyarrow as pa
import pytest

from pipelines.io.warehouse import Connection, Held
from pipelines.resolution.gate import GATE_VERSION
from pipelines.resolution.replay import run
from pipelines.resolution.replay.replayer import Replayer
from pipelines.resolution.replay.run import days_with_turns, examples, replay
from tests.resolution.replay.build import DAY, TENANT, rows, stored, turn

DECISIONS = """
    select conversation_id, turn_index, decision, reason, would_be, replay.combined_with
    from night.replayed_decisions as replay join canonical.turns using (day, environment, tenant, event_id)
    order by all
"""


def test_a_conversation_goes_on_after_midnight(tmp_path: Path) -> None:
    """A follow-up of today is combined with a question of yesterday, and only today's turns are stored."""
    warehouse = stored(
        tmp_path,
        turn("a", 0, "Which plans include SSO?", "Team and Pro.", days=-1),
        turn("a", 1, "And does it include audit logs?", "Yes."),
        turn("b", 0, "How do I export my invoices?", days=-1),
    )

    assert replay(warehouse, DAY, ["production"]) == 1

    assert rows(warehouse, DECISIONS) == [("a", 1, "follow_up", "reference", "follow_up", "a-0")]


def test_later_days_are_not_read(tmp_path: Path) -> None:
    """What a day decides does not change when its conversations go on."""
    warehouse = stored(
        tmp_path, turn("a", 1, "And does it include audit logs?"), turn("a", 0, "Which plans include SSO?", days=1)
    )

    replay(warehouse, DAY, ["production"])

    assert rows(warehouse, DECISIONS) == [("a", 1, "substantive", "first_message", "substantive", None)]


def test_the_reported_decision_plays_no_part(tmp_path: Path) -> None:
    """A question that was reported as a nod is what a follow-up is combined with all the same; the report stays."""
    warehouse = stored(
        tmp_path,
        turn("a", 0, "Which plans include SSO?", decision="no_need"),
        turn("a", 1, "And does it include audit logs?", decision="substantive"),
    )

    replay(warehouse, DAY, ["production"])

    assert [row[2] for row in rows(warehouse, DECISIONS)] == ["substantive", "follow_up"]
    assert rows(warehouse, "select gate_decision from canonical.turns order by turn_index") == [
        ("no_need",),
        ("substantive",),
    ]


def test_a_turn_that_was_reported_twice_is_one_turn(tmp_path: Path) -> None:
    """The first report is decided; the second is neither a follow-up of it nor decided again."""
    warehouse = stored(
        tmp_path,
        turn("a", 0, "Which plans include it?", event="one"),
        turn("a", 0, "Which plans include it?", event="two"),
    )

    assert replay(warehouse, DAY, ["production"]) == 1

    assert [row[2] for row in rows(warehouse, DECISIONS)] == ["substantive"]


def test_tenants_and_environments_have_nothing_in_common(tmp_path: Path) -> None:
    """The same conversation id elsewhere is another conversation, and other environments are left alone."""
    warehouse = stored(
        tmp_path,
        turn("a", 0, "Which plans include SSO?"),
        turn("a", 1, "And does it include audit logs?", tenant="other.example.com"),
        turn("a", 2, "And does it include audit logs?", environment="staging"),
    )

    assert replay(warehouse, DAY, ["production"]) == 2

    assert [row[2:4] for row in rows(warehouse, DECISIONS)] == [("substantive", "first_message")] * 2


@pytest.mark.parametrize(("at_once", "others_wait"), [(1, False), (2, True), (1_000, False)])
def test_steps_of_any_size_and_a_second_run_give_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int, *, others_wait: bool
) -> None:
    """A conversation may be cut anywhere by the end of a batch, and the database given up there."""
    monkeypatch.setattr(Held, "wanted", lambda _: others_wait)
    warehouse = stored(
        tmp_path,
        *(turn(c, 0, "Which plans include SSO?", "Team.") for c in "abc"),
        *(turn(c, 1, "Why?", "Because.") for c in "abc"),
        *(turn(c, 2, "And does it include audit logs?") for c in "abc"),
    )
    monkeypatch.setattr(run, "_AT_ONCE", at_once)
    monkeypatch.setattr(run, "_BEFORE_OTHERS", 0)

    assert [replay(warehouse, DAY, ["production"]), replay(warehouse, DAY, ["production"])] == [9, 9]

    assert rows(warehouse, DECISIONS) == [
        row
        for c in "abc"
        for row in (
            (c, 0, "substantive", "first_message", "substantive", None),
            (c, 1, "skip", "too_short", "follow_up", None),
            (c, 2, "follow_up", "reference", "follow_up", f"{c}-0"),
        )
    ]
    assert rows(warehouse, "select distinct gate_version from night.replayed_decisions") == [(GATE_VERSION,)]


def test_a_conversation_is_never_in_two_hands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its next turn, in another batch, is decided only when the one before it is, however long that takes."""
    warehouse = stored(tmp_path, *(turn("a", index, "Which plans include SSO?") for index in range(3)))
    both, decide = Barrier(2), Replayer.decide

    def slowly(replayer: Replayer, batch: pa.RecordBatch) -> pa.Table:
        try:
            both.wait(0.3)
        except BrokenBarrierError:  # nobody else came; from now on this is known at once
            return decide(replayer, batch)
        raise AssertionError("two batches at once")

    monkeypatch.setattr(run, "_AT_ONCE", 1)
    monkeypatch.setattr(Replayer, "decide", slowly)

    assert replay(warehouse, DAY, ["production"]) == 3


def test_a_replay_that_was_ended_half_way_is_run_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it had stored is replaced, not doubled."""
    warehouse = stored(tmp_path, *(turn("a", index, "Which plans include SSO?") for index in range(4)))
    store = run._store

    def store_two(connection: Connection, day: date, decisions: object) -> int:
        if connection.execute("select count(*) from night.replayed_decisions").fetchall() == [(2,)]:
            raise KeyboardInterrupt
        return store(connection, day, decisions)

    monkeypatch.setattr(run, "_AT_ONCE", 1)
    with monkeypatch.context() as patched:
        patched.setattr(run, "_store", store_two)
        with pytest.raises(KeyboardInterrupt):
            replay(warehouse, DAY, ["production"])
    assert len(rows(warehouse, DECISIONS)) == 2

    assert replay(warehouse, DAY, ["production"]) == 4

    assert len(rows(warehouse, DECISIONS)) == 4


def test_a_day_without_turns_is_a_day(tmp_path: Path) -> None:
    """Nothing is decided, and what another day stored stays."""
    warehouse = stored(tmp_path, turn("a", 0, "Which plans include SSO?"))
    replay(warehouse, DAY, ["production"])

    assert replay(warehouse, DAY + timedelta(days=1), ["production"]) == 0

    assert len(rows(warehouse, DECISIONS)) == 1
    assert days_with_turns(warehouse, DAY - timedelta(days=9), DAY + timedelta(days=9)) == [DAY]


def test_examples_show_the_message_and_what_it_is_combined_with(tmp_path: Path) -> None:
    """Skipped turns are shown where they would be follow-ups; at most so many of each."""
    warehouse = stored(
        tmp_path,
        turn("a", 0, "Which plans include SSO?", "Team."),
        turn("a", 1, "Why?"),
        turn("a", 2, "And does it include audit logs?"),
        turn("a", 3, "And does it include webhooks?"),
        turn("a", 4, "We tried that one already."),
    )
    replay(warehouse, DAY, ["production"])

    shown = examples(warehouse, DAY, DAY, tenant=TENANT, at_most=1)

    assert [(each["shows"], each["rule"], each["before"]) for each in shown] == [
        ("correction", "rejection", None),
        ("eligible", "reference", "Which plans include SSO?"),
        ("skipped", "no_topic", None),
    ]
    assert examples(warehouse, DAY, DAY, tenant="other.example.com", at_most=1) == []
