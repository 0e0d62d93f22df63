"""A guard over what a judge is shown: nothing may tell the strategies apart."""

from dataclasses import replace

from pipelines.errors import NightcheckError
from pipelines.judging.verdict import PassageToJudge, RetrievalToJudge


class AnnotatedDisplayError(NightcheckError):
    """A judge would have seen which strategy it scores."""

    def __init__(self, strategy: str, item_id: str, what: str) -> None:
        super().__init__(
            f"strategy {strategy}, item {item_id}",
            f"the judge would be shown another {what} than for the strategies before it",
            "Show every strategy the same text: metrics.to_judge takes the item and its passages, and nothing else",
        )


class DisplayGuard:
    """Remembers what was shown for an item and each of its passages, and refuses anything else for the same ones."""

    def __init__(self) -> None:
        self._items: dict[str, RetrievalToJudge] = {}
        self._passages: dict[tuple[str, str, str], PassageToJudge] = {}

    def check(self, strategy: str, shown: RetrievalToJudge) -> None:
        """Raise `AnnotatedDisplayError` if this strategy's display differs in more than which passages it has."""
        bare = replace(shown, passages=())
        known = self._items.setdefault(shown.retrieval_id, bare)
        for part in ("tenant", "searched_query", "message", "conversation"):
            if getattr(known, part) != getattr(bare, part):
                raise AnnotatedDisplayError(strategy, shown.retrieval_id, part.replace("_", " "))
        for passage in shown.passages:
            place = (shown.tenant, shown.retrieval_id, passage.passage_id)
            unranked = replace(passage, rank=0)
            if self._passages.setdefault(place, unranked) != unranked:
                raise AnnotatedDisplayError(strategy, shown.retrieval_id, f"text of passage {passage.passage_id}")
