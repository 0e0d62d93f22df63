"""A model invents the passage that would answer, and that is searched (HyDE, Gao et al. 2022)."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, text_plan

INSTRUCTIONS = """Write the passage of two or three sentences, as it would stand in documentation, that answers what the
visitor's last message asks for. The visitor's language. Answer with the passage alone."""


async def resolve(item: Item, ask: Ask) -> Plan:
    """Search the invented passage."""
    return text_plan(item, await ask.cleaned("hypothetical_answer", INSTRUCTIONS))


STRATEGY = Strategy(
    name="hypothetical_answer", summary="a model's invented answer", resolve=resolve, made_of=(__name__,), asks=True
)
