"""The sensor that tells of alerts, over many ticks of an instance that keeps what it is told."""

from pathlib import Path

import dagster as dg
import numpy as np
import pytest

from assets.automation import deliver_alerts
from assets.resources import Nightcheck
from pipelines.alerts.run import find
from pipelines.io.warehouse import Warehouse
from tests.alerts.build import DOCUMENTS, nights
from tests.alerts.stored import store


@pytest.mark.integration
def test_an_alert_is_told_on_one_tick_of_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before there is anything, on the tick that finds it, and never again."""
    monkeypatch.delenv("NIGHTCHECK_WEBHOOK_URL", raising=False)
    home = tmp_path / "home"
    resource = Nightcheck(home=str(home))

    storage = tmp_path / "dagster"
    storage.mkdir()

    with dg.DagsterInstance.local_temp(str(storage)) as instance:

        def tick(cursor: str | None = None) -> str:
            with dg.build_sensor_context(instance=instance, cursor=cursor) as context:
                said = deliver_alerts(context, nightcheck=resource)
            assert isinstance(said, dg.SkipReason)
            return said.skip_message or ""

        before = tick()
        rng = np.random.default_rng(1)
        warehouse = Warehouse(home / "warehouse.duckdb")
        store(warehouse, [*nights(range(35), {DOCUMENTS: 0.3}, rng), *nights(range(35, 39), {DOCUMENTS: 0.6}, rng)])
        find(warehouse)
        after = [tick() for _ in range(4)]

    assert before == "nothing has been ingested yet"
    assert after == ["told of 1", "nothing to tell", "nothing to tell", "nothing to tell"]
