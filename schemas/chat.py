"""What a chat endpoint answers, told apart by what to do about it. Shared by the door that asks and those who asked."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

from msgspec import Meta

#: more than any call can use: a count beyond it is none
MOST_TOKENS = 2**31 - 1
Count = Annotated[int, Meta(ge=0, le=MOST_TOKENS)]


class Outcome(StrEnum):
    """How one call ended."""

    #: the model finished its answer
    ANSWERED = "answered"
    #: the model stopped at its token limit
    TRUNCATED = "truncated"
    #: the model, or a filter before or behind it, declined
    REFUSED = "refused"
    #: the endpoint said "too many requests"
    RATE_LIMITED = "rate_limited"
    #: no connection, a time-out, a broken answer, or an error on the endpoint's side
    UNAVAILABLE = "unavailable"
    #: the endpoint understood and will not: asking the same again is pointless
    REJECTED = "rejected"
    #: the key, the address or the model is wrong: no call will work
    MISCONFIGURED = "misconfigured"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """Tokens that one call was billed for, as the endpoint counts them.

    `cached` and `cache_write` are parts of `prompt`, not additions to it (OpenAI's `usage.prompt_tokens_details`).
    """

    prompt: Count = 0
    cached: Count = 0
    cache_write: Count = 0
    completion: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One call's end. `text` is set where the outcome is answered, or truncated; tokens wherever they were billed."""

    outcome: Outcome
    text: str = ""
    tokens: Tokens = field(default_factory=Tokens)
    model: str | None = None
    fingerprint: str | None = None
    http_status: int | None = None
    #: seconds that the endpoint asked to wait
    retry_after: float | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchState:
    """How far a batch of calls is (OpenAI's `/v1/batches`)."""

    batch_id: str
    status: str
    completed: int
    total: int
    #: files with answers, and with the errors of calls that failed; there may be answers in a batch that did not finish
    files: tuple[str, ...]

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.status in {"completed", "failed", "expired", "cancelled"}


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchRecord:
    """What is remembered of a batch, so that a run that was killed finds it again instead of paying for another."""

    #: names the batch at the provider too, from before it has an id there
    tag: str
    call_ids: tuple[str, ...]
    submitted_at: str
    batch_id: str | None = None


class BatchTroubleError(Exception):
    """The endpoint could not do something about a batch; the calls in it can be made one by one."""
