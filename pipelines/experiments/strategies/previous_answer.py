"""The message is searched after the answer that it replies to."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, text_plan


async def resolve(item: Item, _ask: Ask) -> Plan:
    """Search the last answer and the message."""
    answers = [utterance.text for utterance in item.history if utterance.role == "assistant"]
    return text_plan(item, f"{answers[-1]} {item.message}" if answers else None)


STRATEGY = Strategy(name="previous_answer", summary="previous answer + message", resolve=resolve, made_of=(__name__,))
