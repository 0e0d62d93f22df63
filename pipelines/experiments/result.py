"""What became of one item under one strategy."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from pipelines.errors import NightcheckError
from pipelines.experiments.retrievers.query import Query

#: strategy, item, repetition
Cell = tuple[str, str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One cell of a run. `error` says why it has not completed; `unscored` why a completed one has no scores.

    `input_hash` is the digest of what was searched: equal to the control's where the strategy declined.
    """

    strategy: str
    item_id: str
    repetition: int = 0
    error: str | None = None
    unscored: str | None = None
    input_hash: str = ""
    fired: bool = False
    skipped: bool = False
    passage_ids: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    calls: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_ms: float | None = None
    scores: dict[str, float | None] = field(default_factory=dict)

    @property
    def cell(self) -> Cell:
        """Return its place in the run."""
        return self.strategy, self.item_id, self.repetition


class IncompleteRunError(NightcheckError):
    """A run that misses items, which says nothing about any strategy."""

    def __init__(self, run_id: str, expected: int, completed: int, missing: Sequence[str]) -> None:
        named = "; ".join(missing[:5]) + (f"; and {len(missing) - 5} more" if len(missing) > 5 else "")
        super().__init__(
            f"run {run_id}",
            f"failed: {completed} of {expected} completed, missing {named}",
            "Run the same experiment again: only what is missing is paid for",
        )
        self.missing = tuple(missing)


def input_hash(queries: Sequence[Query]) -> str:
    """Return the digest of what is searched: texts and keywords, in order."""
    digest = hashlib.sha256()
    for query in queries:
        lists = (query.keywords.high_level, query.keywords.low_level) if query.keywords else ((), ())
        for part in (query.text, "\x1f".join(lists[0]), "\x1f".join(lists[1])):
            digest.update(f"{part}\x1e".encode())
    return digest.hexdigest()[:16]
