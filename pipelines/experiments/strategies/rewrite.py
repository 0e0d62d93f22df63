"""A model rewrites the message into a question that can be read alone."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, text_plan

INSTRUCTIONS = """Rewrite the visitor's last message as one question that can be understood without the conversation.
Keep the visitor's language. Answer with the question alone."""


async def resolve(item: Item, ask: Ask) -> Plan:
    """Search the rewritten question; the message where nothing of the answer may be searched."""
    return text_plan(item, await ask.cleaned("rewrite", INSTRUCTIONS))


STRATEGY = Strategy(
    name="rewrite", summary="a model's self-contained question", resolve=resolve, made_of=(__name__,), asks=True
)
