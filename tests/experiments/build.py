"""Items, passages and retrievers for tests, made as short as what a test does not care about allows."""

from collections.abc import Sequence

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.datasets.passage import Passage
from pipelines.experiments.retrievers import Query, Ranked
from pipelines.experiments.strategies import Completion, Prompt
from pipelines.judging.verdict import Utterance


def item(
    item_id: str = "i1",
    message: str = "What does the team plan cost?",
    *,
    said: Sequence[str] = (),
    conversation: str | None = None,
    tenant: str = "help.example.com",
    qrels: dict[str, int] | None = None,
    recorded: dict[str, str] | None = None,
    tags: tuple[str, ...] = (),
    need: str | None = None,
) -> Item:
    """Return an item; `said` alternates between the visitor and the assistant."""
    roles = ("visitor", "assistant")
    return Item(
        item_id=item_id,
        tenant=tenant,
        conversation_id=conversation or item_id,
        turn_index=(len(said) + 1) // 2,
        message=message,
        history=tuple(Utterance(role=roles[place % 2], text=text) for place, text in enumerate(said)),
        qrels=qrels,
        recorded=recorded or {},
        tags=tags,
        need=need,
    )


def passage(passage_id: str, text: str, title: str = "") -> Passage:
    """Return a passage."""
    return Passage(passage_id=passage_id, text=text, title=title)


def ranked(*passage_ids: str) -> tuple[Ranked, ...]:
    """Return passages in rank order, with texts made of their ids."""
    return tuple(
        Ranked(passage_id=each, text=f"text of {each}", score=1 / rank)
        for rank, each in enumerate(passage_ids, start=1)
    )


class FixedRetriever:
    """Answers every query with the passages that are written down for its text; fails where that is an error."""

    identity = "fixed"

    def __init__(self, answers: dict[str, Sequence[str] | Exception], default: Sequence[str] = ()) -> None:
        self.answers = answers
        self.default = default
        self.asked: list[Query] = []

    async def search(self, query: Query, k: int) -> Sequence[Ranked]:
        """Return what is written down."""
        self.asked.append(query)
        answer = self.answers.get(query.text, self.default)
        if isinstance(answer, Exception):
            raise answer
        return ranked(*answer)[:k]


class SaysModel:
    """A model that says one thing, and remembers what it was asked."""

    name = "says"

    def __init__(self, *texts: str) -> None:
        self.texts = list(texts)
        self.asked: list[Prompt] = []

    async def complete(self, prompt: Prompt) -> Completion:
        """Return the next text, the last one for ever."""
        self.asked.append(prompt)
        text = self.texts[min(len(self.asked), len(self.texts)) - 1]
        return Completion(text=text, prompt_tokens=10, completion_tokens=2, latency_ms=5.0)
