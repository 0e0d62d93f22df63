"""Days of made-up traffic as wire events: from a seed alone, the same bytes in any process."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from random import Random

from pipelines.demo.delivery import Delivery
from pipelines.demo.tenants import TENANTS, DemoTenant
from pipelines.demo.traffic import happenings_of_day

#: between how many turns a tenant has on a weekday
TURNS_PER_DAY = (60, 100)


def generate(
    seed: int,
    first_day: date,
    days: int,
    tenants: Sequence[DemoTenant] = TENANTS,
    turns_per_day: tuple[int, int] = TURNS_PER_DAY,
) -> Iterator[bytes]:
    """Yield JSON lines (`contract` version 1, newline included), day after day, tenant after tenant.

    All kinds of trouble are in them: gaps in the sequences, events that come days late (also after the last day),
    doubled, re-sent and contradicted events, and one broken record per tenant and day. A tenant's lines do not depend
    on which other tenants take part.
    """
    deliveries = [Delivery(rng=_rng(seed, tenant, "delivery"), tenant=tenant) for tenant in tenants]
    for index in range(days):
        day = first_day + timedelta(days=index)
        for delivery in deliveries:
            rng = _rng(seed, delivery.tenant, day.isoformat())
            yield from delivery.day(index, happenings_of_day(rng, delivery.tenant, day, index, turns_per_day))
    for delivery in deliveries:
        yield from delivery.rest()


def _rng(seed: int, tenant: DemoTenant, part: str) -> Random:
    """Make a generator of its own for each part; text seeds go through SHA-512, so they are the same everywhere."""
    return Random(f"{seed}/{tenant.host}/{part}")  # noqa: S311 - made-up traffic, no secret
