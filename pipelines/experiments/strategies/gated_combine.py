"""What the gate does: a follow-up is searched after the last substantive message, a short one is not searched."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.retrievers.query import Query
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy, as_typed
from pipelines.resolution.gate import Resolution, Turn
from pipelines.resolution.gate import resolve as gate


async def resolve(item: Item, _ask: Ask) -> Plan:
    """Search what the gate says; a skipped turn has no query."""
    decided = decide(item)
    if decided.query is None:
        return Plan(queries=())
    if decided.combined_with is None:
        return as_typed(item)
    return Plan(queries=(Query(text=decided.query),))


def decide(item: Item) -> Resolution:
    """Return the gate's decision on the turn."""
    history = [Turn(role="user" if said.role == "visitor" else said.role, text=said.text) for said in item.history]
    return gate(item.message, history)


STRATEGY = Strategy(
    name="gated_combine",
    summary="last substantive message + message, where the gate says follow-up",
    resolve=resolve,
    made_of=(__name__, "pipelines.resolution"),
)
