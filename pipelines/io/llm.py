"""The only door to language models: any endpoint that speaks OpenAI's chat completions, through the openai client.

Every end of a call is a `Reply`, never an exception. Nothing is retried here: whoever asks decides, in one place.
"""

import asyncio
import importlib.resources
import re
from collections.abc import Mapping
from typing import Any

import openai

from pipelines.io.llm_batches import BatchDesk
from pipelines.io.llm_replies import read_completion, read_error
from schemas.chat import Outcome, Reply

#: times as long as a call: a batch's files are of up to a hundred megabytes
_FILES_TAKE = 10


class ChatEndpoint:
    """One base URL and key. Use it as an async context manager, inside one event loop.

    A call takes `timeout` seconds at most: the client's own time-out starts anew with every byte that comes.
    """

    def __init__(self, *, base_url: str | None, api_key: str, timeout: float) -> None:
        self._timeout = timeout
        self._client = openai.AsyncOpenAI(base_url=base_url, api_key=api_key, timeout=timeout, max_retries=0)

    @property
    def batches(self) -> BatchDesk:
        """Return where batches are handed in."""
        return BatchDesk(self._client, longest=_FILES_TAKE * self._timeout)

    async def __aenter__(self) -> "ChatEndpoint":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def ask(self, body: Mapping[str, Any]) -> Reply:
        """Post one chat completion and return how it ended."""
        try:
            async with asyncio.timeout(self._timeout):
                answer = await self._client.post("/chat/completions", cast_to=object, body=dict(body))
            return read_completion(answer)
        except openai.APIStatusError as error:
            return read_error(error.status_code, error.code, error.response.headers)
        except (TimeoutError, openai.APITimeoutError):
            return Reply(outcome=Outcome.UNAVAILABLE, detail="timed out")
        except (openai.OpenAIError, ValueError, RecursionError) as error:
            return Reply(outcome=Outcome.UNAVAILABLE, detail=f"no complete answer ({type(error).__name__})")


_SHUTDOWN = re.compile(r'^- ((?:"[^"]+",?\s+)*"[^"]+"): Announced shutdown date: (\d{4}-\d\d-\d\d)', re.MULTILINE)


def announced_shutdowns() -> dict[str, str]:
    """Return the models whose end the installed openai client announces, each with its date.

    The client says so in the documentation of its list of models, and nowhere that a program could read; so an empty
    answer means that nothing was found there, not that no model ends.
    """
    source = importlib.resources.files("openai.types.shared").joinpath("chat_model.py").read_text("utf-8")
    joined = re.sub(r"\n  ", " ", source)
    return {model: found[2] for found in _SHUTDOWN.finditer(joined) for model in re.findall(r'"([^"]+)"', found[1])}
