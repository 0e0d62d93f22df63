"""Experiments in the UI: a run with its verdicts, tables and pictures."""

import base64
import os

import dagster as dg
from pydantic import Field

from assets.resources import Nightcheck
from pipelines.experiments.comparison import Settings
from pipelines.experiments.conduct.run import conduct, confirmations
from pipelines.experiments.ledger.run import Ledger
from pipelines.experiments.reading import Reading
from pipelines.experiments.report import pictures
from pipelines.experiments.report.markdown import table_as_markdown
from pipelines.experiments.report.tables import tables
from pipelines.experiments.setup.run import Asked, set_up
from pipelines.experiments.wording import notes
from pipelines.io.clock import now


class ExperimentConfig(dg.Config):
    """What to compare on which set; without strategies, all that costs nothing."""

    dataset: str
    strategies: list[str] = Field(default_factory=list)
    control: str = "raw"
    retriever: str = "bm25"
    judge: str = "qrels"
    k: int = 10
    margin: float = 0.02


# no pool: it waits for models and retrievers, and the ledger holds the warehouse for short moments alone
@dg.asset(group_name="experiments", kinds={"duckdb"})
def strategy_experiment(
    context: dg.AssetExecutionContext, config: ExperimentConfig, nightcheck: Nightcheck
) -> dg.MaterializeResult[None]:
    """Query strategies over one labelled set, compared item by item; fails unless every item completes.

    Launch it with a configuration that names the set; a failed run is filled up when the same is launched again.
    """
    asked = Asked(
        dataset=config.dataset,
        specs=tuple(config.strategies),
        control=config.control,
        retriever=config.retriever,
        judge=config.judge,
        k=config.k,
    )
    ready = set_up(asked, nightcheck.settings(), environment=os.environ, warn=context.log.warning)
    ledger = Ledger(nightcheck.warehouse())
    reading = conduct(ledger, ready.design, ready.doors, Settings(margin=config.margin), now=now)
    return dg.MaterializeResult(metadata=_shown(ledger, reading))


def _shown(ledger: Ledger, reading: Reading) -> dict[str, dg.MetadataValue]:
    run = reading.stored.run
    confirmed = confirmations(ledger, reading, present_harness=run.harness_version)
    shown: dict[str, dg.MetadataValue] = {
        "run": dg.MetadataValue.text(run.run_id),
        "results": dg.MetadataValue.int(run.completed),
        "notes": dg.MetadataValue.md("\n".join(f"- {note}" for note in notes(reading))),
    }
    shown |= {each.title: dg.MetadataValue.md(table_as_markdown(each)) for each in tables(reading, confirmed)}
    for each in pictures(reading):
        packed = base64.b64encode(each.svg.encode()).decode()
        shown[f"picture: {each.title}"] = dg.MetadataValue.md(f"![{each.title}](data:image/svg+xml;base64,{packed})")
    return shown
