"""The door to a retriever of the user's own: an HTTP service that answers a query with passages."""

from collections.abc import Mapping
from typing import Any

import httpx
import msgspec

from pipelines.errors import NightcheckError


class FoundPassage(msgspec.Struct, frozen=True):
    """One passage of an answer, as in the passages of a retrieval event; the list is in rank order."""

    passage_id: str
    text: str
    score: float = 0.0
    title: str | None = None
    kind: str = "document"
    source_date: str | None = None
    channel: str | None = None


class _Answer(msgspec.Struct):
    passages: list[FoundPassage]


class SearchError(NightcheckError):
    """The retriever gave no answer that can be read."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"retriever {url}", reason, 'It must answer {"passages": [{"passage_id": …, "text": …}, …]}')


class SearchEndpoint:
    """One URL. Use it as an async context manager, inside one event loop."""

    def __init__(self, url: str, *, timeout: float = 30.0) -> None:
        self._url = url
        self._client = httpx.AsyncClient(timeout=timeout)
        self._decoder = msgspec.json.Decoder(_Answer)

    async def __aenter__(self) -> "SearchEndpoint":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.aclose()

    async def search(self, body: Mapping[str, Any]) -> list[FoundPassage]:
        """Post the query and return the passages in rank order; raises `SearchError`."""
        try:
            answer = await self._client.post(self._url, json=dict(body))
            answer.raise_for_status()
            return self._decoder.decode(answer.content).passages
        except httpx.HTTPError as error:
            raise SearchError(self._url, f"{type(error).__name__}: {error}") from error
        except (ValueError, RecursionError) as error:
            raise SearchError(self._url, f"its answer cannot be read ({error})") from error
