"""Marts of rates as one reads them: a line for each slice, its rates beside each other; pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from pipelines.marts.figures import below, compact, share

#: the narrowest line that has room for a rate and its interval beside each other
ROOMY = 110


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """Which column of a mart names the rates, how each is headed, and which column counts what they are of."""

    named_by: str
    heads: Mapping[str, str]
    counted: str
    slice: tuple[str, str]


_LAYOUTS = {
    "relevance_daily": _Layout(
        named_by="measure",
        heads={"irrelevant_need": "irrelevant to need", "irrelevant_query": "irrelevant to query"},
        counted="passages",
        slice=("slice", "value"),
    ),
    "fault_daily": _Layout(
        named_by="fault",
        heads={"ok": "ok", "query": "query broke", "retriever": "retriever broke", "lucky": "lucky"},
        counted="passages",
        slice=("slice", "value"),
    ),
    "answer_outcomes_daily": _Layout(
        named_by="outcome",
        heads={
            "disclaimed_although_useful": "disclaimed though useful",
            "disclaimed_rightly": "disclaimed rightly",
            "answered_with_useful": "answered, something useful",
            "answered_with_nothing_useful": "answered, nothing useful",
        },
        counted="answers",
        slice=("turn", "language"),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A table of text: the first column says whose, the others are figures."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str


def side_by_side(mart: str, rows: pl.DataFrame, *, width: int) -> Lines | None:
    """Return the rows of one day for a line of `width` characters; None for a mart that is no mart of rates.

    A tenant stands on a line of its own before its slices. Without a rate, because verdicts are still to come, the
    bounds stand in its place with a question mark. Where the rows have a column `change`, that of the first rate stands
    behind it.
    """
    layout = _LAYOUTS.get(mart)
    if layout is None:
        return None
    several = rows["environment"].n_unique() > 1
    joint = " " if width >= ROOMY else "\n"
    lines: list[tuple[str, ...]] = []
    first = next(iter(layout.heads))
    for (environment, tenant), of_tenant in rows.group_by("environment", "tenant", maintain_order=True):
        whose = "all tenants" if tenant == "*" else str(tenant)
        whole = f"{whose} ({environment})" if several else whose
        for key, group in of_tenant.group_by(layout.slice, maintain_order=True):
            by_name = {row[layout.named_by]: row for row in group.iter_rows(named=True)}
            label = _label(layout.slice, key)
            figures = [_cell(by_name.get(name), joint) for name in layout.heads]
            if "change" in rows.columns:
                figures.insert(1, by_name[first]["change"] or "–" if first in by_name else "–")
            any_row = next(iter(by_name.values()))
            coverage = share(any_row["coverage"])
            lines.append((f"· {label}" if label else whole, *figures, f"{any_row[layout.counted]:,}", coverage))
    heads = ["", *layout.heads.values(), layout.counted, "coverage"]
    note = "share of " + layout.counted + ", weighted to all of the day, with its 95 % interval"
    if "change" in rows.columns:
        heads.insert(2, "change")
        note += "; change: points to the night before (noise floor, where measured)"
    return Lines(heads=tuple(heads), rows=tuple(lines), note=note)


def _label(columns: Sequence[str], values: Sequence[object]) -> str | None:
    """Return the name of a slice within its tenant; None for the whole of it."""
    said = [
        str(value).replace("_", " ") if name == "value" else f"{name}: {value}"
        for name, value in zip(columns, values, strict=True)
        if name != "slice" and value not in ("all", "*")
    ]
    return ", ".join(said) or None


def _cell(row: Mapping[str, Any] | None, joint: str) -> str:
    if row is None:
        return "–"
    if row["rate"] is None:
        return f"{row['best']:.1%}{joint}to {row['worst']:.1%}?"
    written = compact if joint == " " else below
    return written(row["rate"], row["low"], row["high"])
