"""The report of one night as one self-contained HTML page, to be sent to a colleague; pure.

Everything that comes from data is escaped: messages and passages are strangers' text.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from typing import Any

import polars as pl

from pipelines.marts.chart import chart
from pipelines.marts.costs import cost_in_words
from pipelines.marts.figures import nights_taken, share, share_with_interval
from pipelines.marts.html_table import table
from pipelines.marts.judged_by import JudgedBy
from pipelines.marts.report_worst import to_read
from pipelines.marts.style import STYLE
from pipelines.marts.trend import Trend

_IRRELEVANT = ("irrelevant_need", "irrelevant_query")
_FAULTS = ("ok", "query", "retriever", "lucky")
#: what an answer may have made of what was retrieved, in words
OUTCOMES = {
    "disclaimed_although_useful": "disclaimed although something useful was there",
    "disclaimed_rightly": "disclaimed rightly",
    "answered_with_useful": "answered with something useful",
    "answered_with_nothing_useful": "answered with nothing useful",
}
_OF = {
    "decision": "decisions, as reported",
    "replayed": "decisions, by this gate",
    "disagreement": "the two decisions",
    "outcome": "searches",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """How a night was run."""

    judge: str
    model: str
    rubric_version: str
    frame_size: int
    sample_size: int
    cap: int | None
    seed: str
    published: bool

    @property
    def judged_by(self) -> JudgedBy:
        """Return whose word the night's figures are."""
        return JudgedBy(judge=self.judge, model=self.model, rubric_version=self.rubric_version)

    @property
    def drawn(self) -> str:
        """Say how many retrievals were drawn of how many."""
        at_most = "all of them" if self.cap is None else f"at most {self.cap:,} a tenant"
        return f"{self.sample_size:,} of {self.frame_size:,} retrievals drawn ({at_most})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What the report of a night says. Frames have the columns of the marts they are named after."""

    day: date
    environment: str
    conditions: Conditions
    trends: tuple[Trend, ...]
    windows: pl.DataFrame
    relevance: pl.DataFrame
    faults: pl.DataFrame
    worst: pl.DataFrame
    gate: pl.DataFrame
    disclaims: pl.DataFrame
    outcomes: pl.DataFrame
    costs: pl.DataFrame
    alerts: tuple[str, ...]
    #: what is to be known of the headline: its difference to the night before, and whether the judge has moved
    notes: tuple[str, ...] = ()
    #: of all runs of the night, in the currency of the price table
    cost: float = 0.0
    #: the tenants of the alerts: what to read of them comes first
    alarming: frozenset[str] = frozenset()


def page(report: Report) -> str:
    """Return the page: no script, nothing loaded from elsewhere."""
    body = "".join(
        [
            *_headline(report),
            *_trends(report.trends),
            *_tenants(report.windows),
            *_where(report.relevance),
            *_faults(report.faults),
            *to_read(report.worst, report.alarming, names_evidence=not report.conditions.judged_by.by_words),
            *_gate(report.gate),
            *_disclaims(report.disclaims),
            *_outcomes(report.outcomes),
            *_costs(report),
        ]
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>nightcheck, {report.day}</title><style>{STYLE}</style></head><body>{body}</body></html>\n"
    )


def _headline(report: Report) -> Iterable[str]:
    yield f"<h1>nightcheck, the night of {report.day}</h1>"
    whole = _one(report.relevance, pl.col("tenant") == "*", pl.col("slice") == "all", measure="irrelevant_need")
    if whole is None:
        yield '<p class="headline">Nothing to judge: no search of this day returned a passage.</p>'
    elif whole["rate"] is None:
        yield '<p class="headline">The night is not complete.</p>'
        yield (
            f"<p>{whole['pending']:,} drawn passages still lack a verdict, so there is no rate; "
            f"it lies between {share(whole['best'])} and {share(whole['worst'])}. "
            "Run the night again: it asks for these alone.</p>"
        )
    else:
        by = f"<small>by {escape(report.conditions.judged_by.name)}</small>"
        yield f'<p class="headline">{share(whole["rate"])} of the retrieved passages were irrelevant {by}</p>'
        yield (
            f"<p>95 % interval {share(whole['low'])} to {share(whole['high'])}, "
            f"from {whole['passages']:,} judged passages in {whole['retrievals']:,} retrievals, "
            f"weighted to all {report.conditions.frame_size:,} of the day. "
            f"{share(whole['coverage'])} of the sampled passages have a grade. "
            "Irrelevant means: nothing to do with what the visitor wanted to know.</p>"
        )
    if report.conditions.judged_by.caveat:
        yield f'<p class="caveat">{escape(report.conditions.judged_by.caveat)}</p>'
    yield from (f"<p>{escape(note)}</p>" for note in report.notes)
    yield from (f'<p class="alert">{escape(alert)}</p>' for alert in report.alerts)
    if not report.alerts:
        yield '<p class="calm">No alert stands on this night.</p>'


def _trends(trends: Sequence[Trend]) -> Iterable[str]:
    if not trends:
        return
    yield "<h2>Trend</h2>"
    yield (
        '<p class="note">Share of irrelevant passages per night, with its 95 % interval as a band: '
        f"{escape(trends[0].basis)}. A gap is a night without a rate, a red dot a night on which an alert stood.</p>"
    )
    changes = {change: None for each in trends for change in each.changes}
    for change in changes:
        compare = "Figures on the two sides do not compare." if change.of_rates else "These rates are not made by it."
        yield f'<p class="note">Definition changed on {escape(str(change))}. {compare}</p>'
    fleet, *tenants = trends
    yield f"<h3>{escape(_name(fleet.tenant))}</h3>{chart(fleet)}"
    drawn = (f"<div><h3>{escape(each.tenant)}</h3>{chart(each)}</div>" for each in tenants)
    yield f'<div class="tenants">{"".join(drawn)}</div>'


def _tenants(windows: pl.DataFrame) -> Iterable[str]:
    if windows.is_empty():
        return
    yield "<h2>Tenants</h2>"
    yield (
        '<p class="note">Irrelevant passages of this night, and of the nights up to it taken together '
        "by the same formula.</p>"
    )
    held = {row["nights"]: nights_taken(row["held"], row["nights"]) for row in windows.iter_rows(named=True)}
    rows = []
    for (tenant,), of_tenant in windows.group_by("tenant", maintain_order=True):
        by_nights = {row["nights"]: row for row in of_tenant.iter_rows(named=True)}
        tonight = by_nights.get(1)
        rows.append(
            [
                _name(str(tenant)),
                _rate(tonight),
                *(_rate(by_nights.get(nights)) for nights in held if nights > 1),
                f"{tonight['passages']:,}" if tonight else "0",
                share(tonight["coverage"]) if tonight else "unknown",
            ]
        )
    taken = [head for nights, head in held.items() if nights > 1]
    yield table(["tenant", "this night", *taken, "passages", "coverage"], rows)


def _where(relevance: pl.DataFrame) -> Iterable[str]:
    rows = relevance.filter(pl.col("tenant") == "*")
    if rows.is_empty():
        return
    yield "<h2>Where it is irrelevant</h2>"
    yield '<p class="note">Passages that have nothing to do with the need, or with the searched query.</p>'
    yield table(["", "irrelevant to need", "irrelevant to query"], _by_slice(rows, "measure", _IRRELEVANT))


def _faults(faults: pl.DataFrame) -> Iterable[str]:
    rows = faults.filter(pl.col("tenant") == "*")
    if rows.is_empty():
        return
    yield "<h2>Which half broke</h2>"
    yield (
        '<p class="note">Each passage by its two grades. Query broke: fits what was searched, not what was wanted. '
        "Retriever broke: fits neither. Lucky: fits what was wanted alone. The four add up to all judged passages.</p>"
    )
    yield table(["", "ok", "query broke", "retriever broke", "lucky"], _by_slice(rows, "fault", _FAULTS))


def _by_slice(rows: pl.DataFrame, column: str, wanted: Sequence[str]) -> Iterable[list[str]]:
    """Yield a line for each slice: its name, and the rates that `column` names."""
    for (name, value), of_slice in rows.group_by("slice", "value", maintain_order=True):
        by_name = {row[column]: row for row in of_slice.iter_rows(named=True)}
        label = "all passages" if name == "all" else _spaced(f"{name}: {value}")
        yield [label, *(_rate(by_name.get(each)) for each in wanted)]


def _gate(gate: pl.DataFrame) -> Iterable[str]:
    rows = gate.filter(
        pl.col("tenant") == "*", pl.col("turn") == "all", pl.col("language") == "*", pl.col("reason") == "*"
    )
    if rows.is_empty():
        return
    yield "<h2>The gate, and what became of the searches</h2>"
    yield '<p class="note">Counted over all turns of all tenants, not sampled.</p>'
    yield table(
        ["of", "", "share", "n"],
        [
            [
                _OF[row["measure"]],
                _spaced(row["value"]),
                _rate(row),
                f"{row['n']:,}",
            ]
            for measure in _OF
            for row in rows.filter(measure=measure).iter_rows(named=True)
        ],
    )


def _disclaims(disclaims: pl.DataFrame) -> Iterable[str]:
    rows = disclaims.filter(pl.col("turn") == "all", pl.col("language") == "*")
    if rows.is_empty():
        return
    yield "<h2>Answers that say that they do not know</h2>"
    yield table(
        ["tenant", "disclaimed", "answers"],
        [[_name(row["tenant"]), _rate(row), f"{row['answers']:,}"] for row in rows.iter_rows(named=True)],
    )


def _outcomes(outcomes: pl.DataFrame) -> Iterable[str]:
    rows = outcomes.filter(pl.col("turn") == "all", pl.col("language") == "*")
    if rows.is_empty():
        return
    yield "<h2>What answers made of what was retrieved</h2>"
    yield (
        '<p class="note">Answers after a search that found something, by whether they disclaim and whether a useful '
        "passage (grade 2 or 3 for the need) was there; weighted to all of the day. "
        "The four add up to all judged answers.</p>"
    )
    lines = []
    for (tenant,), of_tenant in rows.group_by("tenant", maintain_order=True):
        by_outcome = {row["outcome"]: row for row in of_tenant.iter_rows(named=True)}
        judged = max(row["answers"] for row in by_outcome.values())
        lines.append([_name(str(tenant)), *(_rate(by_outcome.get(each)) for each in OUTCOMES), f"{judged:,}"])
    yield table(["tenant", *OUTCOMES.values(), "judged answers"], lines)


def _costs(report: Report) -> Iterable[str]:
    how = report.conditions
    yield "<h2>Coverage and cost</h2>"
    took = cost_in_words(report.costs, report.cost)
    yield f"<p>{escape(how.drawn)}, judged {escape(str(how.judged_by))}; {took}.</p>"
    if report.costs.is_empty():
        return
    columns = [name for name in report.costs.columns if name != "status"]
    rows = [
        [_spaced(row["status"]), *(f"{row[name]:,}" for name in columns)] for row in report.costs.iter_rows(named=True)
    ]
    totals = report.costs.select(columns).sum().row(0)
    yield table(["verdict", *(_spaced(name) for name in columns)], [*rows, ["all", *(f"{each:,}" for each in totals)]])
    yield '<p class="note">What these verdicts took when they were made; a verdict is paid for once.</p>'


def _one(rows: pl.DataFrame, *conditions: pl.Expr, measure: str) -> Mapping[str, Any] | None:
    found = rows.filter(*conditions, pl.col("measure") == measure).to_dicts()
    return found[0] if found else None


def _name(tenant: str) -> str:
    return "all tenants" if tenant == "*" else tenant


def _rate(row: Mapping[str, Any] | None) -> str:
    return "–" if row is None else share_with_interval(row["rate"], row["low"], row["high"])


def _spaced(name: str) -> str:
    return name.replace("_", " ")
