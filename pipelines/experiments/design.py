"""What one experiment is: which items, which strategies, searched and scored how; and when two of them are the same."""

from collections.abc import Iterator
from dataclasses import dataclass

from pipelines.errors import UsageError
from pipelines.experiments.datasets.item import Item
from pipelines.experiments.fingerprint import fingerprint
from pipelines.experiments.strategies import Strategy

#: the code between a strategy's plan and a published figure; changing it puts every favourable result in doubt
_HARNESS = (
    "pipelines.experiments.comparison",
    "pipelines.experiments.design",
    "pipelines.experiments.metrics",
    "pipelines.experiments.result",
    "pipelines.experiments.retrievers",
    "pipelines.experiments.run",
    "pipelines.experiments.statistics",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """One experiment, before it is run.

    With `floor` the control runs once more than the others, so that what moves when nothing is changed is measured.
    `judge` names the instrument with its rubric, or is `qrels`.
    """

    dataset: str
    dataset_hash: str
    items: tuple[Item, ...]
    strategies: tuple[Strategy, ...]
    control: str
    retriever: str
    judge: str
    k: int = 10
    repetitions: int = 1
    floor: bool = True

    def __post_init__(self) -> None:
        """Refuse a design whose comparison would mean nothing."""
        names = [each.name for each in self.strategies]
        if self.control not in names:
            raise UsageError("the design", f"the control {self.control!r} is not among the strategies", "Add it")
        if len(set(names)) != len(names):
            raise UsageError("the design", "a strategy is named twice", "Name each once")
        if len({each.item_id for each in self.items}) != len(self.items) or not self.items:
            raise UsageError("the design", "items must be there, each once", "Check the set")

    @property
    def harness_version(self) -> str:
        """Return the digest of the harness: its code, instrument, retriever, depth and items."""
        return fingerprint(_HARNESS, self.judge, self.retriever, self.dataset_hash, str(self.k))

    @property
    def digest(self) -> str:
        """Return what is equal for two runs of the same experiment."""
        strategies = [f"{each.name}@{each.version}" for each in self.strategies]
        return fingerprint((), self.harness_version, self.control, str(self.repetitions), str(self.floor), *strategies)

    def passes(self) -> Iterator[tuple[Strategy, int]]:
        """Yield every strategy with every repetition, the control first."""
        ordered = sorted(self.strategies, key=lambda each: each.name != self.control)
        for strategy in ordered:
            extra = self.floor and self.repetitions == 1 and strategy.name == self.control
            for repetition in range(self.repetitions + extra):
                yield strategy, repetition

    @property
    def expected(self) -> int:
        """Return how many results the run must have."""
        return len(self.items) * sum(1 for _ in self.passes())
