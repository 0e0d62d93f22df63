"""Which questions name a time, and what the mart makes of them."""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from pipelines.io.warehouse import Held, Warehouse
from pipelines.judging.lexical import LexicalJudge
from pipelines.marts.run import check, make, read
from pipelines.night.run import Plan, run_night
from pipelines.resolution.dated import run
from pipelines.resolution.dated.run import measure_dates
from tests.resolution.dated.build import PIN, WINDOW, search
from tests.resolution.replay.build import DAY, MORNING, rows, stored, turn

MART = "date_questions_daily"
NAMED = """
    select conversation_id, names, phrases from night.dated_questions
    join canonical.retrievals using (day, environment, tenant, event_id) order by all
"""


def _night(warehouse: Warehouse, cap: int | None = None) -> None:
    plan = Plan(environments=("production",), seed="1", cap=cap)
    run_night(warehouse, DAY, LexicalJudge(), plan, now=lambda: MORNING)


def _rows(warehouse: Warehouse) -> dict[str, dict[str, Any]]:
    return {row["question"]: row for row in read(warehouse, MART, DAY, DAY, "*").iter_rows(named=True)}


@pytest.mark.parametrize(("at_once", "others_wait"), [(1, False), (1, True), (1_000, False)])
def test_what_a_question_names_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int, *, others_wait: bool
) -> None:
    """A window, a time word that gives none, nothing; the words come from the retrieval, the turn, or the query."""
    monkeypatch.setattr(Held, "wanted", lambda _: others_wait)
    warehouse = stored(
        tmp_path,
        search("a", 0, "What did we decide last week?"),
        search("b", 0, "What happened on Monday or on Tuesday?"),
        search("c", 0, "Which plans include SSO?"),
        turn("d", 0, "Qu'avons-nous décidé hier ?", language="fr-CA"),
        search("d", 0, None),
        search("e", 0, None),
        search("f", 0, "hm", outcome="skipped"),
    )
    monkeypatch.setattr(run, "_AT_ONCE", at_once)
    monkeypatch.setattr(run, "_BEFORE_OTHERS", 0)

    assert [measure_dates(warehouse, DAY, ["production"]), measure_dates(warehouse, DAY, ["production"])] == [5, 5]

    assert rows(warehouse, NAMED) == [
        ("a", "window", ["last week"]),
        ("b", "unread", ["Monday", "Tuesday"]),
        ("c", "none", []),
        ("d", "window", ["hier"]),
        ("e", "window", ["last week"]),
    ]
    assert measure_dates(warehouse, DAY, ["staging"]) == 0


def test_the_place_in_a_day_tells_tenants_and_environments_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event id is one of its tenant: whoever reads on behind one of them leaves the others' out or reads them twice."""
    places = [
        ("production", "a.example"),
        ("production", "z.example"),
        ("staging", "b.example"),
        ("staging", "y.example"),
    ]
    warehouse = stored(
        tmp_path,
        *(
            search("a", 0, "What did we decide last week?", tenant=tenant, environment=environment, event_id=each)
            for environment, tenant in reversed(places)
            for each in (str(UUID(int=1)), str(UUID(int=2)))
        ),
    )
    monkeypatch.setattr(Held, "wanted", lambda _: True)
    monkeypatch.setattr(run, "_AT_ONCE", 1)
    monkeypatch.setattr(run, "_BEFORE_OTHERS", 0)

    assert measure_dates(warehouse, DAY, ["production", "staging"]) == 8

    assert rows(
        warehouse, "select environment, tenant, count(*) from night.dated_questions group by all order by all"
    ) == [(environment, tenant, 2) for environment, tenant in places]


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return five searches: in a window, beside one, with a word that gives none, and two without any time."""
    return stored(
        tmp_path,
        search("a", 0, "What did we decide last week?", "We decided to renew it.", window=WINDOW, pins=(PIN,)),
        search("a", 1, "What did we decide last week?"),
        search("b", 0, "What happened on Monday or on Tuesday?", "Nothing at all."),
        search("c", 0, "Which plans include SSO?", "The Team plan includes SSO.", "Rain is expected."),
        search("c", 1, "Which plans include audit logs?", "Plans that include audit logs are Team and Pro."),
        search("c", 1, "Which plans include audit logs?", "A copy.", event="again"),
    )


def test_each_search_is_one_of_four(warehouse: Warehouse) -> None:
    """A search that was reported twice counts once; an empty one and a pinned one are told apart."""
    _night(warehouse)

    found = {
        question: [row[name] for name in ("searches", "total", "empty", "pinned")]
        for question, row in _rows(warehouse).items()
    }

    assert found == {"window": [1, 5, 0, 1], "unused": [1, 5, 1, 0], "unread": [1, 5, 0, 0], "none": [2, 5, 0, 0]}
    assert all(result.passed for result in check(warehouse, DAY, MART))


@pytest.mark.parametrize("cap", [None, 5])
def test_relevance_is_that_of_the_relevance_mart(tmp_path: Path, cap: int | None) -> None:
    """Where no question names a time, both say the same of the same sample, interval and all."""
    texts = ("The Team plan includes SSO.", "Rain is expected.", "Plans: Team, Pro.", "Cats sleep.")
    warehouse = stored(
        tmp_path,
        *(
            search(f"c{number}", 0, "Which plans include SSO?", *texts[: 1 + number % 4], tenant=tenant)
            for number in range(9)
            for tenant in ("a.example.com", "b.example.com")
        ),
    )

    _night(warehouse, cap)

    relevance = {
        row["tenant"]: row
        for row in read(warehouse, "relevance_daily", DAY, DAY).iter_rows(named=True)
        if row["slice"] == "all" and row["measure"] == "irrelevant_need"
    }
    dated = {row["tenant"]: row for row in read(warehouse, MART, DAY, DAY).iter_rows(named=True)}
    assert relevance.keys() == dated.keys() == {"*", "a.example.com", "b.example.com"}
    for tenant, row in dated.items():
        for name in ("rate", "low", "high", "passages", "coverage", "pending"):
            assert row[name] == relevance[tenant][name], (tenant, name)
        assert 0 < row["low"] < row["rate"] < row["high"] < 1


def test_a_rate_waits_for_its_verdicts(warehouse: Warehouse) -> None:
    """A sample that nobody has judged has no rate, and is not taken for relevant."""
    _night(warehouse)
    with warehouse.write() as connection:
        connection.execute("delete from night.passage_verdicts")
        connection.execute("update night.verdicts set is_final = false, status = 'rate_limited'")

    make(warehouse, DAY, [MART])

    row = _rows(warehouse)["none"]
    assert (row["rate"], row["low"], row["passages"], row["pending"], row["coverage"]) == (None, None, 0, 3, 0.0)


@pytest.mark.parametrize(
    ("damage", "broken"),
    [
        ("delete from marts.date_questions_daily where question = 'none'", {"shares"}),
        ("update marts.date_questions_daily set empty = searches + 1", {"shares"}),
        ("update marts.date_questions_daily set share_low = 1, share_high = 1 where share < 1", {"bounds"}),
    ],
)
def test_every_check_can_fail(warehouse: Warehouse, damage: str, broken: set[str]) -> None:
    """What must not be there is found."""
    _night(warehouse)

    with warehouse.write() as connection:
        connection.execute(damage)

    assert {result.check.name for result in check(warehouse, DAY, MART) if not result.passed} == broken
