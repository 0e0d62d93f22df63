"""A model whose answers were recorded with the items, such as a benchmark's stored rewrites."""

from collections.abc import Sequence

from pipelines.errors import NightcheckError, UsageError
from pipelines.experiments.datasets.item import Item
from pipelines.experiments.strategies.plan import Completion, Prompt


class NoRecordError(NightcheckError):
    """An item has no recorded text of the name that a strategy asks for."""

    def __init__(self, item_id: str, name: str) -> None:
        super().__init__(f"item {item_id}", f"it has no recorded text {name!r}", "Record it, or ask a model")


class Recorded:
    """Answers with the items' recorded texts of the given names, one a line; costs neither tokens nor time.

    An item that has none of them is answered with its message where `or_message` is set: what a pipeline searches that
    falls back on the message when the rewrite is missing.
    """

    def __init__(self, names: Sequence[str], *, or_message: bool = True) -> None:
        self._names = tuple(names)
        self._or_message = or_message

    @property
    def name(self) -> str:
        """Return the names of the recorded texts."""
        return "recorded:" + ",".join(self._names)

    async def complete(self, prompt: Prompt) -> Completion:
        """Return what was recorded; raises `NoRecordError` where nothing was and nothing may stand in."""
        recorded = prompt.item.recorded
        found = [recorded[name] for name in self._names if name in recorded]
        if not found and not self._or_message:
            raise NoRecordError(prompt.item.item_id, ", ".join(self._names))
        return Completion(text="\n".join(found or [prompt.item.message]))


def names_recorded(items: Sequence[Item]) -> tuple[str, ...]:
    """Return the names of all recorded texts, in alphabetical order."""
    return tuple(sorted({name for item in items for name in item.recorded}))


def require_recorded(items: Sequence[Item], names: Sequence[str]) -> None:
    """Raise `UsageError` for a name under which no item has a text."""
    known = names_recorded(items)
    for name in names:
        if name not in known:
            raise UsageError(f"recorded:{name}", "no item has it", f"There are: {', '.join(known) or 'none'}")
