"""An experiment materialised: its verdicts, tables and pictures are metadata of the asset."""

from datetime import UTC, datetime
from pathlib import Path

import dagster as dg
import pytest

from assets.experiments import ExperimentConfig, strategy_experiment
from assets.resources import Nightcheck
from pipelines.experiments.datasets.run import import_retrieval
from tests.experiments.plants import write_source


@pytest.mark.integration
def test_a_run_shows_its_table_and_pictures(tmp_path: Path) -> None:
    """Everything that the report has is shown where the run is."""
    import_retrieval(write_source(tmp_path / "source"), tmp_path / "plants", now=datetime(2026, 11, 30, tzinfo=UTC))
    config = ExperimentConfig(dataset=str(tmp_path / "plants"), strategies=["always_combine"])

    with dg.DagsterInstance.ephemeral() as instance:
        result = dg.materialize(
            [strategy_experiment],
            instance=instance,
            run_config=dg.RunConfig(ops={"strategy_experiment": config}),
            resources={"nightcheck": Nightcheck(home=str(tmp_path / "home"))},
        )

    (shown,) = (each.metadata for each in result.asset_materializations_for_node("strategy_experiment"))
    assert shown["results"].value == 48
    assert "always_combine" in str(shown["What may be said"].value)
    assert sum(name.startswith("picture: ") for name in shown) >= 3
    assert str(shown["picture: Cost against gain"].value).startswith("![Cost against gain](data:image/svg+xml;base64,")
