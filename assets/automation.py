"""When things run: every night, for every day that was missed or that late events touched, and when an alert waits."""

from datetime import date, timedelta
from time import sleep

import dagster as dg

from assets.partitions import DAYS
from assets.resources import Nightcheck
from pipelines.alerts.run import deliver
from pipelines.io.clock import now
from pipelines.io.notify import webhook
from pipelines.io.warehouse import NoWarehouseError
from pipelines.night.run import days_to_run

nightly_job = dg.define_asset_job(
    "nightly",
    selection=dg.AssetSelection.groups("night", "marts"),
    partitions_def=DAYS,
    description="Sample, judge, measure, publish: the night of one day.",
)

#: a missed tick is never replayed; the sensor below finds the days that this schedule missed
nightly_schedule = dg.build_schedule_from_partitioned_job(
    nightly_job, hour_of_day=2, minute_of_hour=30, default_status=dg.DefaultScheduleStatus.RUNNING
)

#: a day is left to the schedule until it is this old
_SETTLED = timedelta(days=2)
_AT_ONCE = 5


@dg.sensor(
    job=nightly_job,
    minimum_interval_seconds=300,
    default_status=dg.DefaultSensorStatus.RUNNING,
    name="missing_and_dirty_days",
)
def missing_and_dirty_days(nightcheck: Nightcheck) -> dg.SensorResult:
    """Ask for the night of every past day that has events and no night, or events that came after its night."""
    first, newest = DAYS.get_first_partition_key(), DAYS.get_last_partition_key()
    if first is None or newest is None:
        return dg.SensorResult(skip_reason="no day is over yet")
    try:
        days = days_to_run(nightcheck.warehouse(), date.fromisoformat(first), date.fromisoformat(newest))
    except NoWarehouseError:
        return dg.SensorResult(skip_reason="nothing has been ingested yet")
    tick = now()
    due = [day for day in days if tick.date() - day >= _SETTLED][:_AT_ONCE]
    requests = [
        # asked for at most once an hour, so that a day which fails for good is not run without end
        dg.RunRequest(partition_key=day.isoformat(), run_key=f"{day}@{tick:%Y-%m-%dT%H}")
        for day in due
    ]
    return dg.SensorResult(run_requests=requests, skip_reason=None if due else "every day is up to date")


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


JOBS = [nightly_job]
SCHEDULES = [nightly_schedule]
SENSORS = [missing_and_dirty_days, deliver_alerts]
