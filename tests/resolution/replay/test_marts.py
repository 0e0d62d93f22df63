"""What the marts make of replayed decisions, counted by hand; real traces against their own sums."""

from datetime import date
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from pipelines.ingest.run import ingest
from pipelines.io.files import FileSource
from pipelines.io.warehouse import Warehouse
from pipelines.marts.run import check, make, over, read
from pipelines.resolution.gate import Turn, resolve
from pipelines.resolution.replay.run import days_with_turns, replay
from pipelines.sampling.rate import t_quantile, wilson
from tests.resolution.replay.build import DAY, MORNING, stored, turn

MARTS = ["gate_population", "gate_daily"]


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return two conversations in two languages: seven turns of every kind, four with a reported decision."""
    return stored(
        tmp_path,
        turn("a", 0, "Which plans include SSO?", "Team.", decision="substantive", language="en"),
        turn("a", 1, "Why?", decision="follow_up", language="en"),
        turn("a", 2, "And does it include audit logs?", decision="follow_up", language="en"),
        turn("a", 3, "How do I export my invoices as a spreadsheet?", decision="follow_up", language="en"),
        turn("a", 4, "We tried that one already.", language="en"),
        turn("a", 5, "Thanks, bye for now!"),
        turn("b", 3, "Et pour le forfait Pro ?"),
    )


def _made(warehouse: Warehouse) -> None:
    replay(warehouse, DAY, ["production"])
    make(warehouse, DAY, MARTS)


def _counts(rows: pl.DataFrame, **where: str) -> dict[str, tuple[int, int]]:
    picked = rows.filter(**{"tenant": "*", "language": "*", "reason": "*"} | where)
    return {row["value"]: (row["n"], row["total"]) for row in picked.iter_rows(named=True)}


def test_the_population_is_every_turn_once(warehouse: Warehouse) -> None:
    """A later turn whose earlier ones are not stored is neither a first message nor eligible."""
    _made(warehouse)

    rows = read(warehouse, "gate_population", DAY, DAY)

    assert _counts(rows, measure="population") == {
        "first": (1, 7),
        "skipped": (1, 7),
        "eligible": (1, 7),
        "as_typed": (1, 7),
        "correction": (1, 7),
        "no_need": (1, 7),
        "no_history": (1, 7),
    }
    assert _counts(rows, measure="population", language="fr") == {"no_history": (1, 1)}
    assert _counts(rows, measure="skip_cost") == {"follow_up": (1, 1)}


def test_the_replayed_decision_stands_beside_the_reported_one(warehouse: Warehouse) -> None:
    """The reported ones stay as they are; the two are compared where there are two."""
    _made(warehouse)

    rows = read(warehouse, "gate_daily", DAY, DAY).filter(turn="all")

    assert _counts(rows, measure="decision") == {
        "substantive": (1, 7),
        "follow_up": (3, 7),
        "unreported": (3, 7),
        "fired": (3, 7),
    }
    assert _counts(rows, measure="replayed") == {
        "substantive": (3, 7),
        "skip": (1, 7),
        "follow_up": (1, 7),
        "correction": (1, 7),
        "no_need": (1, 7),
        "fired": (4, 7),
    }
    assert _counts(rows, measure="disagreement") == {"agree": (2, 4), "differ": (2, 4)}
    differing = rows.filter(tenant="*", language="*", measure="disagreement", value="differ")
    assert sorted(differing["reason"]) == ["*", "follow_up / skip", "follow_up / substantive"]


def test_without_a_replay_the_reported_decisions_are_there(warehouse: Warehouse) -> None:
    """A mart that is made before the replay shows what the events say, and its checks hold."""
    make(warehouse, DAY, MARTS)

    measures = read(warehouse, "gate_daily", DAY, DAY)["measure"]

    assert set(measures) == {"decision"}
    assert read(warehouse, "gate_population", DAY, DAY).is_empty()
    assert all(result.passed for mart in MARTS for result in check(warehouse, DAY, mart))


@pytest.mark.parametrize(
    ("mart", "damage", "broken"),
    [
        ("gate_population", "delete from marts.gate_population where value = 'no_need'", {"shares"}),
        ("gate_population", "delete from marts.gate_population where measure = 'skip_cost'", {"skipped"}),
        ("gate_daily", "delete from marts.gate_daily where measure = 'decision' and value = 'substantive'", {"shares"}),
        ("gate_daily", "update marts.gate_daily set total = total - 1, n = n - 1 where measure = 'replayed' and tenant = '*'", {"shares", "replayed"}),
        ("gate_daily", "delete from marts.gate_daily where measure = 'disagreement'", {"replayed"}),
    ],
)  # fmt: skip
def test_every_check_can_fail(warehouse: Warehouse, mart: str, damage: str, broken: set[str]) -> None:
    """What must not be there is found."""
    _made(warehouse)
    assert all(result.passed for result in check(warehouse, DAY, mart))

    with warehouse.write() as connection:
        connection.execute(damage)

    assert {result.check.name for result in check(warehouse, DAY, mart) if not result.passed} == broken


FIRST, LAST = date(2024, 7, 26), date(2024, 9, 5)


@pytest.fixture(scope="module")
def traces(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """Return real conversations, replayed day by day."""
    warehouse = Warehouse(tmp_path_factory.mktemp("traces") / "warehouse.duckdb")
    ingest(FileSource([shared_data / "mtrag" / "events.jsonl.gz"]), warehouse, now=lambda: MORNING)
    for day in days_with_turns(warehouse, FIRST, LAST):
        replay(warehouse, day, ["production"])
        make(warehouse, day, MARTS)
    return warehouse


def test_real_traces_add_up(traces: Warehouse) -> None:
    """643 turns, each decided once; days add up to the range; every check passes on every day."""
    together = over(traces, "gate_population", FIRST, LAST)
    days = read(traces, "gate_population", FIRST, LAST)

    whole = _counts(together, measure="population")
    assert {total for _, total in whole.values()} == {643}
    by_day = days.filter(measure="population", tenant="*", language="*", reason="*").group_by("value").agg(pl.sum("n"))
    assert dict(by_day.iter_rows()) == {value: n for value, (n, _) in whole.items()}
    decided = over(traces, "gate_daily", FIRST, LAST).filter(turn="all")
    assert _counts(decided, measure="decision") == {"unreported": (643, 643)}
    for day in days_with_turns(traces, FIRST, LAST):
        for mart in MARTS:
            assert all(result.passed for result in check(traces, day, mart)), day


def test_the_intervals_are_those_of_a_ratio_between_conversations(traces: Warehouse) -> None:
    """The same residuals, summed here turn by turn: wider than if turns were independent of each other."""
    with traces.read() as connection:
        clusters = connection.execute(
            "select count(*), count(*) filter (replay.combined_with is not null) from night.replayed_decisions as replay"
            " join canonical.turns using (day, environment, tenant, event_id) group by tenant, conversation_id"
        ).fetchnumpy()
    m, y = (np.asarray(values, dtype=float) for values in clusters.values())
    rate, total, count = y.sum() / m.sum(), m.sum(), len(m)
    variance = count / (count - 1) * ((y - rate * m) ** 2).sum() / total**2
    n = min(rate * (1 - rate) / variance, total)
    low, high = wilson(np.array([rate]), np.array([n]), t_quantile(np.array([count - 1.0])))

    row = (
        over(traces, "gate_population", FIRST, LAST)
        .filter(tenant="*", language="*", measure="population", value="eligible", reason="*")
        .row(0, named=True)
    )

    assert [row["rate"], row["low"], row["high"]] == pytest.approx([rate, low[0], high[0]], abs=1e-6)
    assert n < 0.8 * total


def test_every_real_turn_is_decided_as_by_its_whole_conversation(traces: Warehouse) -> None:
    """Day by day and batch by batch, as by the gate with all that was said before."""
    with traces.read() as connection:
        said = connection.execute(
            "select conversation_id, turns.language, message, answer, decision, replay.combined_with is not null"
            " from canonical.turns join night.replayed_decisions as replay using (day, environment, tenant, event_id)"
            " order by tenant, conversation_id, turn_index"
        ).fetchall()
    histories: dict[str, list[Turn]] = {}
    for conversation, language, message, answer, decision, is_combined in said:
        history = histories.setdefault(conversation, [])
        whole = resolve(message, history, default_language=language)
        assert (whole.decision.value, whole.combined_with is not None) == (decision, is_combined), message
        history += [Turn(role="user", text=message), Turn(role="assistant", text=answer)]
    assert len(said) == 643
