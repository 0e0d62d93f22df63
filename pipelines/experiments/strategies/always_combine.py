"""Every later message is searched after the visitor's previous one, whatever it says."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, text_plan


async def resolve(item: Item, _ask: Ask) -> Plan:
    """Search the previous message and this one."""
    said = [utterance.text for utterance in item.history if utterance.role == "visitor"]
    return text_plan(item, f"{said[-1]} {item.message}" if said else None)


STRATEGY = Strategy(
    name="always_combine", summary="previous message + message, always", resolve=resolve, made_of=(__name__,)
)
