"""retrieval: one search with what it returned, or the stated reason why there was none."""

from typing import Literal

from schemas.events.envelope import Envelope, Payload
from schemas.events.scalars import Count, Identifier, Instant, Milliseconds, Name, Rank

Outcome = Literal["searched", "skipped", "failed"]
Resolution = Literal["as_typed", "combined", "rewritten", "keywords", "structured"]
PassageKind = Literal["conversation", "document", "graph"]

#: what an application puts in the place of a passage's text that it hides; the same as null
REDACTED = "__REDACTED__"


class Keywords(Payload, frozen=True, gc=False, omit_defaults=True):
    """Keyword lists that were searched beside the query."""

    high_level: tuple[str, ...] = ()
    low_level: tuple[str, ...] = ()


class Window(Payload, frozen=True, gc=False, omit_defaults=True):
    """The half-open time span that the question named."""

    start: Instant
    end: Instant

    def __post_init__(self) -> None:
        """A span that ends before it starts is none."""
        if self.end < self.start:
            raise ValueError("`end` is before `start`")


class Pin(Payload, frozen=True, gc=False, omit_defaults=True):
    """An item that was shown before any passage."""

    item_id: Identifier
    item_type: Name
    text: str | None = None
    at: Instant | None = None


class Passage(Payload, frozen=True, gc=False, omit_defaults=True):
    """One retrieved text. `text` is null (or `__REDACTED__`) where the application hides it."""

    passage_id: Identifier
    kind: PassageKind
    text: str | None
    rank: Rank
    score: float | None = None
    title: str | None = None
    source_id: Identifier | None = None
    source_date: str | None = None
    channel: Name | None = None


class RetrievalPayload(Payload, frozen=True, gc=False, omit_defaults=True):
    """Skipped is not empty: a skipped or failed search has no list of passages, one that found nothing an empty one."""

    retrieval_id: Identifier
    turn_id: Identifier
    outcome: Outcome
    reason: Name | None = None
    message: str | None = None
    searched_query: str | None = None
    resolution: Resolution | None = None
    keywords: Keywords | None = None
    channels: tuple[Name, ...] = ()
    k: Count | None = None
    latency_ms: Milliseconds | None = None
    window: Window | None = None
    pins: tuple[Pin, ...] = ()
    passages: tuple[Passage, ...] | None = None

    def __post_init__(self) -> None:
        """Hold the outcome and what must come with it together."""
        if self.outcome == "searched":
            if self.searched_query is None:
                raise ValueError("`searched_query` is required when searched")
            if self.passages is None:
                raise ValueError("`passages` is required when searched, and empty when nothing was found")
            return
        if self.reason is None:
            raise ValueError(f"`reason` is required when {self.outcome}")
        if self.passages is not None:
            raise ValueError(f"`passages` must be absent when {self.outcome}")


class Retrieval(Envelope, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag="retrieval"):
    """One retrieval. It belongs to a conversation, so that field is required here."""

    conversation_id: Identifier
    payload: RetrievalPayload
