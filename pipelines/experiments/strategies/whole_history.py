"""Everything that the visitor has said so far is searched."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, text_plan


async def resolve(item: Item, _ask: Ask) -> Plan:
    """Search all of the visitor's messages, oldest first."""
    said = [utterance.text for utterance in item.history if utterance.role == "visitor"]
    return text_plan(item, " ".join([*said, item.message]))


STRATEGY = Strategy(name="whole_history", summary="all of the visitor's messages", resolve=resolve, made_of=(__name__,))
