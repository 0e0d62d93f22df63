"""What trends and reports read, from a warehouse."""

from datetime import date
from pathlib import Path

import pytest

from pipelines.errors import UsageError
from pipelines.io.warehouse import Warehouse
from pipelines.marts.reading.run import conditions, costs, definition_changes, report, trend, trends, windows
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
