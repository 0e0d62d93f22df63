"""Keywords for a channel of their own, beside the visitor's words; for a retriever that has such a channel."""

from dataclasses import replace

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.retrievers.query import Query
from pipelines.experiments.strategies.keyword_lists import ask_keywords
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, as_typed


async def resolve(item: Item, ask: Ask) -> Plan:
    """Search the message, with the keywords beside it."""
    found = await ask_keywords(ask)
    plan = as_typed(item)
    return plan if found is None else replace(plan, queries=(Query(text=item.message, keywords=found),), fired=True)


STRATEGY = Strategy(
    name="keywords",
    summary="message, and keywords for their own channel",
    resolve=resolve,
    made_of=(__name__, "pipelines.experiments.strategies.keyword_lists"),
    asks=True,
)
