"""What an alert says to a person; pure."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

_BROKE = {
    "query": "the query no longer says what is needed",
    "retriever": "the retriever misses",
    "both": "query and retriever both broke",
    "unclear": "which half broke is not clear",
}
_CELLS = {
    "*": "",
    "first": " on first turns",
    "later_as_typed": " on later turns searched as typed",
    "combined": " on combined turns",
    "as_typed": " searched as typed",
    "later": " on later turns",
}
_UNUSED = {
    "missing": "there was no night",
    "incomplete": "drawn retrievals lack their verdict",
    "other_judge": "another judge than the baseline's (accept a new one: nightcheck alerts baseline)",
}
#: slices that a message spells out
_AT_MOST = 5


def headline(alert: Mapping[str, Any]) -> str:
    """Return one line: who, what, from where to where, since when, which half broke."""
    who = "all tenants" if alert["tenant"] == "*" else alert["tenant"]
    what = "retrieved passages" if alert["kind"] == "*" else f"{alert['kind']} passages"
    now = _rate(alert["rate"], alert["low"], alert["high"])
    broke = _BROKE[alert["fault"]]
    before = _rate(alert["rate_before"], alert["low_before"], alert["high_before"])
    moved = "; the judge itself has moved, so this says nothing of the retrievals" if alert["instrument_moved"] else ""
    if alert["rule"] == "threshold":
        when = f"on {alert['last_day']}, {before} before {alert['since']}"
        return f"{who}: {now} of {what} irrelevant {when}; {broke}{moved}"
    return (
        f"{who}: {now} of {what}{_CELLS[alert['cell']]} irrelevant from {alert['since']} to {alert['last_day']}, "
        f"{before} before; {broke}{moved}"
    )


def next_step(alert: Mapping[str, Any]) -> str:
    """Return the command with which one looks further."""
    tenant = "" if alert["tenant"] == "*" else f" --tenant {alert['tenant']}"
    return f"nightcheck show worst_retrievals --day {alert['last_day']}{tenant}"


def told(what: str, alerts: Sequence[Mapping[str, Any]], *, opened: date) -> str:
    """Return the whole message on an alarm: what happened to it, then a line for each slice, the first in full."""
    if what == "recovered":
        who = ", ".join(sorted({alert["tenant"] for alert in alerts if alert["tenant"] != "*"})) or "all tenants"
        return f"Recovered: the rise of irrelevance that was called on {opened} is over ({who})."
    first = "Irrelevance has risen." if what == "opened" else f"The rise that was called on {opened} has widened."
    if all(alert["instrument_moved"] for alert in alerts):
        first = "The judge has moved: its grades of known passages differ from what they were. This is no rise."
    lines = [first, *(f"• {headline(alert)}" for alert in alerts[:_AT_MOST])]
    if len(alerts) > _AT_MOST:
        lines.append(f"• and {len(alerts) - _AT_MOST} more: nightcheck alerts list")
    lines.append(f"Look further: {next_step(alerts[0])}")
    return "\n".join(lines)


def with_worst(text: str, worst: Sequence[str]) -> str:
    """Add the retrievals to read first. They are stored apart, so that they can be erased from what was told."""
    return f"{text}\nRead first: {', '.join(worst)}" if worst else text


def unused(nights: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a line on each stretch of days that the charts could not use for one reason.

    `nights` are ordered by environment and day.
    """
    stretches: list[list[Mapping[str, Any]]] = []
    for night in nights:
        before = stretches[-1][-1] if stretches else None
        alike = before and all(before[name] == night[name] for name in ("environment", "outcome"))
        if before and alike and night["day"] - before["day"] == timedelta(days=1):
            stretches[-1].append(night)
        else:
            stretches.append([night])
    return [
        f"{_days(stretch)}, {stretch[0]['environment']}: {_UNUSED[stretch[0]['outcome']]}; the charts did not move"
        for stretch in stretches
    ]


def _days(stretch: Sequence[Mapping[str, Any]]) -> str:
    return str(stretch[0]["day"]) + (f" to {stretch[-1]['day']}" if len(stretch) > 1 else "")


def _rate(rate: float | None, low: float | None, high: float | None) -> str:
    if rate is None:
        return "an unknown share"
    return f"{rate:.0%}" if low is None or high is None else f"{rate:.0%} [{low:.0%}, {high:.0%}]"
