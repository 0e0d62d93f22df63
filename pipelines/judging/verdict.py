"""What a judge is given and what it answers. Knows nothing of how a judge works or where verdicts are stored."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class Status(StrEnum):
    """Why there is a grade, or why there is none. A missing grade is never a zero."""

    JUDGED = "judged"
    #: nothing to judge: the passage's text is empty
    EMPTY = "empty"
    #: the application hides the passage's text
    REDACTED = "redacted"
    #: the visitor's turn asked for nothing that a search could answer: a class of its own, without grades
    NOT_NEEDED = "not_needed"
    #: the model declined to judge
    REFUSED = "refused"
    #: the model's answer was cut off at its token limit
    TRUNCATED = "truncated"
    #: the model's answer did not fit the rubric's schema, also after a second try
    MALFORMED = "malformed"
    #: the endpoint kept answering "too many requests"
    RATE_LIMITED = "rate_limited"
    #: the endpoint could not be reached or failed, also after retries
    UNAVAILABLE = "unavailable"
    #: the night's budget ended before this retrieval's turn came
    OVER_BUDGET = "over_budget"
    #: people voted both ways (a file of labels)
    DISPUTED = "disputed"
    #: nobody voted (a file of labels)
    UNLABELLED = "unlabelled"

    @property
    def final(self) -> bool:
        """Whether judging the same thing again would only give the same status, so that a re-run leaves it alone."""
        return self not in _TO_BE_TRIED_AGAIN


_TO_BE_TRIED_AGAIN = frozenset({Status.RATE_LIMITED, Status.UNAVAILABLE, Status.OVER_BUDGET})


#: a passage is irrelevant at this grade and useful from the other on
IRRELEVANT = 0
USEFUL = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One side's words in the conversation before the turn that is judged."""

    role: str  # "visitor" or "assistant"
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageToJudge:
    """One retrieved passage as the agent saw it. `text` is None where the application hides it."""

    rank: int
    passage_id: str
    kind: str
    text: str | None
    title: str | None = None
    source_date: str | None = None


#: what the wire contract writes in place of a text that the application hides
REDACTED_TEXT = "__REDACTED__"


def hidden_status(passage: PassageToJudge) -> Status | None:
    """Say why a passage has nothing to judge, or None where it has: such a passage is never sent to a judge."""
    if passage.text is None or passage.text.strip() == REDACTED_TEXT:
        return Status.REDACTED
    return None if passage.text.strip() else Status.EMPTY


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalToJudge:
    """One sampled retrieval: what was searched, what the visitor said, and what came back in rank order."""

    tenant: str
    retrieval_id: str
    searched_query: str
    message: str
    conversation: tuple[Utterance, ...]
    passages: tuple[PassageToJudge, ...]
    #: the stratum it was drawn from, so that a budget that ends stops in all strata alike; no judge's model sees it
    stratum: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageVerdict:
    """The grades of one passage, or the status that says why there are none (then both grades are None)."""

    rank: int
    passage_id: str
    status: Status
    query_grade: int | None = None
    need_grade: int | None = None
    evidence: str | None = None


def status_of_set(passages: Sequence[PassageVerdict]) -> Status:
    """Return the status of a retrieval whose passages have theirs.

    As long as any may still get its grade, that one's status is the whole's, so that a re-run asks again; then it is
    judged if any passage is, else why the first is not.
    """
    statuses = [passage.status for passage in passages]
    still_open = [status for status in statuses if not status.final]
    if still_open:
        return still_open[0]
    return Status.JUDGED if Status.JUDGED in statuses or not statuses else statuses[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens that one retrieval's verdict took, over all its calls, and what they cost by the price table."""

    calls: int = 0
    prompt_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeIdentity:
    """Which instrument measured: rates of different identities are not comparable without saying so."""

    judge: str  # "lexical", "openai", "labels"
    model: str
    rubric_version: str
    prompt_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalVerdict:
    """The verdict on one retrieval: one entry per passage in rank order, and the set as a whole.

    `needs_retrieval` is False where the turn asked for nothing that a search could answer; such a retrieval is a class
    of its own and enters no rate. `sufficient` says whether the passages together let one answer; None where the judge
    does not say.
    """

    tenant: str
    retrieval_id: str
    status: Status
    passages: tuple[PassageVerdict, ...]
    need: str | None = None
    needs_retrieval: bool | None = None
    sufficient: bool | None = None
    usage: Usage = field(default_factory=Usage)
    response_model: str | None = None
    detail: str | None = None


class Judge(Protocol):
    """Grades retrievals. Verdicts come in whatever order they are ready, exactly one for each retrieval given."""

    @property
    def identity(self) -> JudgeIdentity:
        """Return what goes on every verdict of this judge."""
        ...

    def judge(self, retrievals: Sequence[RetrievalToJudge]) -> AsyncIterator[RetrievalVerdict]:
        """Judge each retrieval; failures of single ones are verdicts with a status, never exceptions."""
        ...
