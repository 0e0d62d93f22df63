"""Find rises by the threshold rule, store them as rows, and deliver each once."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from pipelines.alerts.message import headline, next_step
from pipelines.io.notify import post
from pipelines.io.warehouse import Warehouse
from schemas import sql


def find(warehouse: Warehouse) -> list[dict[str, Any]]:
    """Draw the whole chart anew and store its rises; return those that stand on the newest night.

    The chart depends on the mart alone, so that a backfill of an old day corrects it and repeats nothing.
    """
    with warehouse.write() as connection:
        found = connection.sql(sql.load("alerts/threshold.sql")).to_arrow_table()
        connection.register("found_alerts", found)
        connection.execute(sql.load("alerts/store_threshold.sql"))
        connection.execute(sql.load("alerts/forget_threshold.sql"))
        connection.unregister("found_alerts")
        standing: list[dict[str, Any]] = connection.sql(sql.load("alerts/standing.sql")).pl().to_dicts()
    return standing


def deliver(
    warehouse: Warehouse,
    *,
    now: Callable[[], datetime],
    webhook_url: str | None,
    log: Callable[[str], None],
) -> int:
    """Tell of every standing alert that nobody was told of, by webhook where there is one and in the log always.

    Each is marked as it is delivered, so that a webhook which fails half-way is not told the first half again. Raises
    `WebhookError` where it fails; what is left is delivered with the next call.
    """
    with warehouse.read() as connection:
        waiting = connection.sql(sql.load("alerts/undelivered.sql")).pl().to_dicts()
    for alert in waiting:
        text = f"{headline(alert)}. Look further: {next_step(alert)}"
        if webhook_url is not None:
            post(webhook_url, {"text": text, "alert": {name: _plain(value) for name, value in alert.items()}})
        log(text)
        with warehouse.write() as connection:
            connection.execute(sql.load("alerts/delivered.sql"), {"at": now(), "alert_id": alert["alert_id"]})
    return len(waiting)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, str | int | float | list) else str(value)
