"""A day of one application: its conversations and what its visitors do around them."""

from datetime import UTC, date, datetime, timedelta, timezone
from random import Random

from pipelines.demo.conversations import Conversation, Happening
from pipelines.demo.tenants import DemoTenant

_WEEKEND = 5
#: no conversation starts in the first or the last minutes of a day, so that each ends on the day it began
_FIRST_START = 60.0
_LAST_START = 86_400.0 - 1_800
_TURNS_OF_CONVERSATION = (1, 1, 2, 2, 3, 4, 5, 6)


def happenings_of_day(
    rng: Random, tenant: DemoTenant, day: date, day_index: int, turns_per_day: tuple[int, int]
) -> list[Happening]:
    """Make one UTC day of a tenant, in the order of time."""
    turns = rng.randint(*turns_per_day)
    if day.weekday() >= _WEEKEND:
        turns = max(1, round(turns * 0.8))
    made: list[Happening] = []
    number = 0
    while turns > 0:
        length = min(turns, rng.choice(_TURNS_OF_CONVERSATION))
        made += _conversation(rng, tenant, day, day_index=day_index, number=number, length=length)
        turns -= length
        number += 1
    return sorted(made, key=lambda one: one.at)


def _conversation(
    rng: Random, tenant: DemoTenant, day: date, *, day_index: int, number: int, length: int
) -> list[Happening]:
    """Make a conversation of so many turns, and a visit around it."""
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    seconds = min(_LAST_START, max(_FIRST_START, rng.gauss(50_000, 14_000)))
    start = (midnight + timedelta(seconds=round(seconds, 3))).astimezone(timezone(timedelta(hours=tenant.offset_hours)))
    risen = tenant.rises_on is not None and day_index >= tenant.rises_on
    visit = Conversation(
        rng=rng,
        tenant=tenant,
        name=f"c-{day:%m%d}-{number}",
        visitor=f"v-{rng.randrange(400)}",
        at=start,
        missed_documents=tenant.missed_after if risen else tenant.missed_documents,
        topic=rng.choice(tenant.talk.topics),
    )
    if rng.random() < 0.4:
        visit.tell("page_view", {"page_id": f"{visit.name}-p", "path": f"/help/{rng.randrange(40)}"}, after=-8.0)
    if rng.random() < 0.3:
        variant = rng.choice(["cards", "plain"])
        exposure = {"experiment": "answer-cards", "variant": variant, "unit_id": visit.visitor}
        visit.tell("exposure", exposure, after=-2.0)
    for _ in range(length):
        visit.add_turn()
    _after(rng, visit)
    return visit.happenings


def _after(rng: Random, visit: Conversation) -> None:
    """Let some visitors click a card, and a few buy."""
    turn_id = f"{visit.name}-t{visit.turns - 1}"
    if rng.random() < 0.2:
        kind = rng.choice(["card_shown", "card_clicked", "link_clicked"])
        shown = {"interaction_id": f"{visit.name}-i", "kind": kind, "target": visit.topic.title, "turn_id": turn_id}
        visit.tell("interaction", shown)
    if rng.random() < 0.06:
        bought = {"conversion_id": f"{visit.name}-b", "kind": "purchase", "value": round(rng.uniform(9, 180), 2)}
        visit.tell("conversion", bought | {"currency": "EUR"}, after=40.0)
