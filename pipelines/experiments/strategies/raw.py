"""The control: the message, exactly as typed."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, as_typed


async def resolve(item: Item, _ask: Ask) -> Plan:
    """Search what was typed."""
    return as_typed(item)


STRATEGY = Strategy(name="raw", summary="the message as typed", resolve=resolve, made_of=(__name__,))
