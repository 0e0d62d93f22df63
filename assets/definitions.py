"""Everything that Dagster knows of, in one explicit list."""

import dagster as dg

from assets.alerts import relevance_overview
from assets.automation import JOBS, SCHEDULES, SENSORS
from assets.checks import fresh, relevance_contract
from assets.experiments import strategy_experiment
from assets.marts import MARTS, published_marts
from assets.nightly import ASSETS
from assets.resources import Nightcheck
from assets.stream import STREAM

defs = dg.Definitions(
    assets=[*STREAM, *ASSETS, *MARTS, published_marts, relevance_overview, strategy_experiment],
    asset_checks=[relevance_contract, fresh],
    jobs=JOBS,
    schedules=SCHEDULES,
    sensors=SENSORS,
    resources={"nightcheck": Nightcheck()},
    # one process per run: a step of its own costs seconds of start-up, and two would queue for the warehouse
    executor=dg.in_process_executor,
)
