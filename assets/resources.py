"""What assets need from outside, made from the settings of the process."""

import os

import dagster as dg

from pipelines.io.warehouse import Warehouse
from pipelines.judging.choice.run import choose_judge
from pipelines.judging.verdict import Judge
from pipelines.night.run import Plan, plan_of
from pipelines.settings import Settings


class Nightcheck(dg.ConfigurableResource[None]):
    """This installation. `home`, `judge` and `sample` stand in for the environment's where they are given."""

    home: str | None = None
    judge: str | None = None
    sample: str | None = None

    def settings(self) -> Settings:
        """Return the settings of the process, with what was given here."""
        given = {"NIGHTCHECK_HOME": self.home} if self.home else {}
        return Settings.from_environment({**os.environ, **given})

    def warehouse(self) -> Warehouse:
        """Return the warehouse. It waits for its turn by itself: launches from the command line bypass the queue."""
        settings = self.settings()
        log = dg.get_dagster_logger()
        return Warehouse(
            settings.warehouse,
            time_zone=settings.time_zone,
            memory_limit=settings.memory_limit,
            threads=settings.threads,
            on_wait=log.info,
        )

    def instrument(self) -> Judge:
        """Return the judge."""
        settings = self.settings()
        return choose_judge(
            self.judge or settings.judge,
            home=settings.home,
            environment=os.environ,
            warn=dg.get_dagster_logger().warning,
        )

    def plan(self) -> Plan:
        """Return how nights are run."""
        return plan_of(self.settings(), self.sample)
