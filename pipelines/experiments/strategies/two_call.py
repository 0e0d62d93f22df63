"""Two calls: prose for the passages' channel, keywords for theirs."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.retrievers.query import Query
from pipelines.experiments.strategies.keyword_lists import ask_keywords
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, as_typed
from pipelines.experiments.strategies.rewrite import INSTRUCTIONS


async def resolve(item: Item, ask: Ask) -> Plan:
    """Search the rewrite, with the keywords beside it."""
    text = await ask.cleaned("rewrite", INSTRUCTIONS) or item.message
    found = await ask_keywords(ask)
    if found is None and text == item.message:
        return as_typed(item)
    return Plan(queries=(Query(text=text, keywords=found),))


STRATEGY = Strategy(
    name="two_call",
    summary="rewrite, and keywords for their own channel",
    resolve=resolve,
    made_of=(
        __name__,
        "pipelines.experiments.strategies.rewrite",
        "pipelines.experiments.strategies.keyword_lists",
    ),
    asks=True,
)
