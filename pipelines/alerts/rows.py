"""Charts and alarms as rows of their tables; pure."""

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import pyarrow as pa

from pipelines.alerts.chart import slice_states
from pipelines.alerts.episode import Episode
from pipelines.alerts.replay import Step
from pipelines.alerts.slices import Slice, slices_of
from pipelines.judging.anchors.drift import Instrument

_WHERE = [("environment", pa.string()), ("tenant", pa.string()), ("kind", pa.string()), ("cell", pa.string())]
_CHARTS = pa.schema(
    [("day", pa.date32()), *_WHERE, ("state", pa.string()), ("score", pa.float64()), ("retrievals", pa.int64())]
)
_CHARTED = pa.schema(
    [
        ("day", pa.date32()),
        ("environment", pa.string()),
        ("outcome", pa.string()),
        ("score", pa.float64()),
        ("alarming", pa.bool_()),
        ("instrument_moved", pa.bool_()),
        ("baseline_first", pa.date32()),
        ("baseline_last", pa.date32()),
        ("baseline_nights", pa.int64()),
    ]
)
_ALERTS = pa.schema(
    [("alert_id", pa.string()), ("rule", pa.string()), *_WHERE]
    + [(name, pa.date32()) for name in ("opened", "since", "last_day")]
    + [("ended", pa.string()), ("instrument_moved", pa.bool_()), ("part", pa.float64())]
    + [(name, pa.float64()) for name in ("rate", "low", "high", "rate_before", "low_before", "high_before")]
    + [("nights_before", pa.int64()), ("fault", pa.string())]
)

_INSTRUMENTS = pa.schema(
    [("day", pa.date32()), ("instrument", pa.string()), ("state", pa.string())]
    + [(name, pa.int64()) for name in ("moved", "passages", "unanswered")]
    + [("usual", pa.float64()), ("score", pa.float64())]
)


def chart_rows(environment: str, steps: Iterable[Step], moved: frozenset[date] = frozenset()) -> pa.Table:
    """Return the chart of every slice after every night, with those that are still learning."""
    columns: dict[str, list[Any]] = {name: [] for name in _CHARTS.names}

    def add(step: Step, each: Slice, state: str, score: float | None, retrievals: int) -> None:
        values = (step.day, environment, each.tenant, each.kind, each.cell, state, score, retrievals)
        for name, value in zip(_CHARTS.names, values, strict=True):
            columns[name].append(value)

    for step in steps:
        if step.decision is None or step.night is None:
            continue
        states = slice_states(step.layout, step.decision, instrument_moved=step.day in moved)
        for i, each in enumerate(step.layout.slices):
            add(step, each, states[i], _finite(float(step.decision.log_score[i])), int(step.decision.retrievals[i]))
        seen = {each for leaf in step.night.leaves for each in slices_of(leaf)}
        for each in sorted(seen - step.layout.place.keys()):
            add(step, each, "learning", None, 0)
    return pa.table(columns, schema=_CHARTS)


def charted_rows(environment: str, steps: Iterable[Step], moved: frozenset[date] = frozenset()) -> pa.Table:
    """Return what each calendar day did to the charts; `moved` are the days on which the judge's own chart alarmed."""
    rows = [
        {
            "day": step.day,
            "environment": environment,
            "outcome": "missing" if step.decision is None else step.decision.skipped or "charted",
            "score": None if step.decision is None else _finite(step.decision.log_fleet),
            "alarming": step.decision is not None and step.decision.alarming,
            "instrument_moved": step.day in moved,
            "baseline_first": step.baseline.first,
            "baseline_last": step.baseline.last,
            "baseline_nights": step.baseline.nights,
        }
        for step in steps
    ]
    return pa.Table.from_pylist(rows, schema=_CHARTED)


def instrument_rows(known: Mapping[str, Instrument]) -> pa.Table:
    """Return the chart of every judge after every night on which it was asked about the frozen passages."""
    rows: list[dict[str, Any]] = []
    for name, instrument in known.items():
        drifts = {drift.day: drift for drift in instrument.drifts}
        for day in sorted(instrument.unanswered):
            compared = instrument.nights.get(day, ())
            drift = drifts.get(day)
            rows.append(
                {
                    "day": day,
                    "instrument": name,
                    "state": instrument.state(day),
                    "moved": sum(each.moved for each in compared),
                    "passages": sum(each.passages for each in compared),
                    "unanswered": instrument.unanswered[day],
                    "usual": drift.usual if drift else None,
                    "score": drift.score if drift else None,
                }
            )
    return pa.Table.from_pylist(rows, schema=_INSTRUMENTS)


def alert_rows(environment: str, found: Sequence[Episode]) -> pa.Table:
    """Return a row for each slice that an alarm named."""
    rows = []
    for episode in found:
        for named in episode.named.values():
            finding = named.finding
            rows.append(
                {
                    "alert_id": digest("fleet", environment, *_names(finding.slice), episode.opened),
                    "rule": "fleet",
                    "environment": environment,
                    "tenant": finding.slice.tenant,
                    "kind": finding.slice.kind,
                    "cell": finding.slice.cell,
                    "opened": episode.opened,
                    "since": finding.since or episode.opened,
                    "last_day": named.last_day,
                    "ended": episode.ended,
                    "instrument_moved": named.instrument_moved,
                    "part": finding.part,
                    "rate": finding.now.rate.rate,
                    "low": finding.now.rate.low,
                    "high": finding.now.rate.high,
                    "rate_before": finding.before.rate.rate,
                    "low_before": finding.before.rate.low,
                    "high_before": finding.before.rate.high,
                    "nights_before": finding.before.nights,
                    "fault": finding.fault,
                }
            )
    return pa.Table.from_pylist(rows, schema=_ALERTS)


def digest(*parts: object) -> str:
    """Return a short name that is the same for the same parts."""
    return hashlib.sha256("\x1f".join(str(part) for part in parts).encode()).hexdigest()[:16]


def _names(each: Slice) -> tuple[str, str, str]:
    return each.tenant, each.kind, each.cell


def _finite(score: float) -> float | None:
    return score if math.isfinite(score) else None
