"""The sensors over several ticks, on an instance that keeps its events in SQLite, as a real one does."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.definitions.sensor_definition import SensorExecutionData

from assets import automation
from assets.automation import deliver_alerts, missing_and_dirty_days, nightly_job, nights_run_elsewhere
from assets.definitions import defs
from assets.resources import Nightcheck
from pipelines.io.warehouse import Warehouse
from pipelines.night.run import days_to_run
from tests.assets.conftest import FIRST, LAST
from tests.assets.runs import run_from_the_command_line


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    """Return an instance with the SQLite storage."""
    folder = tmp_path / "dagster"
    folder.mkdir()
    with dg.DagsterInstance.local_temp(str(folder)) as instance:
        yield instance


def tick(sensor: dg.SensorDefinition, instance: dg.DagsterInstance, home: Path) -> SensorExecutionData:
    """Evaluate a sensor once."""
    with dg.build_sensor_context(
        instance=instance,
        repository_def=defs.get_repository_def(),
        resources={"nightcheck": Nightcheck(home=str(home))},
    ) as context:
        return sensor.evaluate_tick(context)


def asked_for(data: SensorExecutionData) -> list[str | None]:
    """Return the partitions that a tick asks for."""
    return [request.partition_key for request in data.run_requests or ()]


def start(instance: dg.DagsterInstance, data: SensorExecutionData, status: dg.DagsterRunStatus) -> None:
    """Do what the daemon does with the requests of a tick, without executing: a run for each."""
    for request in data.run_requests or ():
        instance.create_run_for_job(
            job_def=defs.resolve_job_def(nightly_job.name),
            status=status,
            tags={"dagster/partition": str(request.partition_key), "dagster/run_key": str(request.run_key)},
        )


def test_missing_days_are_asked_for_until_their_nights_are_there(home: Path, instance: dg.DagsterInstance) -> None:
    """The first tick asks; while runs are under way it waits; what was run is not asked for again."""
    days = days_to_run(Warehouse(home / "warehouse.duckdb"), FIRST, LAST + timedelta(days=30))
    first = tick(missing_and_dirty_days, instance, home)
    start(instance, first, dg.DagsterRunStatus.STARTED)

    second = tick(missing_and_dirty_days, instance, home)
    run_from_the_command_line(home, *days)
    third = tick(missing_and_dirty_days, instance, home)

    assert asked_for(first) == [day.isoformat() for day in days[:5]]
    assert not set(asked_for(second)) & set(asked_for(first))
    assert asked_for(third) == []
    assert third.skip_message == "every day is up to date"


def test_days_that_fail_for_good_do_not_crowd_out_others(
    home: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A day that was asked for a short while ago and failed leaves the place to the next one."""
    monkeypatch.setattr(automation, "_AT_ONCE", 1)
    first = tick(missing_and_dirty_days, instance, home)
    start(instance, first, dg.DagsterRunStatus.FAILURE)

    second = tick(missing_and_dirty_days, instance, home)

    assert asked_for(first) == [FIRST.isoformat()]
    assert asked_for(second) == [(FIRST + timedelta(days=1)).isoformat()]


def test_late_events_make_their_day_due_again(home: Path, instance: dg.DagsterInstance) -> None:
    """A night that was run before a later batch touched its day is asked for."""
    warehouse = Warehouse(home / "warehouse.duckdb")
    run_from_the_command_line(home, *days_to_run(warehouse, FIRST, LAST + timedelta(days=30)))
    calm = tick(missing_and_dirty_days, instance, home)
    with warehouse.write() as connection:
        connection.execute("insert into ingest.batch_days values (1000000, $day, 1)", {"day": FIRST})

    after = tick(missing_and_dirty_days, instance, home)

    assert asked_for(calm) == []
    assert asked_for(after) == [FIRST.isoformat()]


def test_yesterday_is_left_to_the_schedule(
    home: Path, instance: dg.DagsterInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the schedule has had its time the sensor leaves a day alone, and afterwards makes up for it."""
    midnight = datetime.combine(FIRST + timedelta(days=1), datetime.min.time(), tzinfo=UTC)
    monkeypatch.setattr(automation, "now", lambda: midnight + timedelta(hours=3))
    early = tick(missing_and_dirty_days, instance, home)
    monkeypatch.setattr(automation, "now", lambda: midnight + timedelta(hours=7))

    late = tick(missing_and_dirty_days, instance, home)

    assert asked_for(early) == []
    assert asked_for(late) == [FIRST.isoformat()]


@pytest.mark.parametrize(
    "sensor", [missing_and_dirty_days, deliver_alerts, nights_run_elsewhere], ids=lambda each: each.name
)
def test_before_anything_was_ingested_a_sensor_waits(
    sensor: dg.SensorDefinition, tmp_path: Path, instance: dg.DagsterInstance
) -> None:
    """A fresh installation has no failing ticks."""
    data = tick(sensor, instance, tmp_path / "nothing")

    assert data.skip_message == "nothing has been ingested yet"


def test_nights_of_the_command_line_are_made_known_once(home: Path, instance: dg.DagsterInstance) -> None:
    """A night that was run elsewhere is a materialisation with the mart's figures, and the overview is made anew."""
    run_from_the_command_line(home, FIRST)

    first = tick(nights_run_elsewhere, instance, home)
    for event in first.asset_events:
        instance.report_runless_asset_event(event)
    second = tick(nights_run_elsewhere, instance, home)
    run_from_the_command_line(home, LAST)
    third = tick(nights_run_elsewhere, instance, home)

    assert {event.partition for event in first.asset_events if isinstance(event, dg.AssetMaterialization)} == {
        FIRST.isoformat()
    }
    latest = instance.get_latest_materialization_event(dg.AssetKey("relevance_daily"))
    assert latest is not None
    assert latest.asset_materialization is not None
    assert 0 < float(str(latest.asset_materialization.metadata["irrelevant_need"].value)) < 1
    assert len(first.run_requests or ()) == 1
    assert second.skip_message == "every night is known"
    assert {event.partition for event in third.asset_events if isinstance(event, dg.AssetMaterialization)} == {
        LAST.isoformat()
    }
