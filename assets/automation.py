"""When things run: every night, for every day that was missed or that late events touched, and when an alert waits."""

from datetime import date, datetime, timedelta
from time import sleep

import dagster as dg

from assets.alerts import relevance_overview
from assets.marts import MARTS, published_marts, shown
from assets.nightly import ASSETS
from assets.partitions import DAYS
from assets.resources import Nightcheck
from pipelines.alerts.run import deliver
from pipelines.io.clock import now
from pipelines.io.notify import webhook
from pipelines.io.warehouse import NoWarehouseError, Warehouse
from pipelines.marts.catalog import in_order
from pipelines.marts.reading.run import published_nights
from pipelines.night.run import days_to_run

nightly_job = dg.define_asset_job(
    "nightly",
    selection=dg.AssetSelection.groups("night", "marts"),
    description="Sample, judge, measure, publish: the night of one day.",
)

#: a missed tick is never replayed; the sensor below finds the days that this schedule missed
nightly_schedule = dg.build_schedule_from_partitioned_job(
    nightly_job, hour_of_day=2, minute_of_hour=30, default_status=dg.DefaultScheduleStatus.RUNNING
)

#: a day is left to the schedule for so long after it ended
_SETTLED = timedelta(hours=6)
_AT_ONCE = 5
_AT_ONCE_KNOWN = 30
#: a day is asked for at most once in this time, so that one which fails for good is not run without end
_PAUSE = timedelta(hours=1)
_OVER = {dg.DagsterRunStatus.SUCCESS, dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED}
_UNDER_WAY = [status for status in dg.DagsterRunStatus if status not in _OVER]


@dg.sensor(
    job=nightly_job,
    minimum_interval_seconds=300,
    default_status=dg.DefaultSensorStatus.RUNNING,
    name="missing_and_dirty_days",
)
def missing_and_dirty_days(context: dg.SensorEvaluationContext, nightcheck: Nightcheck) -> dg.SensorResult:
    """Ask for the night of every past day that has events and no night, or events that came after its night."""
    first, newest = DAYS.get_first_partition_key(), DAYS.get_last_partition_key()
    if first is None or newest is None:
        return dg.SensorResult(skip_reason="no day is over yet")
    try:
        days = days_to_run(nightcheck.warehouse(), date.fromisoformat(first), date.fromisoformat(newest))
    except NoWarehouseError:
        return dg.SensorResult(skip_reason="nothing has been ingested yet")
    tick = now()
    due = [day for day in days if tick - _end(day) >= _SETTLED]
    asked_for = _asked_for(context.instance, tick)
    open_days = [day for day in due if day.isoformat() not in asked_for][:_AT_ONCE]
    requests = [
        dg.RunRequest(partition_key=day.isoformat(), run_key=f"{day}@{tick:%Y-%m-%dT%H:%M}") for day in open_days
    ]
    if open_days:
        return dg.SensorResult(run_requests=requests)
    return dg.SensorResult(skip_reason="waiting for the runs that were asked for" if due else "every day is up to date")


def _end(day: date) -> datetime:
    return DAYS.time_window_for_partition_key(day.isoformat()).end


def _asked_for(instance: dg.DagsterInstance, tick: datetime) -> set[str]:
    """Return the days that a run is under way for or that were asked for a short while ago."""
    under_way = instance.get_runs(dg.RunsFilter(statuses=_UNDER_WAY))
    lately = instance.get_runs(dg.RunsFilter(job_name=nightly_job.name, created_after=tick - _PAUSE))
    asked_for: set[str] = set()
    for run in [*under_way, *lately]:
        first = run.tags.get("dagster/partition") or run.tags.get("dagster/asset_partition_range_start")
        last = run.tags.get("dagster/asset_partition_range_end", first)
        if first is not None and last is not None:
            asked_for |= set(DAYS.get_partition_keys_in_range(dg.PartitionKeyRange(first, last)))
    return asked_for


@dg.sensor(
    minimum_interval_seconds=60, default_status=dg.DefaultSensorStatus.RUNNING, name="deliver_alerts", job_name=None
)
def deliver_alerts(context: dg.SensorEvaluationContext, nightcheck: Nightcheck) -> dg.SkipReason:
    """Tell of every alert that nobody was told of, once. Reads rows of our own, so it needs no cursor."""
    settings = nightcheck.settings()
    try:
        to = webhook(settings.webhook_url, settings.webhook_secret)
        told = deliver(nightcheck.warehouse(), to=to, now=now, sleep=sleep, log=context.log.warning)
    except NoWarehouseError:
        return dg.SkipReason("nothing has been ingested yet")
    return dg.SkipReason(f"told of {told}" if told else "nothing to tell")


@dg.sensor(
    asset_selection=dg.AssetSelection.assets(relevance_overview),
    minimum_interval_seconds=30,
    default_status=dg.DefaultSensorStatus.RUNNING,
    name="nights_run_elsewhere",
)
def nights_run_elsewhere(context: dg.SensorEvaluationContext, nightcheck: Nightcheck) -> dg.SensorResult:
    """Make known what the command line ran, so that its nights are seen like any other; no night is run again."""
    warehouse, instance = nightcheck.warehouse(), context.instance
    try:
        nights = [day for day in published_nights(warehouse) if DAYS.has_partition_key(day.isoformat())]
    except NoWarehouseError:
        return dg.SensorResult(skip_reason="nothing has been ingested yet")
    known = instance.get_materialized_partitions(published_marts.key) | _asked_for(instance, now())
    unknown = [day for day in nights if day.isoformat() not in known][-_AT_ONCE_KNOWN:]
    if not unknown:
        return dg.SensorResult(skip_reason="every night is known")
    environment = nightcheck.settings().environments[0]
    return dg.SensorResult(
        asset_events=[event for day in unknown for event in _as_if_run_here(warehouse, day, environment)],
        run_requests=[dg.RunRequest(run_key=f"{nights[-1]}")],
    )


def _as_if_run_here(warehouse: Warehouse, day: date, environment: str) -> list[dg.AssetMaterialization]:
    metadata = {mart: shown(warehouse, mart, day, environment) for mart in in_order()}
    return [
        dg.AssetMaterialization(
            asset_key=asset.key,
            partition=day.isoformat(),
            metadata=metadata.get(asset.key.to_user_string(), {}) | {"run from": "the command line"},
        )
        for asset in (*ASSETS, *MARTS, published_marts)
    ]


JOBS = [nightly_job]
SCHEDULES = [nightly_schedule]
SENSORS = [missing_and_dirty_days, nights_run_elsewhere, deliver_alerts]
