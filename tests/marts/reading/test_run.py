"""What trends and reports read, from a warehouse."""

from datetime import date
from pathlib import Path

import pytest

from pipelines.errors import UsageError
from pipelines.io.warehouse import Warehouse, describe
from pipelines.marts.catalog import MARTS
from pipelines.marts.reading.run import (
    conditions,
    costs,
    definition_changes,
    report,
    trend,
    trends,
    windows,
    with_differences,
)
from pipelines.marts.run import read
from schemas import sql
from tests.marts.cases import DAY, FOLDER, load, make, read_case

FIRST = date(2026, 3, 1)


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return a warehouse with the night of the worked example."""
    found = Warehouse(tmp_path / "warehouse.duckdb")
    with found.write() as connection:
        case = read_case(FOLDER / "relevance_daily" / "worked_example")
        load(connection, case)
        make(connection, case, "relevance_daily")
    return found


def add_night(warehouse: Warehouse, day: int, judge: str, model: str, *, published: bool = True) -> None:
    """Store a night of March that was judged by this judge."""
    with warehouse.write() as connection:
        connection.execute(
            "insert or replace into night.nights by name select $day::date as day, ['production'] as environments, "
            "'h' as frame_hash, 0 as frame_size, 0 as sample_size, 's' as seed, 0 as watermark, $judge as judge, "
            "$model as model, 'r1' as rubric_version, 'h' as prompt_hash, '1' as disclaim_version, $published as published",
            {"day": date(2026, 3, day), "judge": judge, "model": model, "published": published},
        )


def test_only_nights_that_differ_from_the_night_before_are_changes(warehouse: Warehouse) -> None:
    """Another judge and another model are two changes of one night; a night that is not published is none."""
    nights = [
        (2, "lexical", "words"),
        (3, "lexical", "words"),
        (5, "openai", "m1"),
        (6, "openai", "m1"),
        (8, "openai", "m2"),
    ]
    for day, judge, model in nights:
        add_night(warehouse, day, judge, model)
    add_night(warehouse, 7, "other", "other", published=False)

    found = definition_changes(warehouse, FIRST, date(2026, 3, 31))

    assert [(change.day.day, change.what, change.before, change.after) for change in found] == [
        (5, "judge", "lexical", "openai"),
        (5, "model", "words", "m1"),
        (8, "model", "m1", "m2"),
    ]


def test_a_change_is_one_against_the_night_before_the_first_day_too(warehouse: Warehouse) -> None:
    """A trend that begins with the first night of a new judge says so."""
    add_night(warehouse, 4, "lexical", "words")
    add_night(warehouse, 5, "openai", "m1")

    found = definition_changes(warehouse, date(2026, 3, 5), date(2026, 3, 31))

    assert [change.what for change in found] == ["judge", "model"]


def test_running_an_old_night_again_takes_a_change_back(warehouse: Warehouse) -> None:
    """Changes are read off the nights, so that none is left behind."""
    add_night(warehouse, 4, "lexical", "words")
    add_night(warehouse, 5, "openai", "m1")
    add_night(warehouse, 4, "openai", "m1")

    assert definition_changes(warehouse, date(2026, 3, 4), date(2026, 3, 31))[-1].day == date(2026, 3, 4)


def test_another_formula_is_a_change(warehouse: Warehouse) -> None:
    """The version of the metric stands in the mart and not on the night."""
    add_night(warehouse, 3, "labels", "people")
    with warehouse.write() as connection:
        connection.execute(
            "insert into marts.relevance_daily by name "
            "select * replace (date '2026-03-03' as day, '2' as metric_version) from marts.relevance_daily"
        )

    (change,) = definition_changes(warehouse, FIRST, date(2026, 3, 31))

    assert (change.day, change.what, change.before, change.after) == (date(2026, 3, 3), "metric", "1", "2")


def test_another_formula_of_any_mart_is_a_change(warehouse: Warehouse) -> None:
    """Every mart that carries a version is watched; rates of relevance compare all the same where it is not theirs."""
    with_version = [mart for mart in MARTS if "metric_version" in {name for name, _, _ in describe(f"marts.{mart}")[1]}]
    query = sql.load("night/definition_changes.sql")
    for day in (3, 4):
        add_night(warehouse, day, "labels", "people")
    with warehouse.write() as connection:
        for day, version in ((3, "1"), (4, "2")):
            connection.execute(
                "insert into marts.disclaim_daily by name select $day::date as day, 'production' as environment, '*' as tenant, "
                "'all' as turn, '*' as language, 1 as answers, 0 as disclaimed, 0 as partly, 0.0 as rate, 0.0 as low, 0.1 as high, "
                "$version as metric_version, '1' as disclaim_version",
                {"day": date(2026, 3, day), "version": version},
            )

    (change,) = definition_changes(warehouse, date(2026, 3, 4), date(2026, 3, 31))

    assert len(with_version) > 7
    assert [mart for mart in with_version if f"from marts.{mart} " not in query] == []
    assert (change.day.day, change.what, change.before, change.after) == (4, "metric of disclaim_daily", "1", "2")
    assert not change.of_rates


@pytest.mark.parametrize(
    ("column", "what", "after"),
    [
        ("rubric_version", "rubric", "r2"),
        ("rubric_version", "sufficiency rubric", "s2"),
        ("prompt_hash", "instructions", "h2"),
        ("disclaim_version", "disclaim", "2"),
    ],
)
def test_whatever_a_figure_is_made_by_is_watched(warehouse: Warehouse, column: str, what: str, after: str) -> None:
    """One row for one change, on the first day it holds, and none on the days after it."""
    values = {"rubric": "r2+s1", "sufficiency rubric": "r1+s2"}
    for day in (4, 5, 6):
        add_night(warehouse, day, "openai", "m1")
    with warehouse.write() as connection:
        connection.execute("update night.nights set rubric_version = 'r1+s1' where day >= '2026-03-04'")
        for day in (5, 6):
            connection.execute(
                f"update night.nights set {column} = $value where day = $day",  # noqa: S608 - named above
                {"value": values.get(what, after), "day": date(2026, 3, day)},
            )

    (change,) = definition_changes(warehouse, date(2026, 3, 5), date(2026, 3, 31))

    assert (change.day, change.what, change.after) == (date(2026, 3, 5), what, after)
    assert change.of_rates == (what != "disclaim")


def test_another_gate_is_a_change(warehouse: Warehouse) -> None:
    """Its version stands in the mart of the gate."""
    for day, version in ((4, "g1"), (5, "g2")):
        add_night(warehouse, day, "openai", "m1")
        with warehouse.write() as connection:
            connection.execute(
                "insert into marts.gate_population by name select $day::date as day, 'production' as environment, "
                "'*' as tenant, '*' as language, 'population' as measure, 'first' as value, '*' as reason, 1 as n, "
                "1 as total, 1 as rate, $version as gate_version, '1' as metric_version",
                {"day": date(2026, 3, day), "version": version},
            )

    (change,) = definition_changes(warehouse, date(2026, 3, 5), date(2026, 3, 31))

    assert (change.what, change.before, change.after, change.of_rates) == ("gate", "g1", "g2", False)


def test_a_difference_stands_beside_its_noise_floor(warehouse: Warehouse) -> None:
    """The night before, and a floor measured by the judge of the night itself: of another judge's nothing is said."""
    before, tonight = date(2026, 3, 3), date(2026, 3, 4)
    for day in (3, 4):
        add_night(warehouse, day, "lexical", "words")
    with warehouse.write() as connection:
        for night, rate in ((before, 0.2), (tonight, 0.231)):
            connection.execute(
                "insert into marts.relevance_daily by name select * replace ($day::date as day, $rate::double as rate) "
                "from marts.relevance_daily where day = $of",
                {"day": night, "rate": rate, "of": DAY},
            )
        for judge, after in (("lexical", 21), ("another", 90)):
            connection.execute(
                "insert into night.noise by name select $day::date as day, 'production' as environment, "
                "'irrelevant_need' as measure, $judge as judge, 'words' as model, 'r1' as rubric_version, "
                "'h' as prompt_hash, now() as measured_at, 10 as retrievals, 100 as passages, 100 as compared, 5 as moved, "
                "20 as irrelevant_before, $after as irrelevant_after, 0.01 as standard_error",
                {"day": before, "judge": judge, "after": after},
            )

    shown = trend(warehouse, "*", FIRST, tonight, environment="production")
    rows = with_differences(warehouse, read(warehouse, "relevance_daily", tonight, tonight, "*"))

    assert shown.difference == pytest.approx(0.031)
    assert shown.floor is not None
    assert shown.floor.floor == pytest.approx(0.01 + 1.96 * 0.01)
    by_measure = rows.filter(slice="all").rows_by_key("measure", named=True, unique=True)
    assert by_measure["irrelevant_need"]["change"] == "+3.1 (3.0)"
    assert by_measure["irrelevant_query"]["change"] == "+3.1"
    (note,) = report(warehouse, tonight, "production").notes
    assert note.startswith("+3.1 points to the night before; judging the same passages again moves it by up to 3.0")


def test_nights_of_two_judges_have_no_difference(warehouse: Warehouse) -> None:
    """What does not compare is not subtracted."""
    add_night(warehouse, 3, "lexical", "words")
    add_night(warehouse, 4, "openai", "m1")
    with warehouse.write() as connection:
        for day in (3, 4):
            connection.execute(
                "insert into marts.relevance_daily by name select * replace ($day::date as day) "
                "from marts.relevance_daily where day = $of",
                {"day": date(2026, 3, day), "of": DAY},
            )

    tonight = date(2026, 3, 4)
    rows = with_differences(warehouse, read(warehouse, "relevance_daily", tonight, tonight))

    assert trend(warehouse, "*", FIRST, tonight, environment="production").difference is None
    assert rows["change"].is_null().all()


def test_a_trend_begins_with_the_first_night_that_there_is(warehouse: Warehouse) -> None:
    """Months before the first night are no gaps."""
    found = trend(warehouse, "acme.example", date(2025, 1, 1), DAY, environment="production")

    assert [night.day for night in found.nights] == [DAY]
    assert found.nights[0].rate == pytest.approx(7 / 38)


def test_all_tenants_come_first(warehouse: Warehouse) -> None:
    """The star sorts before every host name."""
    assert list(trends(warehouse, FIRST, DAY, environment="production")) == ["*", "acme.example"]


def test_a_tenant_without_a_night_is_an_error_that_names_those_with_one(warehouse: Warehouse) -> None:
    """What was typed is repeated, and what could have been typed is listed."""
    with pytest.raises(UsageError, match=r"tenant 'b\.example'.*There are: \*, acme\.example"):
        trend(warehouse, "b.example", FIRST, DAY, environment="production")


def test_windows_are_the_same_formula_over_more_nights(warehouse: Warehouse) -> None:
    """With a single night all windows say what the night says."""
    found = windows(warehouse, DAY, "production").filter(tenant="acme.example")

    assert found["nights"].to_list() == [1, 7, 28]
    assert found["rate"].to_list() == pytest.approx([7 / 38] * 3, abs=1e-6)


def test_a_window_of_so_many_nights_ends_with_the_night_itself(warehouse: Warehouse) -> None:
    """The night is one of the seven, and one of the 28: the last one inside counts, the first one outside does not."""
    with warehouse.write() as connection:
        connection.execute(
            "insert into marts.relevance_strata by name select strata.* replace ($day - ago as day) "
            "from marts.relevance_strata as strata, unnest([-1, 6, 7, 27, 28]) as other (ago)",
            {"day": DAY},
        )

    found = windows(warehouse, DAY, "production").filter(tenant="acme.example")

    # 32 passages of the night; of 6 nights ago as well; of 6, 7 and 27 nights ago
    assert dict(found.select("nights", "passages").iter_rows()) == {1: 32, 7: 2 * 32, 28: 4 * 32}


def test_costs_count_every_drawn_retrieval_once(warehouse: Warehouse) -> None:
    """Those that were not asked are counted too."""
    with warehouse.write() as connection:
        connection.execute("update night.sample set verdict_key = null where retrieval_id = 'r1'")
        connection.execute("update night.verdicts set prompt_tokens = 100, completion_tokens = 7")

    found = costs(warehouse, DAY, "production")

    assert found.rows_by_key("status", named=True, unique=True) == {
        "judged": {"retrievals": 6, "calls": 6, "prompt_tokens": 600, "cached_tokens": 0, "completion_tokens": 42},
        "not asked": {"retrievals": 1, "calls": 0, "prompt_tokens": 0, "cached_tokens": 0, "completion_tokens": 0},
    }


def test_the_report_of_a_night_that_was_not_run_says_how_to_run_it(warehouse: Warehouse) -> None:
    """No empty page."""
    assert conditions(warehouse, FIRST) is None
    with pytest.raises(UsageError, match="nightcheck night --day 2026-03-01"):
        report(warehouse, FIRST, "production")


def test_the_report_has_what_the_night_has(warehouse: Warehouse) -> None:
    """Its trend, its rate, how it was run."""
    found = report(warehouse, DAY, "production")

    assert [each.tenant for each in found.trends] == ["*", "acme.example"]
    assert found.conditions.sample_size == 7
    assert not found.relevance.is_empty()
    assert found.alerts == ()
