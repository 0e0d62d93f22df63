"""The desk for batches: whatever an endpoint sends is an answer, or trouble that can be told from a mistake of ours."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import openai
import pytest

from pipelines.io.llm_batches import BatchDesk
from schemas.chat import BatchState, BatchTroubleError
from tests.judging.scripted_endpoint import Drip, Reply, Said, ScriptedEndpoint, completion, well

OVER = BatchState(batch_id="b", status="completed", completed=1, total=1, files=("f",))
ACTS: list[Callable[[BatchDesk], Awaitable[Any]]] = [
    lambda desk: desk.submit(b"{}\n", "t"),
    lambda desk: desk.find("t"),
    lambda desk: desk.state("b"),
    lambda desk: desk.replies(OVER),
]


class Odd(ScriptedEndpoint):
    """An endpoint that has one answer to everything about batches."""

    def __init__(self, answer: bytes | Reply) -> None:
        self.answer = answer
        super().__init__(well)

    def route(self, method: str, path: str, body: bytes) -> tuple[int, Any] | Reply:
        """Answer."""
        return (200, self.answer) if isinstance(self.answer, bytes) else self.answer


def done(act: Callable[[BatchDesk], Awaitable[Any]], answer: bytes | Reply, longest: float = 10.0) -> Any:
    """Return what came of an act at the desk of an endpoint that answers so."""

    async def do(address: str) -> Any:
        async with openai.AsyncOpenAI(base_url=address, api_key="k", timeout=10.0, max_retries=0) as client:
            return await act(BatchDesk(client, longest=longest))

    endpoint = Odd(answer)
    try:
        return asyncio.run(do(endpoint.base_url))
    finally:
        endpoint.close()


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize(
    "answer",
    [
        b"not json",
        b'"text"',
        b"[1]",
        b'{"id": 5, "data": [5], "custom_id": 5, "response": 5}',
        b'{"data": [{"metadata": 5}], "id": null, "custom_id": "c", "response": {"status_code": Infinity}}',
        b'{"a":' * 100_000,
    ],
)
def test_an_answer_of_another_shape_is_trouble(act: Callable[[BatchDesk], Awaitable[Any]], answer: bytes) -> None:
    """So the calls in the batch are made one by one, and the night goes on."""
    with pytest.raises(BatchTroubleError):
        done(act, answer)


def test_an_answer_that_never_comes_to_its_end_is_trouble() -> None:
    """However steadily its bytes arrive."""
    with pytest.raises(BatchTroubleError, match=r"^TimeoutError"):
        done(lambda desk: desk.state("b"), Drip(body=b" " * 200, every=0.01), longest=0.3)


def test_nonsense_in_a_line_is_survived_as_in_a_call() -> None:
    """Parts are read, and counts without end are unknown."""
    body = completion(Said(text="")) | {"choices": [{"message": {"content": [{"type": "text", "text": "a"}]}}]}
    line = {"custom_id": "c", "response": {"status_code": 200, "body": body | {"usage": {"prompt_tokens": 10**30}}}}

    replies = done(lambda desk: desk.replies(OVER), json.dumps(line).encode())

    assert (replies["c"].text, replies["c"].tokens.prompt) == ("a", 0)
