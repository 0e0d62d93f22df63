"""The tables of a report as rows of text, for whatever shows them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipelines.experiments.comparison import ALPHA, Comparison, Part
from pipelines.experiments.confirmation import Confirmation
from pipelines.experiments.metrics.ranked import FIRST_RELEVANT
from pipelines.experiments.reading import Reading, measures_of
from pipelines.experiments.statistics.multiplicity import benjamini_hochberg
from pipelines.experiments.wording import interval, signed, verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A heading, names of columns, and rows; the first column is text, the others are figures unless they say more."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def tables(reading: Reading, confirmed: Mapping[str, Confirmation]) -> list[Table]:
    """Return the tables of a report; `confirmed` says for each strategy what a favourable result is worth."""
    found = [comparison(reading), verdicts(reading, confirmed), acted(reading), means(reading), cost(reading)]
    if reading.slices:
        found.append(by_turn_type(reading))
    if any(moved.displaced for moved in reading.moved.values()):
        found.append(displaced(reading))
    return found


def comparison(reading: Reading) -> Table:
    """Return the main table: every strategy against the control on the measure of the verdict."""
    return Table(
        title=f"{reading.measure}: every strategy against {reading.stored.run.control}",
        columns=(
            "strategy",
            "mean",
            "difference",
            "95 % interval",
            "within",
            "better/worse/same",
            "sign p",
            "p",
            "reads",
        ),
        rows=tuple(_compared(each) for each in reading.primary),
        note=f"{reading.stored.run.control} has {_control_mean(reading):.3f}. `within`: the smallest margin that "
        "holds the true difference.",
    )


def verdicts(reading: Reading, confirmed: Mapping[str, Confirmation]) -> Table:
    """Return what may be said of each strategy."""
    return Table(
        title="What may be said",
        columns=("strategy", "verdict", "repeated"),
        rows=tuple(
            (
                each.strategy,
                verdict(each, reading.settings, strategies=len(reading.primary)),
                confirmed.get(each.strategy, Confirmation.NOT_NEEDED).value,
            )
            for each in reading.primary
        ),
    )


def acted(reading: Reading) -> Table:
    """Return the difference where each strategy changed the search, and where it left it alone."""
    rows = []
    for each in reading.primary:
        adjusted = each.adjusted
        rows.append(
            (
                each.strategy,
                *_part(each.fired),
                *_part(each.declined),
                "-"
                if adjusted is None
                else f"{signed(adjusted.difference)} [{adjusted.low:+.3f}, {adjusted.high:+.3f}]",
            )
        )
    return Table(
        title="Where it acted, and where it declined",
        columns=("strategy", "fired", "difference there", "declined", "difference there", "fired less declined"),
        rows=tuple(rows),
        note="Declined turns search what the control searches, byte for byte: they are the control built into the run.",
    )


def means(reading: Reading) -> Table:
    """Return the mean of every measure under every strategy."""
    measures = [each for each in measures_of(reading.stored) if each != FIRST_RELEVANT]
    rows = []
    for strategy in reading.stored.strategies:
        name = strategy.strategy
        values = [_mean_of(reading, name, measure) for measure in measures]
        places = reading.places[name]
        place = ("-" if places.median is None else f"{places.median:.0f}", f"{places.not_found:.0%}")
        rows.append((name, *(f"{value:.3f}" for value in values), *place))
    return Table(
        title="Means",
        columns=("strategy", *measures, "first relevant at", "not found"),
        rows=tuple(rows),
        note="First relevant: median place where there is one among the returned.",
    )


def cost(reading: Reading) -> Table:
    """Return what each strategy adds to a turn."""
    rows = []
    for strategy in reading.stored.strategies:
        found = reading.costs[strategy.strategy]
        cleaned = ", ".join(f"{name} {count}" for name, count in sorted(found.cleaned.items())) or "-"
        figures = (found.prompt_tokens, found.completion_tokens)
        tokens = (_or_dash(value, "{:.0f}") for value in figures)
        rows.append(
            (
                strategy.strategy,
                f"{found.calls:.2f}",
                *tokens,
                _or_dash(found.latency_ms, "{:.2f}"),
                str(found.fired),
                str(found.skipped),
                cleaned,
            )
        )
    return Table(
        title="Cost per turn",
        columns=(
            "strategy",
            "calls",
            "prompt tokens",
            "completion tokens",
            "ms before the search",
            "fired",
            "skipped",
            "cleaned",
        ),
        rows=tuple(rows),
        note="A dash is unknown, as for recorded answers; `cleaned` counts what was taken out of a model's answers.",
    )


def by_turn_type(reading: Reading) -> Table:
    """Return the differences within each turn type."""
    names = [each.strategy for each in reading.primary]
    cells = {(tag, each.strategy): each for tag, compared in reading.slices.items() for each in compared}
    adjusted = dict(zip(cells, benjamini_hochberg([each.p_permutation for each in cells.values()]), strict=True))
    rows = []
    for tag, compared in reading.slices.items():
        count = str(compared[0].items) if compared else "0"
        shown = (_short(cells.get((tag, name)), adjusted.get((tag, name), 1.0)) for name in names)
        rows.append((tag, count, *shown))
    return Table(
        title=f"{reading.measure} by turn type",
        columns=("turn type", "items", *names),
        rows=tuple(rows),
        note="Exploratory. Of the cells with a *, at most one in twenty is expected to be a chance find (Benjamini and "
        "Hochberg over the whole table).",
    )


def displaced(reading: Reading) -> Table:
    """Return what each strategy pushed out of the control's answers."""
    return Table(
        title=f"Displacement among {reading.stored.run.k} passages",
        columns=("strategy", "pushed out", "came in", "relevant pushed out", "relevant came in"),
        rows=tuple(
            (
                name,
                f"{each.displaced:,}",
                f"{each.entered:,}",
                f"{each.relevant_displaced:,}",
                f"{each.relevant_entered:,}",
            )
            for name, each in reading.moved.items()
        ),
    )


def _compared(each: Comparison) -> tuple[str, ...]:
    tally = each.tally
    return (
        each.strategy,
        f"{each.mean:.3f}",
        signed(each.difference),
        interval(each),
        _or_dash(each.within, "±{:.3f}"),
        f"{tally.wins}/{tally.losses}/{tally.ties}",
        f"{each.p_sign:.4f}",
        f"{each.p_holm:.4f}",
        each.outcome.value,
    )


def _part(part: Part | None) -> tuple[str, str]:
    if part is None:
        return "0", "-"
    return str(part.items), f"{signed(part.mean)} [{part.low:+.3f}, {part.high:+.3f}]"


def _short(each: Comparison | None, adjusted: float) -> str:
    if each is None or each.interval is None:
        return "-"
    return f"{signed(each.difference)} {interval(each)}{'*' if adjusted < ALPHA else ''}"


def _mean_of(reading: Reading, strategy: str, measure: str) -> float:
    for each in reading.comparisons[measure]:
        if each.strategy == strategy:
            return each.mean
        if strategy == reading.stored.run.control:
            return each.control_mean
    return float("nan")


def _control_mean(reading: Reading) -> float:
    return reading.primary[0].control_mean if reading.primary else float("nan")


def _or_dash(value: float | None, shape: str) -> str:
    return "-" if value is None else shape.format(value)


def headline(reading: Reading) -> Sequence[str]:
    """Return the lines that say which run this is."""
    run = reading.stored.run
    which = (
        f"Run {run.run_id} of {run.started_at:%Y-%m-%d %H:%M} UTC, set {run.dataset} ({run.dataset_hash[:12]}), "
        f"{len(reading.stored.items)} items, k = {run.k}, {run.completed} of {run.expected} results completed."
    )
    return which, f"Retriever: {run.retriever}. Scored by: {run.judge}."
