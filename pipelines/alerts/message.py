"""What an alert says to a person; pure."""

from collections.abc import Mapping
from typing import Any


def headline(alert: Mapping[str, Any]) -> str:
    """Return one line: who, what, from where to where, which half broke, since when."""
    what = "retrieved passages" if alert["slice"] == "all" else f"{alert['value']} passages"
    interval = "" if alert["low"] is None else f" [{alert['low']:.0%}, {alert['high']:.0%}]"
    broke = {"query": "the query no longer says what is needed", "retriever": "the retriever misses"}[alert["fault"]]
    return (
        f"{alert['tenant']}: {alert['rate']:.0%}{interval} of {what} irrelevant on {alert['last_day']}, "
        f"{alert['rate_before']:.0%} before {alert['since']}; {broke}"
    )


def next_step(alert: Mapping[str, Any]) -> str:
    """Return the command with which one looks further."""
    return f"nightcheck show worst_retrievals --day {alert['last_day']} --tenant {alert['tenant']}"
