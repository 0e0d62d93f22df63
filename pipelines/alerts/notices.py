"""Which alarms people are told of, and which are old news; pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

import pyarrow as pa

from pipelines.alerts.episode import Episode
from pipelines.alerts.message import told
from pipelines.alerts.rows import digest

NOTICES = pa.schema(
    [(name, pa.string()) for name in ("notice_id", "rule", "environment")]
    + [(name, pa.list_(pa.string())) for name in ("tenants", "worst")]
    + [("day", pa.date32()), ("opened", pa.date32()), ("what", pa.string()), ("text", pa.string()), ("due", pa.bool_())]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """A notice that is stored: `due` if it was or is to be delivered, else it was old news when it was found."""

    notice_id: str
    rule: str
    environment: str
    what: str
    day: date
    due: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNotice:
    """A notice to store. `due` is decided here, once: whatever is found later does not make old news of it, or news."""

    notice_id: str
    rule: str
    environment: str
    day: date
    opened: date
    what: str
    text: str
    tenants: list[str]
    worst: list[str]
    due: bool


def fleet_notices(
    environment: str,
    found: Sequence[Episode],
    alerts: Sequence[Mapping[str, Any]],
    known: Sequence[Known],
    *,
    newest: date,
    acknowledged: Iterable[date],
) -> list[NewNotice]:
    """Return what is new to tell of the fleet's alarms; `alerts` are their rows, the greatest part first.

    Old news is stored too, but not due. What stands tonight is told once, however its opening night moves when an old
    day is run again; it is told again on the night that it widens, and on the night that it is over.
    """
    known_ids = {each.notice_id for each in known}
    is_open = _is_open(
        [each for each in known if each.environment == environment and each.rule == "fleet"], acknowledged
    )
    new = []
    for episode in found:
        rows = [alert for alert in alerts if alert["environment"] == environment and alert["opened"] == episode.opened]
        nights = [("opened", episode.opened), *(("widened", day) for day in episode.widened)]
        if episode.ended == "recovered" and episode.ended_on is not None:
            nights.append(("recovered", episode.ended_on))
        for what, day in nights:
            notice_id = digest("fleet", environment, what, day)
            if notice_id in known_ids or not rows:
                continue
            is_news = (episode.ended is None and not is_open) if what == "opened" else (day == newest and is_open)
            new.append(
                NewNotice(
                    notice_id=notice_id,
                    rule="fleet",
                    environment=environment,
                    day=day,
                    opened=episode.opened,
                    what=what,
                    text=told(what, rows, opened=episode.opened),
                    tenants=sorted({row["tenant"] for row in rows}),
                    worst=[] if what == "recovered" else rows[0]["worst"],
                    due=is_news,
                )
            )
    return new


def threshold_notices(alerts: Iterable[Mapping[str, Any]], known: Sequence[Known]) -> list[NewNotice]:
    """Return what is new to tell of rises by the threshold rule: each that stands tonight, once."""
    known_ids = {each.notice_id for each in known}
    return [
        NewNotice(
            notice_id=alert["alert_id"],
            rule="threshold",
            environment=alert["environment"],
            day=alert["opened"],
            opened=alert["opened"],
            what="opened",
            text=told("opened", [alert], opened=alert["opened"]),
            tenants=[alert["tenant"]],
            worst=alert["worst"],
            due=alert["ended"] is None,
        )
        for alert in alerts
        if alert["alert_id"] not in known_ids
    ]


def as_table(new: Iterable[NewNotice]) -> pa.Table:
    """Return notices as rows."""
    return pa.Table.from_pylist([asdict(each) for each in new], schema=NOTICES)


def _is_open(known: Iterable[Known], acknowledged: Iterable[date]) -> bool:
    """Whether people have been told of an alarm and not that it is over, nor have said so themselves."""
    due = [each for each in known if each.due]
    if not due:
        return False
    last = max(due, key=lambda each: (each.day, each.what == "recovered"))
    return last.what != "recovered" and all(day < last.day for day in acknowledged)
