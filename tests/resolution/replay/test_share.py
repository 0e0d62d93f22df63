"""A night replays some of a day of many turns: whole conversations, of every tenant, the same ones each time."""

from collections import Counter

import pytest

from pipelines.io.warehouse import Warehouse
from pipelines.marts.run import check, make, read
from pipelines.resolution.replay.run import replay
from tests.resolution.replay.build import DAY, rows, stored, turn

AT_MOST = 60
MARTS = ["gate_population", "gate_daily"]
#: conversations of each tenant
TENANTS = {"large.example.com": 90, "small.example.com": 30, "tiny.example.com": 1}
STORED = "select * from night.replayed_decisions order by all"
REPLAYED = """
    select tenant, conversation_id, count(replay.event_id), count(*)
    from canonical.turns left join night.replayed_decisions as replay using (day, environment, tenant, event_id)
    where day = '2026-11-29' group by all order by all
"""


def _turns() -> list[bytes]:
    """Return conversations of one to three turns, a part of them with a follow-up, of tenants of unlike size."""
    said = ("Which plans include SSO for a team?", "And does it include audit logs?", "How do I export my invoices?")
    return [
        turn(f"c{number}", index, said[(index + number % 5 // 3) % 3], tenant=tenant, decision="substantive")
        for tenant, conversations in TENANTS.items()
        for number in range(conversations)
        for index in range(number % 3 + 1)
    ]


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Return a day of 241 turns, and one conversation that had begun the day before."""
    return stored(
        tmp_path_factory.mktemp("share"),
        *_turns(),
        turn("c0", 3, "Which plans include SSO?", tenant="tiny.example.com", days=-1),
    )


@pytest.fixture(autouse=True)
def _not_asked_for_all(warehouse: Warehouse) -> None:
    with warehouse.write() as connection:
        connection.execute("delete from night.replays")


def test_below_the_limit_all_are_replayed(warehouse: Warehouse) -> None:
    """A limit that the day does not reach changes no byte."""
    whole = replay(warehouse, DAY, ["production"])
    decided = rows(warehouse, STORED)
    with warehouse.write() as connection:
        connection.execute("delete from night.replays")

    assert replay(warehouse, DAY, ["production"], at_most=whole) == whole

    assert rows(warehouse, STORED) == decided
    assert rows(warehouse, "select distinct reach, is_whole from night.replays") == [(None, False)]


def test_above_it_whole_conversations_of_every_tenant_are_the_same_ones_each_time(warehouse: Warehouse) -> None:
    """Each tenant gets its share, the least of them one conversation; nobody is cut in the midst."""
    turns = replay(warehouse, DAY, ["production"], at_most=AT_MOST)
    first = rows(warehouse, STORED)

    assert replay(warehouse, DAY, ["production"], at_most=AT_MOST) == turns

    assert rows(warehouse, STORED) == first
    conversations = rows(warehouse, REPLAYED)
    assert all(replayed in {0, all_turns} for *_, replayed, all_turns in conversations)
    by_tenant = Counter[str]()
    for tenant, _, replayed, _ in conversations:
        by_tenant[tenant] += replayed
    assert by_tenant.keys() == TENANTS.keys()
    assert by_tenant["tiny.example.com"] == 1
    assert 2 * by_tenant["small.example.com"] < by_tenant["large.example.com"]
    # a conversation has three turns at most, so each tenant may have two more than its share
    assert AT_MOST <= turns <= AT_MOST + 2 * len(TENANTS)
    assert turns == len(first)


def test_what_is_noted_is_the_hash_of_no_conversation(warehouse: Warehouse) -> None:
    """Who knows an erased id must not find its hash; a tenant that has only one conversation is replayed whole."""
    replay(warehouse, DAY, ["production"], at_most=AT_MOST)

    reaches = dict(rows(warehouse, "select tenant, reach from night.replays"))
    draws = rows(warehouse, "select reference.replay_draw(tenant, conversation_id) from canonical.turns")

    assert reaches["tiny.example.com"] is None
    assert not set(reaches.values()) & {draw for (draw,) in draws}
    assert None not in {reaches["large.example.com"], reaches["small.example.com"]}


def test_what_is_decided_is_what_a_whole_replay_decides(warehouse: Warehouse) -> None:
    """The history of a conversation is whole, also where it began the day before."""
    replay(warehouse, DAY, ["production"], at_most=AT_MOST)
    some = set(map(str, rows(warehouse, STORED)))

    replay(warehouse, DAY, ["production"])

    assert some < set(map(str, rows(warehouse, STORED)))


def test_a_day_that_was_replayed_whole_stays_so(warehouse: Warehouse) -> None:
    """The next night of the day does not take away what was asked for."""
    whole = replay(warehouse, DAY, ["production"])
    decided = rows(warehouse, STORED)

    assert replay(warehouse, DAY, ["production"], at_most=AT_MOST) == whole

    assert rows(warehouse, STORED) == decided


def test_the_marts_count_what_was_replayed(warehouse: Warehouse) -> None:
    """Bases are the replayed turns, the shares lie about those of all, the reported decisions are of all turns."""
    replay(warehouse, DAY, ["production"])
    make(warehouse, DAY, MARTS)
    whole = {mart: read(warehouse, mart, DAY, DAY) for mart in MARTS}
    with warehouse.write() as connection:
        connection.execute("delete from night.replays")

    turns = replay(warehouse, DAY, ["production"], at_most=AT_MOST)
    make(warehouse, DAY, MARTS)

    of_all = {"tenant": "*", "language": "*", "reason": "*"}
    daily = read(warehouse, "gate_daily", DAY, DAY).filter(turn="all", **of_all)
    population = read(warehouse, "gate_population", DAY, DAY).filter(measure="population", **of_all)
    for rows_of, measure in ((daily, "replayed"), (daily, "disagreement"), (population, "population")):
        assert set(rows_of.filter(measure=measure)["total"]) == {turns}
    assert set(daily.filter(measure="decision")["total"]) == {241}
    fired = daily.filter(measure="replayed", value="fired").row(0, named=True)
    truth = whole["gate_daily"].filter(turn="all", measure="replayed", value="fired", **of_all).row(0, named=True)
    assert fired["low"] <= truth["rate"] <= fired["high"]
    assert fired["rate"] == pytest.approx(fired["n"] / turns)
    assert fired["high"] - fired["low"] > truth["high"] - truth["low"]
    assert all(result.passed for mart in MARTS for result in check(warehouse, DAY, mart))


@pytest.mark.parametrize(
    "damage",
    [
        "update marts.gate_daily set total = 500, n = 500 where measure = 'replayed' and tenant = '*' and n = total",
        "delete from marts.gate_daily where measure = 'replayed' and tenant = 'tiny.example.com'",
        "update marts.gate_daily set total = total + 1 where measure = 'disagreement'",
    ],
)
def test_the_check_of_a_part_can_fail(warehouse: Warehouse, damage: str) -> None:
    """More than there were, fewer than one, or more comparisons than replayed turns are found."""
    replay(warehouse, DAY, ["production"], at_most=AT_MOST)
    make(warehouse, DAY, MARTS)

    with warehouse.write() as connection:
        connection.execute(damage)

    assert "replayed" in {result.check.name for result in check(warehouse, DAY, "gate_daily") if not result.passed}
