"""Draw the charts of the warehouse anew, store alarms as rows, and tell of each once."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import pyarrow as pa

from pipelines.alerts.episode import Episode, episodes
from pipelines.alerts.message import with_worst
from pipelines.alerts.night import Night, Row, Stratum, night_of
from pipelines.alerts.notices import Known, as_table, fleet_notices, threshold_notices
from pipelines.alerts.replay import Act, Step, replay
from pipelines.alerts.rows import alert_rows, chart_rows, charted_rows, instrument_rows
from pipelines.alerts.slices import Leaf
from pipelines.errors import UsageError
from pipelines.io.notify import Webhook, WebhookError, post
from pipelines.io.registered import registered
from pipelines.io.warehouse import Connection, Warehouse
from pipelines.judging.anchors.drift import Instrument
from pipelines.judging.anchors.run import ALL_ENVIRONMENTS, known_instruments
from schemas import sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Charts:
    """The charts of one environment, from its first night to its newest."""

    environment: str
    steps: list[Step]
    episodes: list[Episode]
    #: days whose judge had moved by its own chart
    moved: frozenset[date]


def find(warehouse: Warehouse) -> list[dict[str, Any]]:
    """Draw all charts anew and store them, with their alarms; return the alerts that stand on the newest night.

    What is stored depends on the published nights and on what people did, and on nothing else. So a backfill of an old
    day corrects the charts; it tells no one, unless it makes an alarm that stands tonight.
    """
    with warehouse.write() as connection:
        _sum_up(connection)
        judges = known_instruments(connection)
        acts = _acts(connection)
        nights = _nights(connection)
    charts = []
    for environment, of_environment in sorted(nights.items()):
        steps = list(replay(of_environment, acts.get(environment, ())))
        moved = _moved(of_environment, judges)
        charts.append(Charts(environment=environment, steps=steps, episodes=episodes(steps, moved), moved=moved))
    with warehouse.write() as connection:
        _store(connection, charts, judges)
        standing: list[dict[str, Any]] = connection.sql(sql.load("alerts/standing.sql")).pl().to_dicts()
        _store_notices(connection, charts, acts)
    return standing


def unused_nights(warehouse: Warehouse) -> list[dict[str, Any]]:
    """Return the nights of the last weeks that the charts could not use, each with its reason as `outcome`."""
    with warehouse.read() as connection:
        nights: list[dict[str, Any]] = connection.sql(sql.load("alerts/unused_nights.sql")).pl().to_dicts()
    return nights


def deliver(
    warehouse: Warehouse,
    *,
    to: Webhook | None,
    now: Callable[[], datetime],
    sleep: Callable[[float], None],
    log: Callable[[str], None],
) -> int:
    """Tell of everything that is due and that nobody was told of: by webhook where there is one, in the log always.

    Each is marked as it is delivered, so that a failure half-way repeats nothing; what failed is tried with the next
    call and keeps nothing behind it back. Raises the first `WebhookError` at the end where the webhook failed for good.
    """
    with warehouse.read() as connection:
        waiting = connection.execute(sql.load("alerts/due_notices.sql")).fetchall()
    failed: list[WebhookError] = []
    for notice_id, environment, day, what, plain, worst in waiting:
        text = with_worst(plain, worst)
        if to is not None:
            notice = {"id": notice_id, "environment": environment, "day": day.isoformat(), "what": what}
            try:
                post(to, {"text": text, "notice": notice}, idempotency_key=notice_id, now=now, sleep=sleep)
            except WebhookError as error:
                failed.append(error)
                continue
        log(text)
        with warehouse.write() as connection:
            connection.execute(sql.load("alerts/deliver_notice.sql"), {"at": now(), "notice_id": notice_id})
    if failed:
        raise failed[0]
    return len(waiting)


def act(
    warehouse: Warehouse,
    environment: str,
    what: str,
    *,
    now: datetime,
    since: date | None = None,
    note: str | None = None,
    judge: bool = False,
) -> date:
    """Acknowledge what alarms, or accept a new baseline, after the newest night; return that night.

    With `judge` the judge is accepted as it now is, too, after the newest night of all: it belongs to no environment.

    Raises `UsageError` where the environment has no charts, or none since the night that is named.
    """
    with warehouse.write() as connection:
        newest = dict(connection.execute(sql.load("alerts/newest_charted.sql")).fetchall())
        if environment not in newest:
            known = ", ".join(sorted(newest)) or "none yet: run a night"
            raise UsageError(f"environment {environment!r}", "it has no charts", f"There are: {known}")
        day: date = newest[environment]
        if since is not None and since > day:
            raise UsageError(f"since {since}", f"no night of {environment} was run since then", f"The newest is {day}")
        done = {"what": what, "note": note, "acted_at": now}
        connection.execute(sql.load("alerts/act.sql"), done | {"environment": environment, "day": day, "since": since})
        if judge:
            of_judge = {"environment": ALL_ENVIRONMENTS, "day": max(newest.values()), "since": None}
            connection.execute(sql.load("alerts/act.sql"), done | of_judge)
    find(warehouse)
    return day


def _sum_up(connection: Connection) -> None:
    """Sum the nights that were made since the last time: a night costs the same however many there were before it."""
    days = [day for (day,) in connection.execute(sql.load("alerts/nights_to_sum.sql")).fetchall()]
    if not days:
        return
    for table in ("leaves", "sums"):
        connection.execute(sql.load(f"alerts/forget_{table}.sql"), {"days": days})
    with registered(connection, {"nights_to_sum": pa.table({"day": pa.array(days, pa.date32())})}):
        for table in ("leaves", "nights"):
            within = {"first_day": days[0], "last_day": days[-1]}
            connection.execute(sql.load(f"alerts/sum_{table}.sql"), within)


def _acts(connection: Connection) -> dict[str, list[Act]]:
    acts: dict[str, list[Act]] = defaultdict(list)
    for environment, day, what, since in connection.execute(sql.load("alerts/acts.sql")).fetchall():
        acts[environment].append(Act(day=day, what=what, since=since))
    return acts


def _nights(connection: Connection) -> dict[str, list[Night]]:
    """Return the published nights of each environment, in order."""
    strata = _by_night(connection, "alerts/strata.sql")
    rows = _by_night(connection, "alerts/judged_rows.sql")
    nights: dict[str, list[Night]] = defaultdict(list)
    for day, environment, instrument, complete in connection.execute(sql.load("alerts/judged_nights.sql")).fetchall():
        at = (day, environment)
        sizes = {Leaf(*stratum[:3]): Stratum(*stratum[3:]) for stratum in strata[at]}
        alike = (
            Row(leaf=Leaf(*leaf), judged=m, irrelevant=y, count=n, query_faults=q, retriever_faults=r)
            for *leaf, m, y, n, q, r in rows[at]
        )
        nights[environment].append(night_of(day, alike, strata=sizes, instrument=instrument, complete=complete))
    return nights


def _moved(nights: Sequence[Night], judges: Mapping[str, Instrument]) -> frozenset[date]:
    """Return the nights on which the very judge that judged them had moved."""
    return frozenset(
        night.day
        for night in nights
        if night.instrument in judges and judges[night.instrument].state(night.day) == "moved"
    )


def _by_night(connection: Connection, query: str) -> Mapping[tuple[date, str], list[tuple[Any, ...]]]:
    found: dict[tuple[date, str], list[tuple[Any, ...]]] = defaultdict(list)
    for day, environment, *rest in connection.execute(sql.load(query)).fetchall():
        found[day, environment].append(tuple(rest))
    return found


def _store(connection: Connection, charts: Sequence[Charts], judges: Mapping[str, Instrument]) -> None:
    """Replace what was derived by what is derived now."""
    for table in ("charts", "charted", "alerts", "instruments"):
        connection.execute(sql.load(f"alerts/forget_{table}.sql"))
    for each in charts:
        for name, statement, rows in (
            ("new_charts", "store_charts", chart_rows(each.environment, each.steps, each.moved)),
            ("new_charted", "store_charted", charted_rows(each.environment, each.steps, each.moved)),
            ("found_alerts", "store_fleet", alert_rows(each.environment, each.episodes)),
        ):
            with registered(connection, {name: rows}):
                connection.execute(sql.load(f"alerts/{statement}.sql"))
    with registered(connection, {"new_instruments": instrument_rows(judges)}):
        connection.execute(sql.load("alerts/store_instruments.sql"))
    risen = connection.sql(sql.load("alerts/threshold.sql")).to_arrow_table()
    with registered(connection, {"found_alerts": risen}):
        connection.execute(sql.load("alerts/store_threshold.sql"))


def _store_notices(connection: Connection, charts: Sequence[Charts], acts: Mapping[str, Sequence[Act]]) -> None:
    """Store what is new to tell; what was stored before stays as it was told."""
    alerts = connection.sql(sql.load("alerts/list.sql"), params={"tenant": None}).pl().to_dicts()
    stored = connection.execute(sql.load("alerts/known_notices.sql")).fetchall()
    known = [
        Known(notice_id=notice_id, rule=rule, environment=environment, what=what, day=day, due=due)
        for notice_id, rule, environment, what, day, due in stored
    ]
    by_rule = {rule: [alert for alert in alerts if alert["rule"] == rule] for rule in ("fleet", "threshold")}
    new = threshold_notices(by_rule["threshold"], known)
    for each in charts:
        new += fleet_notices(
            each.environment,
            each.episodes,
            by_rule["fleet"],
            known,
            newest=each.steps[-1].day,
            acknowledged=[act.day for act in acts.get(each.environment, ())],
        )
    with registered(connection, {"new_notices": as_table(new)}):
        connection.execute(sql.load("alerts/store_notices.sql"))
