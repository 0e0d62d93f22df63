"""Several strategies on one turn, their rankings fused by reciprocal rank."""

from collections.abc import Sequence

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.retrievers.query import Query
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, as_typed


def fuse(strategies: Sequence[Strategy]) -> Strategy:
    """Return the strategy that searches what each of them would; the same query twice is searched once.

    A skip by one of them leaves the queries of the others; where all that is left is the message, nothing has changed.
    """

    async def resolve(item: Item, ask: Ask) -> Plan:
        queries: dict[Query, None] = {}
        for strategy in strategies:
            ask.model = strategy.model
            queries |= dict.fromkeys((await strategy.resolve(item, ask)).queries)
        if list(queries) == [Query(text=item.message)]:
            return as_typed(item)
        return Plan(queries=tuple(queries))

    return Strategy(
        name="+".join(each.name for each in strategies),
        summary="fused: " + "; ".join(each.summary for each in strategies),
        resolve=resolve,
        made_of=(
            __name__,
            "pipelines.experiments.retrievers.fusion",
            *(module for each in strategies for module in each.made_of),
        ),
        asks=any(each.asks for each in strategies),
    )
