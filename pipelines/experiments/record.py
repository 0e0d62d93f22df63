"""A run as it is stored: what was compared on which items, and what became of every item."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from pipelines.errors import NightcheckError
from pipelines.experiments.comparison import DifferentItemsError, Outcome
from pipelines.experiments.result import Cell, IncompleteRunError, Result


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One row of the list of runs."""

    run_id: str
    design: str
    dataset: str
    dataset_hash: str
    control: str
    retriever: str
    judge: str
    harness_version: str
    k: int
    repetitions: int
    expected: int
    completed: int
    started_at: datetime
    finished_at: datetime | None

    @property
    def complete(self) -> bool:
        """Whether every item completed; a run that is not complete is failed."""
        return self.completed == self.expected


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyRecord:
    """A strategy as it was when the run was made."""

    strategy: str
    version: str
    summary: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemRecord:
    """What is kept of an item: where it belongs and what was relevant, nobody's words."""

    item_id: str
    tenant: str
    conversation_id: str
    tags: tuple[str, ...] = ()
    relevant: frozenset[str] = frozenset()

    @property
    def cluster(self) -> str:
        """Return the conversation, which is the unit that is resampled."""
        return f"{self.tenant}/{self.conversation_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRun:
    """A run with all that is known of it."""

    run: RunRecord
    strategies: tuple[StrategyRecord, ...]
    items: tuple[ItemRecord, ...]
    results: Mapping[Cell, Result]
    #: items that a complete, earlier run of another version of the set had
    seen: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredOutcome:
    """What an earlier, complete run said of a strategy on one measure."""

    run_id: str
    dataset_hash: str
    harness_version: str
    strategy: str
    version: str
    measure: str
    outcome: Outcome


class DifferentInstrumentError(NightcheckError):
    """Two runs that were measured with different instruments: their difference may be the instruments'."""

    def __init__(self, one: str, other: str, what: str) -> None:
        super().__init__(
            f"{other} against {one}", f"they differ in their {what}", "Run both strategies in one experiment"
        )


def require_same(one: StoredRun, other: StoredRun, one_name: str, other_name: str) -> None:
    """Raise `DifferentItemsError` or `DifferentInstrumentError` unless two runs can be compared item by item."""
    items, others = ({each.item_id for each in run.items} for run in (one, other))
    if items != others or one.run.dataset_hash != other.run.dataset_hash:
        raise DifferentItemsError(one_name, other_name, sorted(items - others), sorted(others - items))
    for name in ("judge", "retriever", "k", "harness_version"):
        if getattr(one.run, name) != getattr(other.run, name):
            raise DifferentInstrumentError(one_name, other_name, name.replace("_", " "))


def require_complete(stored: StoredRun) -> None:
    """Raise `IncompleteRunError`, with the names of what is missing, unless every expected item completed."""
    if stored.run.complete:
        return
    failed = [
        f"{result.strategy} on {result.item_id} ({result.error})" for result in stored.results.values() if result.error
    ]
    absent = stored.run.expected - len(stored.results)
    missing = failed + ([f"{absent} that were never reached"] if absent else [])
    raise IncompleteRunError(stored.run.run_id, stored.run.expected, stored.run.completed, missing)
