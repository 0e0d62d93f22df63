"""The gate without its first rule: a short message is combined instead of skipped. It prices the skip."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.strategies.always_combine import resolve as combine
from pipelines.experiments.strategies.gated_combine import resolve as gated
from pipelines.experiments.strategies.plan import Ask, Plan, Strategy


async def resolve(item: Item, ask: Ask) -> Plan:
    """Search what the gate says; where it skips, the previous message and this one."""
    plan = await gated(item, ask)
    return plan if plan.queries else await combine(item, ask)


STRATEGY = Strategy(
    name="gated_unskipped",
    summary="the gate, short messages combined and not skipped",
    resolve=resolve,
    made_of=(
        __name__,
        "pipelines.experiments.strategies.gated_combine",
        "pipelines.experiments.strategies.always_combine",
        "pipelines.resolution",
    ),
)
