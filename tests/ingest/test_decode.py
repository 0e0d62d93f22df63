"""Bytes become an event or a rejection with a reason code, a path and words."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.ingest.decode import Limits, Reason, Rejection, content_digest, decode
from schemas.events import Event, Retrieval, Turn

TURN: dict[str, Any] = {
    "event_id": "0192f0c1-8a4e-7c3a-9d52-2f6f0f3d7a10",
    "event_type": "turn",
    "schema_version": 1,
    "tenant": "help.example.com",
    "environment": "production",
    "occurred_at": "2026-11-29T23:59:58.120+01:00",
    "conversation_id": "c-1",
    "payload": {"turn_id": "t-1", "turn_index": 0, "message": "Which plans include SSO?"},
}
SEARCHED: dict[str, Any] = TURN | {
    "event_type": "retrieval",
    "payload": {
        "retrieval_id": "r-1",
        "turn_id": "t-1",
        "outcome": "searched",
        "searched_query": "Which plans include SSO?",
        "passages": [{"passage_id": "d-1", "kind": "document", "text": "The Team plan.", "rank": 1, "score": 3.5}],
    },
}


def encoded(event: dict[str, Any], path: str = "", value: Any = None) -> bytes:
    """Return the event as bytes, with the field at `path` set to `value`, or removed where `value` is `...`."""
    changed = copy.deepcopy(event)
    *parents, last = path.split(".") if path else [""]
    place: Any = changed
    for parent in parents:
        place = place[int(parent)] if isinstance(place, list) else place[parent]
    if value is ...:
        del place[last]
    elif last:
        place[last] = value
    return json.dumps(changed).encode()


def accepted(raw: bytes) -> Event:
    """Decode what must be an event."""
    event = decode(raw)
    assert not isinstance(event, Rejection), event
    return event


def rejected(raw: bytes, limits: Limits | None = None) -> Rejection:
    """Decode what must not be an event."""
    rejection = decode(raw) if limits is None else decode(raw, limits)
    assert isinstance(rejection, Rejection), rejection
    return rejection


def test_a_turn_and_a_retrieval_are_read() -> None:
    """The two main types come out typed, with their texts as they were."""
    turn, retrieval = accepted(encoded(TURN)), accepted(encoded(SEARCHED))

    assert isinstance(turn, Turn)
    assert turn.payload.message == "Which plans include SSO?"
    assert isinstance(retrieval, Retrieval)
    assert retrieval.payload.passages is not None
    assert retrieval.payload.passages[0].score == 3.5


@pytest.mark.parametrize(
    ("path", "value", "reason", "where"),
    [
        ("event_id", "7", Reason.OUT_OF_RANGE, "$.event_id"),
        ("event_id", ..., Reason.MISSING_FIELD, "$"),
        ("event_type", "purchase", Reason.UNKNOWN_EVENT_TYPE, "$.event_type"),
        ("schema_version", 2, Reason.UNSUPPORTED_VERSION, "$.schema_version"),
        ("schema_version", "1", Reason.WRONG_TYPE, "$.schema_version"),
        ("tenant", "https://help.example.com", Reason.INVALID_TENANT, "$.tenant"),
        ("environment", "", Reason.OUT_OF_RANGE, "$.environment"),
        ("environment", "*", Reason.OUT_OF_RANGE, "$.environment"),
        (
            "payload.gate",
            {"decision": "skip", "reason": "*", "version": "1"},
            Reason.OUT_OF_RANGE,
            "$.payload.gate.reason",
        ),
        ("occurred_at", "2026-11-29T23:59:58", Reason.WRONG_TYPE, "$.occurred_at"),
        ("occurred_at", "0001-01-01T00:00:00+14:00", Reason.OUT_OF_RANGE, "$.occurred_at"),
        ("conversation_id", ..., Reason.MISSING_FIELD, "$"),
        ("producer_id", "web-1", Reason.INCONSISTENT, "$"),
        ("payload", [], Reason.WRONG_TYPE, "$.payload"),
        ("payload.turn_index", -1, Reason.OUT_OF_RANGE, "$.payload.turn_index"),
        ("payload.turn_index", 1.5, Reason.WRONG_TYPE, "$.payload.turn_index"),
        ("payload.turn_index", 2**40, Reason.OUT_OF_RANGE, "$.payload.turn_index"),
        ("payload.message", None, Reason.WRONG_TYPE, "$.payload.message"),
        ("payload.language", "english please", Reason.OUT_OF_RANGE, "$.payload.language"),
        (
            "payload.gate",
            {"decision": "maybe", "reason": "x", "version": "1"},
            Reason.OUT_OF_RANGE,
            "$.payload.gate.decision",
        ),
    ],
)
def test_what_does_not_fit_is_rejected_with_its_place(path: str, value: Any, reason: Reason, where: str) -> None:
    """Every kind of misfit has its code, and the path says where it is."""
    rejection = rejected(encoded(TURN, path, value))

    assert (rejection.reason, rejection.path) == (reason, where)
    assert rejection.message


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("payload.searched_query", ...),
        ("payload.passages", ...),
        ("payload.outcome", "skipped"),
        ("payload.window", {"start": "2026-10-02T00:00:00Z", "end": "2026-10-01T00:00:00Z"}),
    ],
)
def test_an_outcome_and_what_comes_with_it_must_agree(path: str, value: Any) -> None:
    """Searched has a query and a list; skipped and failed have a reason and no list."""
    assert rejected(encoded(SEARCHED, path, value)).reason is Reason.INCONSISTENT


def test_a_skipped_search_has_a_reason_and_no_list() -> None:
    """Skipped is not empty: the same event with an empty list is refused."""
    skipped = SEARCHED | {"payload": {"retrieval_id": "r", "turn_id": "t", "outcome": "skipped", "reason": "short"}}

    assert isinstance(accepted(encoded(skipped)), Retrieval)
    assert rejected(encoded(skipped, "payload.passages", [])).reason is Reason.INCONSISTENT


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", Reason.SYNTAX),
        (b"[]", Reason.NOT_AN_OBJECT),
        (b"3", Reason.NOT_AN_OBJECT),
        (b"[1,]", Reason.SYNTAX),
        (encoded(TURN)[:-1], Reason.SYNTAX),
        (encoded(TURN) + b"{}", Reason.SYNTAX),
        (encoded(TURN).replace(b'"turn_index": 0', b'"turn_index": NaN'), Reason.SYNTAX),
        (encoded(SEARCHED).replace(b"3.5", b"1e999"), Reason.OUT_OF_RANGE),
        (encoded(TURN).replace(b"Which", b"Whi\xffch"), Reason.NOT_UTF8),
        (encoded(TURN | {"unknown": "x"}).replace(b'"x"', b'"\xff"'), Reason.NOT_UTF8),
        (b"[" * 100_000, Reason.TOO_DEEP),
        (encoded(TURN).replace(b'"c-1"', b"[" * 70 + b"]" * 70), Reason.TOO_DEEP),
    ],
)
def test_bytes_that_are_no_json_object_are_rejected(raw: bytes, reason: Reason) -> None:
    """Syntax, encoding, numbers that are none and depth each have their code."""
    assert rejected(raw).reason is reason


def test_brackets_inside_a_text_are_not_depth() -> None:
    """A message full of brackets is a message."""
    assert isinstance(accepted(encoded(TURN, "payload.message", '[{"' * 500)), Turn)


def test_a_record_over_the_limit_is_rejected_by_its_size() -> None:
    """The size limit is checked before anything is parsed."""
    assert rejected(encoded(TURN), Limits(max_bytes=10)).reason is Reason.TOO_LARGE


def test_unknown_fields_are_no_fault() -> None:
    """A newer client that says more is read like an older one."""
    assert isinstance(accepted(encoded(TURN | {"future": {"a": [1, 2]}})), Turn)


def test_ids_and_tenants_are_normalised() -> None:
    """Upper case in an id or a host name does not make another event."""
    event = accepted(encoded(TURN | {"event_id": TURN["event_id"].upper(), "tenant": "Help.Example.COM"}))

    assert (event.event_id, event.tenant) == (TURN["event_id"], "help.example.com")


def test_a_resent_event_has_the_same_digest_and_other_content_another() -> None:
    """Times of delivery and the spelling of an instant do not count as content; everything else does."""
    first = content_digest(accepted(encoded(TURN)))
    resent = content_digest(
        accepted(
            encoded(
                TURN
                | {
                    "sent_at": "2026-11-30T00:00:00Z",
                    "received_at": "2026-11-30T00:00:01Z",
                    "occurred_at": "2026-11-29T22:59:58.12Z",
                }
            )
        )
    )
    other = content_digest(accepted(encoded(TURN, "payload.message", "Which plans include SSO")))

    assert first == resent
    assert first != other


def test_the_json_torture_set_is_told_apart(shared_data: Path) -> None:
    """No file crashes the decoder; `y_` fails for its contract and `n_` for its syntax, size or encoding."""
    files = sorted((shared_data / "jsontestsuite").glob("*/*"))
    broken = {Reason.SYNTAX, Reason.NOT_UTF8, Reason.TOO_DEEP}

    reasons = {file.name: rejected(file.read_bytes()).reason for file in files}

    assert len(files) >= 340
    assert [n for n, reason in reasons.items() if n.startswith("y_") and reason in broken] == []
    assert [n for n, reason in reasons.items() if n.startswith("n_") and reason not in broken] == []


@pytest.mark.property
@given(st.binary(max_size=300))
def test_no_bytes_crash_the_decoder(raw: bytes) -> None:
    """Any bytes are answered with an event or a rejection."""
    assert isinstance(decode(raw), Rejection)
