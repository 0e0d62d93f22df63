"""One partition is one day in the warehouse's time zone. Every asset of the chain shares this one object."""

import os

import dagster as dg

from pipelines.settings import Settings

DAYS = dg.DailyPartitionsDefinition(
    start_date=os.environ.get("NIGHTCHECK_FIRST_DAY", "2024-01-01"),
    timezone=Settings.from_environment(os.environ).time_zone,
)

#: a range runs as one run: a day costs milliseconds, a run seconds. What a judge answered is stored as it comes, so a
#: range that fails half-way pays for no verdict twice when it is run again.
ONE_RUN = dg.BackfillPolicy.single_run()
