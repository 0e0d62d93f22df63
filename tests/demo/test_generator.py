"""The demonstration's traffic: sound where it should be, broken where it should be, the same for the same seed."""

import hashlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime
from itertools import pairwise
from typing import Any

import pytest

from pipelines.demo import RISE_DAY, TENANTS, generate, generate_bulk
from pipelines.demo.topics import Talk
from pipelines.disclaim import detect
from tests.demo.wire import PAYLOADS, decode

FIRST = date(2026, 11, 16)
DAYS = 14


@pytest.fixture(scope="module")
def lines() -> list[bytes]:
    """Fourteen days of all tenants."""
    return list(generate(11, FIRST, DAYS))


@pytest.fixture(scope="module")
def events(lines: list[bytes]) -> list[dict[str, Any]]:
    """Return the sound ones, in the order of the file."""
    return [event for line in lines if (event := _sound(line)) is not None]


def _sound(line: bytes) -> dict[str, Any] | None:
    try:
        return decode(line)
    except (AssertionError, KeyError, ValueError):
        return None


def _day(event: dict[str, Any]) -> int:
    return (datetime.fromisoformat(event["occurred_at"]).astimezone(UTC).date() - FIRST).days


def _payloads(events: Iterable[dict[str, Any]], event_type: str) -> list[dict[str, Any]]:
    return [event["payload"] for event in events if event["event_type"] == event_type]


def test_all_but_one_line_a_tenant_and_day_is_a_sound_event(lines: list[bytes], events: list[dict[str, Any]]) -> None:
    """Exactly the planted records are broken; every other line fits the contract, and all types occur."""
    assert len(lines) - len(events) == DAYS * len(TENANTS)
    assert set(PAYLOADS) == {event["event_type"] for event in events}
    assert all(line.endswith(b"\n") for line in lines)
    assert all(line.count(b"\n") == 1 for line in lines)


def test_a_tenant_has_sixty_to_a_hundred_turns_on_a_weekday(events: list[dict[str, Any]]) -> None:
    """The volume is what was asked for, but for the few that are lost."""
    turns = {event["event_id"]: event for event in events if event["event_type"] == "turn"}.values()
    counts = Counter((event["tenant"], _day(event)) for event in turns)

    assert len(counts) == DAYS * len(TENANTS)
    assert all(45 <= count <= 100 for count in counts.values())


def test_the_same_seed_gives_the_same_bytes_in_another_process(lines: list[bytes]) -> None:
    """Nothing depends on the process, its hash seed or its locale; another seed gives other bytes."""
    program = (
        "import hashlib; from datetime import date; from pipelines.demo import generate;"
        f"made = generate(11, date.fromisoformat('{FIRST}'), {DAYS});"
        "print(hashlib.sha256(b''.join(made)).hexdigest())"
    )

    other = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONHASHSEED": "77", "LC_ALL": "C", "TZ": "Asia/Kolkata", "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert other.stdout.strip() == hashlib.sha256(b"".join(lines)).hexdigest()
    assert list(generate(12, FIRST, 1)) != list(generate(11, FIRST, 1))


def test_a_tenant_alone_sends_what_it_sends_among_others(lines: list[bytes]) -> None:
    """A tenant's lines do not depend on who else takes part."""
    tenant = TENANTS[2]
    mark = tenant.host.encode()

    alone = list(generate(11, FIRST, DAYS, [tenant]))

    assert [line for line in alone if mark in line] == [line for line in lines if mark in line]


def test_delivery_has_every_kind_of_trouble(events: list[dict[str, Any]]) -> None:
    """Late, doubled, re-sent and contradicted events, and gaps in the producers' counts, are all there."""
    by_id: dict[str, list[dict[str, Any]]] = {}
    for event in events:
        by_id.setdefault(event["event_id"], []).append(event)
    again = [group for group in by_id.values() if len(group) > 1]
    doubled = [group for group in again if group[0] == group[1]]
    conflicts = [group for group in again if group[0]["payload"] != group[-1]["payload"]]
    resent = [
        group
        for group in again
        if group[0]["sent_at"] != group[1]["sent_at"] and group[0]["payload"] == group[1]["payload"]
    ]
    late = sum(later < earlier for earlier, later in pairwise(_day(event) for event in events))
    numbers: dict[str, set[int]] = {}
    for event in events:
        numbers.setdefault(event["producer_id"], set()).add(event["sequence"])
    missing = sum(max(seen) + 1 - len(seen) for seen in numbers.values())

    assert len(doubled) > 20
    assert len(resent) > 20
    assert len(conflicts) == 2 * len(TENANTS)
    assert late > 20
    assert 0 < missing < 100


def test_outcomes_resolutions_and_gate_decisions_all_occur(events: list[dict[str, Any]]) -> None:
    """Skipped, failed, empty and found searches; every decision of the gate; combined and rewritten queries."""
    retrievals = _payloads(events, "retrieval")
    searched = [one for one in retrievals if one["outcome"] == "searched"]
    passages = [passage for one in searched for passage in one["passages"]]

    assert {one["outcome"] for one in retrievals} == {"searched", "skipped", "failed"}
    assert any(not one["passages"] for one in searched)
    assert {one["resolution"] for one in searched} == {"as_typed", "combined", "rewritten"}
    assert {turn["gate"]["decision"] for turn in _payloads(events, "turn")} == {
        "skip", "substantive", "follow_up", "correction", "no_need",
    }  # fmt: skip
    assert {passage["kind"] for passage in passages} == {"document", "conversation"}
    assert {None, "__REDACTED__"} <= {passage["text"] for passage in passages}


def test_a_combined_query_is_the_earlier_message_and_this_one(events: list[dict[str, Any]]) -> None:
    """A follow-up is searched as the last substantive message plus the message; a short one is skipped."""
    turns = {(event["tenant"], event["payload"]["turn_id"]): event["payload"] for event in events
             if event["event_type"] == "turn"}  # fmt: skip
    checked = 0
    for event in events:
        if event["event_type"] != "retrieval" or (event["tenant"], event["payload"]["turn_id"]) not in turns:
            continue
        retrieval, turn = event["payload"], turns[event["tenant"], event["payload"]["turn_id"]]
        assert (turn["gate"]["decision"] in {"skip", "no_need"}) == (retrieval["outcome"] == "skipped")
        assert (len(turn["message"]) < 10) == (turn["gate"]["decision"] == "skip")
        earlier = turns.get((event["tenant"], turn["gate"].get("combined_with", "")))
        if earlier is not None and retrieval.get("resolution") == "combined":
            assert retrieval["searched_query"] == f"{earlier['message']} {turn['message']}"
            checked += 1

    assert checked > 300


def test_answers_disclaim_in_every_language_and_more_when_nothing_was_found(events: list[dict[str, Any]]) -> None:
    """Disclaimers are recognised in all four languages, at a share that leaves most answers alone."""
    for tenant in TENANTS:
        turns = _payloads((event for event in events if event["tenant"] == tenant.host), "turn")
        found = Counter(detect(turn["answer"], turn["language"]).disclaimed for turn in turns)

        assert 0.03 < found[True] / len(turns) < 0.2
        assert found["partial"] > 0


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 3}


def _irrelevant_share(events: Iterable[dict[str, Any]], kind: str) -> float:
    """Grade by hand's rule: a passage is irrelevant when it shares no two longer words with the searched query."""
    verdicts = [
        len(_words(passage["text"]) & _words(retrieval["searched_query"])) < 2
        for retrieval in _payloads(events, "retrieval")
        if retrieval.get("resolution") == "combined" or retrieval.get("reason") is None
        for passage in retrieval.get("passages", [])
        if passage["kind"] == kind and passage["text"] not in {None, "__REDACTED__"}
    ]
    return sum(verdicts) / len(verdicts)


def test_documents_of_one_tenant_miss_more_from_day_eleven_to_the_end(events: list[dict[str, Any]]) -> None:
    """The planted rise is there by counting words alone, in documents, for one tenant, and nowhere else."""
    assert [tenant.host for tenant in TENANTS if tenant.rises_on is not None] == ["help.north.example"]
    for tenant in TENANTS:
        own = [event for event in events if event["tenant"] == tenant.host]
        before = [event for event in own if _day(event) < RISE_DAY]
        after = [event for event in own if _day(event) >= RISE_DAY]

        assert 0.15 < _irrelevant_share(before, "document") < 0.42
        if tenant.rises_on is None:
            assert abs(_irrelevant_share(after, "document") - _irrelevant_share(before, "document")) < 0.08
        else:
            assert 0.55 < _irrelevant_share(after, "document") < 0.75
            assert all(
                _irrelevant_share([event for event in after if _day(event) == day], "document") > 0.5
                for day in range(RISE_DAY, DAYS)
            )
        assert abs(_irrelevant_share(after, "conversation") - _irrelevant_share(before, "conversation")) < 0.1


@pytest.mark.parametrize("talk", [tenant.talk for tenant in TENANTS], ids=lambda talk: talk.language)
def test_a_knowledge_base_is_fit_for_grading_by_words(talk: Talk) -> None:
    """Each question shares words with each page of its subject, and almost none with the pages of others."""
    for topic in talk.topics:
        page = _words(" ".join((topic.title, *topic.facts)))
        for question in topic.questions:
            assert len(_words(question) & page) >= 2, question
            strangers = [
                other.title
                for other in talk.topics
                if other is not topic and len(_words(question) & _words(" ".join((other.title, *other.facts)))) >= 2
            ]
            assert len(strangers) <= 1, (question, strangers)


def test_bulk_lines_are_sound_in_order_and_of_real_size() -> None:
    """Benchmarks get sound events with ids of their own, in the order of time, as big as real ones."""
    made = list(generate_bulk(3, 2000, FIRST))

    decoded = [decode(line) for line in made]
    times = [event["occurred_at"] for event in decoded]

    assert len({event["event_id"] for event in decoded}) == 2000
    assert times == sorted(times)
    assert {_day(event) for event in decoded} == {0}
    assert made == list(generate_bulk(3, 2000, FIRST))
    assert 4000 < sum(map(len, made[0::2])) / 1000 < 5000
    assert 550 < sum(map(len, made[1::2])) / 1000 < 750
