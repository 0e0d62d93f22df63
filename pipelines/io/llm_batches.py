"""The door to the provider's batches: many calls handed in as a file, answered within a day at a lower price."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import openai
from openai.types import Batch

from pipelines.io.llm_replies import read_completion, read_error_body
from schemas.chat import BatchState, BatchTroubleError, Reply

_TAG = "nightcheck"
#: how many of the account's latest batches are looked through for one that was submitted and not noted
_LOOKED_THROUGH = 300


class BatchDesk:
    """Hands batches in and fetches answers. Every method raises `BatchTroubleError` where the endpoint will not."""

    def __init__(self, client: openai.AsyncOpenAI, *, longest: float) -> None:
        """Take the seconds that any of this may take, however steadily bytes arrive."""
        self._client = client
        self._longest = longest

    async def exists(self) -> bool:
        """Say whether the endpoint has batches at all."""
        try:
            async with self._trouble():
                await self._client.batches.list(limit=1)
        except BatchTroubleError:
            return False
        return True

    async def submit(self, lines: bytes, tag: str) -> str:
        """Hand a batch in and return its id."""
        async with self._trouble():
            file = await self._client.files.create(file=(f"{tag}.jsonl", lines), purpose="batch")
            batch = await self._client.batches.create(
                completion_window="24h",
                endpoint="/v1/chat/completions",
                input_file_id=file.id,
                metadata={_TAG: tag},
            )
            return _text(batch.id)

    async def find(self, tag: str) -> str | None:
        """Return the id of the batch that was handed in under a tag, unless it came to nothing."""
        seen = 0
        async with self._trouble():
            async for batch in self._client.batches.list(limit=100):
                seen += 1
                if (batch.metadata or {}).get(_TAG) == tag and not (_state(batch).over and not _state(batch).files):
                    return batch.id
                if seen >= _LOOKED_THROUGH:
                    break
        return None

    async def state(self, batch_id: str) -> BatchState:
        """Return how far a batch is."""
        async with self._trouble():
            return _state(await self._client.batches.retrieve(batch_id))

    async def cancel(self, batch_id: str) -> None:
        """Stop a batch; what is answered by then stays."""
        async with self._trouble():
            await self._client.batches.cancel(batch_id)

    async def replies(self, state: BatchState) -> dict[str, Reply]:
        """Return the answers of a batch by the ids of the calls."""
        found: dict[str, Reply] = {}
        for file_id in state.files:
            async with self._trouble():
                content = await self._client.files.content(file_id)
            for line in content.content.splitlines():
                if line.strip():
                    call_id, reply = _read_line(line)
                    found[call_id] = reply
        return found

    @asynccontextmanager
    async def _trouble(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self._longest):
                yield
        except (openai.OpenAIError, TimeoutError, ValueError, TypeError, AttributeError, RecursionError) as error:
            # The client takes an answer of any shape for what it asked for, so that only its use is an error.
            message = type(error).__name__
            raise BatchTroubleError(message) from error


def _state(batch: Batch) -> BatchState:
    counts = batch.request_counts
    return BatchState(
        batch_id=_text(batch.id),
        status=_text(batch.status),
        completed=counts.completed if counts else 0,
        total=counts.total if counts else 0,
        files=tuple(one for one in (batch.output_file_id, batch.error_file_id) if one),
    )


def _text(value: object) -> str:
    if not isinstance(value, str):
        message = "no text"
        raise TypeError(message)
    return value


def _read_line(line: bytes) -> tuple[str, Reply]:
    try:
        answer: Any = json.loads(line)
        call_id, response = str(answer["custom_id"]), answer.get("response") or {}
        status = int(response.get("status_code") or 500)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        message = "a line of a batch's answers cannot be read"
        raise BatchTroubleError(message) from error
    body = response.get("body")
    return call_id, read_completion(body) if status == 200 else read_error_body(status, body)
