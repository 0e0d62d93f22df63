"""The door to language models: whatever an endpoint sends, a call ends as a `Reply`."""

import asyncio
import json
from typing import Any

import pytest

from pipelines.io.llm import ChatEndpoint
from pipelines.io.llm_replies import read_completion, read_error, read_error_body
from schemas.chat import Outcome, Tokens
from schemas.chat import Reply as Ended
from tests.judging.scripted_endpoint import Drip, Failed, Garbage, Reply, Said, completion, scripted

GOOD = completion(Said(text="{}"))
QUESTION = {"model": "m", "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]}


def a_body(content: Any, **other: Any) -> dict[str, Any]:
    """Return a chat completion with this content."""
    return GOOD | {"choices": [{"message": {"content": content}, "finish_reason": "stop"}]} | other


def asked(reply: Reply, *, timeout: float = 10.0) -> Ended:
    """Return how one call ended at an endpoint that replies so."""

    async def ask(address: str) -> Ended:
        async with ChatEndpoint(base_url=address, api_key="k", timeout=timeout) as endpoint:
            return await endpoint.ask(QUESTION)

    with scripted(lambda _: reply) as endpoint:
        return asyncio.run(ask(endpoint.base_url))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("a", "a"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        ([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "a"}], "a"),
        ([{"type": "text", "text": 5}, {"type": "text"}, "a", None, []], ""),
        ("half a \ud83d", "half a ?"),
        ([{"type": "text", "text": "half a \ud83d"}], "half a ?"),
        (None, ""),
        ({"need": "n"}, ""),
        (5, ""),
        (True, ""),
    ],
)
def test_the_text_of_an_answer_is_text(content: object, text: str) -> None:
    """A list of parts is read as the text in it; what is no text was answered and paid for, and holds nothing."""
    reply = read_completion(a_body(content))

    assert (reply.outcome, reply.text, reply.tokens.prompt) == (Outcome.ANSWERED, text, 1_000)


@pytest.mark.parametrize("name", [5, ["m"], {"m": 1}, None, True])
def test_names_are_text_or_unknown(name: object) -> None:
    """The model's name and its configuration's are stored as text."""
    reply = read_completion(a_body("a", model=name, system_fingerprint=name))

    assert (reply.outcome, reply.model, reply.fingerprint) == (Outcome.ANSWERED, None, None)
    assert read_completion(a_body("a", model="m-\udfff")).model == "m-?"


@pytest.mark.parametrize(
    "usage",
    [
        *({"prompt_tokens": count} for count in (10**30, 2**63 - 1, 2**31, -1, 1.5, "7", True, None, [1])),
        {"prompt_tokens_details": 5},
        {"prompt_tokens_details": {"cached_tokens": 10**30}},
        [],
        [5],
        5,
        "many",
        None,
    ],
)
def test_a_count_that_is_none_is_unknown(usage: object) -> None:
    """What no call can have used does not count, and costs the answer nothing."""
    reply = read_completion(a_body("a", usage=usage))

    assert (reply.outcome, reply.text, reply.tokens) == (Outcome.ANSWERED, "a", Tokens())


@pytest.mark.parametrize(
    "body", [b"[" * 100_000, b'{"a":' * 100_000, b"\xff", b"9" * 5_000, b'"\\ud800"', b"null", b""]
)
@pytest.mark.parametrize("status", [200, 400, 500])
def test_no_body_ends_a_call_with_an_exception(body: bytes, status: int) -> None:
    """Endless nesting, bytes that are no text, numbers without end: an endpoint that is broken."""
    reply = asked(Garbage(body=body, status=status))

    assert reply.outcome is (Outcome.REJECTED if status == 400 else Outcome.UNAVAILABLE)


def test_no_error_ends_a_call_with_an_exception() -> None:
    """Its code is text that can be stored, and a date from beyond the calendar asks for nothing."""
    beyond = "Mon, 30 Nov 2026 06:00:00 +999999999999999999"

    assert asked(Failed(status=503, headers={"retry-after": beyond, "date": beyond})).retry_after is None
    assert asked(Failed(status=400, code="\ud800")).detail == "HTTP 400 ?"
    assert read_error(503, "\ud800", {}).detail == "HTTP 503 ?"
    assert read_error_body(400, {"error": {"code": 7}}).detail == "HTTP 400 7"


def test_an_answer_that_never_comes_to_its_end_is_timed_out() -> None:
    """However steadily its bytes arrive: the time is that of the call, not of each read."""
    reply = asked(Drip(body=json.dumps(GOOD).encode(), every=0.02), timeout=0.5)

    assert (reply.outcome, reply.detail) == (Outcome.UNAVAILABLE, "timed out")
