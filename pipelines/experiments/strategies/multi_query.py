"""Several wordings of one need, each searched with the message itself, fused by reciprocal rank."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.retrievers.query import Query
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, as_typed
from pipelines.resolution.clean import clean

INSTRUCTIONS = """Write three different search queries that would find what the visitor's last message asks for, each
understandable without the conversation, in the visitor's language. Answer with the three queries alone, one a line."""
MOST_QUERIES = 4


async def resolve(item: Item, ask: Ask) -> Plan:
    """Search the message and each of the wordings."""
    lines = (await ask("multi_query", INSTRUCTIONS)).splitlines()
    wordings = [ask.keep(clean(line.lstrip("0123456789.)- "))) for line in lines if line.strip()]
    texts = list(dict.fromkeys([item.message, *(text for text in wordings if text is not None)]))[:MOST_QUERIES]
    return as_typed(item) if len(texts) == 1 else Plan(queries=tuple(Query(text=text) for text in texts))


STRATEGY = Strategy(
    name="multi_query",
    summary="message and three wordings, fused",
    resolve=resolve,
    made_of=(__name__, "pipelines.experiments.retrievers.fusion"),
    asks=True,
)
