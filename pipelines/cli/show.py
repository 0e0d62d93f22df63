"""`nightcheck show`: read a mart."""

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

import click
import polars as pl

from pipelines.cli.context import DAY, console, settings, warehouse
from pipelines.errors import UsageError
from pipelines.io.warehouse import Warehouse
from pipelines.marts.titled import cut, titled
from pipelines.marts.visible import visible

if TYPE_CHECKING:
    from rich.console import Console

_HIDDEN = (
    "environment",
    "metric_version",
    "disclaim_version",
    "rubric_version",
    "judge",
    "model",
    "conversation_id",
    "visitor_id",
)

#: columns of a table that is captured, where nothing says how many there are
_CAPTURED = 140
#: a longer word, such as the address of a page, may be broken in a table
_LONGEST = 40
#: so many characters of a passage are shown
_WORDS = 100
#: what a mart is also published by: not shown where every row is the whole
_PARTS = frozenset({"turn", "language", "reason", "producer_id"})


@click.command("show")
@click.argument("mart")
@click.option("--day", type=DAY, help="One day; the newest one where nothing is said.")
@click.option("--from", "first", type=DAY, help="The first day of a range, taken together.")
@click.option("--to", "last", type=DAY, help="The last day of a range, taken together.")
@click.option("--tenant", help="One tenant; * is all of them together.")
@click.option("--all", "everything", is_flag=True, help="Every slice and measure, not only the first lines.")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as JSON lines.")
def show(
    mart: str,
    day: date | None,
    first: date | None,
    last: date | None,
    tenant: str | None,
    *,
    everything: bool,
    as_json: bool,
) -> None:
    """Read a mart of a day, or of several taken together.

    Several days are taken together by the same formula.

    \b
    nightcheck show relevance_daily
    nightcheck show relevance_daily --from 2026-11-01 --to 2026-11-29 --tenant help.example.com
    nightcheck show worst_retrievals --day 2026-11-29 --json
    """
    from pipelines.cli.context import days_between
    from pipelines.marts.catalog import known
    from pipelines.marts.figures import nights_taken
    from pipelines.marts.main_rows import main_rows
    from pipelines.marts.reading.run import held_of, published_nights
    from pipelines.marts.run import newest_day, over, read

    opened = warehouse(settings())
    known(mart)
    if first or last:
        days = days_between(None, first, last)
        rows = over(opened, mart, days[0], days[-1])
        rows = rows.filter(pl.col("tenant") == tenant) if tenant else rows
        held = held_of(published_nights(opened), days[0], days[-1])
        title = f"{mart}, {days[0]} to {days[-1]}, {nights_taken(held, len(days))} together"
    else:
        days = [day or newest_day(opened)]
        rows = read(opened, mart, days[0], days[0], tenant)
        title = f"{mart}, {days[0]}"
    if rows.is_empty():
        instead = _instead(opened, days, tenant)
        console.print(f"{title}: no rows. {instead}", markup=False, highlight=False, soft_wrap=True)
    elif as_json:
        click.echo(rows.write_ndjson(), nl=False)
    elif mart == "worst_retrievals" and not everything:
        _worst(opened, main_rows(mart, rows), title)
    elif everything:
        table(rows, title)
    else:
        print_main(opened, mart, main_rows(mart, rows), title, one_night=not (first or last))


def print_main(opened: Warehouse, mart: str, rows: pl.DataFrame, title: str, *, one_night: bool) -> None:
    """Print what one reads first of a mart; of one night, the relevance mart beside the night before."""
    if mart == "relevance_daily" and one_night:
        from pipelines.marts.reading.run import with_differences

        rows = with_differences(opened, rows)
    if not _side_by_side(mart, rows, title):
        table(rows, title)


def _instead(opened: Warehouse, days: Sequence[date], tenant: str | None) -> str:
    """Say what there is to read where the days have nothing; raise `UsageError` for a tenant that they do not know."""
    from pipelines.marts.catalog import MARTS
    from pipelines.marts.reading.run import published_nights
    from pipelines.marts.run import read
    from pipelines.nearest import meant

    first, last = days[0], days[-1]
    nights = published_nights(opened)
    if not nights:
        return "No night was run yet: nightcheck night --day D"
    if not any(first <= night <= last for night in nights):
        nearest = min(nights, key=lambda night: abs(night - last))
        return f"The nearest night is that of {nearest}; to run one: nightcheck night --day {last}"
    tenants = sorted({name for each in MARTS for name in read(opened, each, first, last)["tenant"]})
    if tenant and tenants and tenant not in tenants:
        when = f"on {first}" if first == last else f"from {first} to {last}"
        there_are = f"{meant(tenant, tenants)}There are: {', '.join(tenants)}"
        raise UsageError(f"tenant {tenant!r}", f"it has no night {when}", there_are)
    return "Its night was run, and it has none" if first == last else "Nights were run, and they have none"


def _side_by_side(mart: str, rows: pl.DataFrame, title: str) -> bool:
    """Print a mart of rates with the rates of a slice on one line; return whether it is one."""
    from rich.table import Table
    from rich.text import Text

    from pipelines.marts.side_by_side import side_by_side

    out = _console()
    lines = side_by_side(mart, rows, width=out.width)
    if lines is None:
        return False
    drawn = Table(box=None, pad_edge=False)
    drawn.collapse_padding = True
    for place, head in enumerate(lines.heads):
        # whatever is longer than its column goes on in the next line: nothing is cut
        drawn.add_column(head, justify="right" if place else "left", overflow="fold", no_wrap=not place)
    for line in lines.rows:
        drawn.add_row(*(Text(visible(cell)) for cell in line))
    out.print(Text(_headed(title, rows), style="italic"))
    out.print(drawn, soft_wrap=False)
    out.print(Text(lines.note))
    return True


def _console() -> "Console":
    """Return where tables go. A program that captures them gets room, unless it says how much it has: COLUMNS."""
    from rich.console import Console

    out = Console()
    said = out.is_terminal or os.environ.get("COLUMNS", "").isdigit()
    return out if said else Console(width=_CAPTURED, soft_wrap=True)


def _headed(title: str, rows: pl.DataFrame) -> str:
    """Return a title with whose word the rows are."""
    from pipelines.marts.judged_by import judged_by

    judge = judged_by(rows)
    return title if judge is None else f"{title}, {judge}"


def _worst(opened: Warehouse, rows: pl.DataFrame, title: str) -> None:
    """Print the worst retrievals as one reads them: the words, the query, what came back with its grades."""
    from pipelines.marts.reading.run import alarming_on, conditions
    from pipelines.marts.worst_order import worst_first

    def say(line: str) -> None:
        click.echo(visible(line))

    nights = [conditions(opened, day) for day in rows["day"].unique()]
    judges = sorted({str(night.judged_by) for night in nights if night is not None})
    say(", ".join([title, *judges]))
    say("before each passage its grade for the searched query and for the need, from 0 (irrelevant) to 3")
    alarming = {
        tenant
        for day, environment in rows.select("day", "environment").unique().iter_rows()
        for tenant in alarming_on(opened, day, environment)
    }
    for row in worst_first(rows, alarming).iter_rows(named=True):
        say(
            f"\n{row['tenant']} #{row['place']}: {row['irrelevant']} of {row['judged']} irrelevant; "
            f"the {row['fault']} broke ({row['retrieval_id']})"
        )
        say(f"  typed     {row['message']}\n  searched  {row['searched_query']} [{row['resolution']}]")
        for passage in row["passages"]:
            for line in passage_lines(passage):
                say(line)


def passage_lines(passage: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line with a passage's grades and words, and one with the words that a judge's grade rests on, if any."""
    words = cut(titled(passage["title"], passage["text"]), _WORDS)
    yield f"  {passage['query_grade']}/{passage['need_grade']}  {passage['kind']}: {words}"
    if passage["evidence"]:
        yield f"       evidence: {cut(' '.join(passage['evidence'].split()), _WORDS)}"


def table(rows: pl.DataFrame, title: str) -> None:
    """Print rows as a table for people, or as lines where there is no room for one; a rate stands with its interval."""
    from rich.table import Table
    from rich.text import Text

    columns = [name for name in rows.columns if name not in _HIDDEN and not isinstance(rows.schema[name], pl.List)]
    columns = [name for name in columns if name not in {"low", "high"}]
    if rows.get_column("day").n_unique() == 1:
        columns.remove("day")
    columns = [name for name in columns if name not in _PARTS or set(rows[name].unique()) - {"*", "all"}]
    heads = [name.replace("_", " ") for name in columns]
    lines = [[_cell(name, row) for name in columns] for row in rows.iter_rows(named=True)]
    out = _console()
    widths = _widths([*zip(heads, *lines, strict=True)], out.width)
    if widths is None:
        out.print(Text(_headed(title, rows), style="italic"))
        for line in lines:
            out.print(Text("; ".join(f"{head} {cell}" for head, cell in zip(heads, line, strict=True))))
        return
    drawn = Table(title=_headed(title, rows), title_justify="left")
    for name, head, width in zip(columns, heads, widths, strict=True):
        justify: Literal["left", "right"] = "right" if rows.schema[name].is_numeric() else "left"
        drawn.add_column(head, justify=justify, overflow="fold", width=width)
    for line in lines:
        drawn.add_row(*map(Text, line))
    out.print(drawn, soft_wrap=False)


def _widths(columns: Sequence[Sequence[str]], room: int) -> list[int] | None:
    """Return how wide columns are that break no word, the longest texts giving way; None where there is no room."""
    from rich.cells import cell_len

    widths = [min(_LONGEST, max(map(cell_len, " ".join(texts).split()))) for texts in columns]
    room -= sum(widths) + 3 * len(widths) + 1  # a blank on both sides, and a line
    if room < 0:
        return None
    needs = sorted((max(map(cell_len, texts)) - widths[place], place) for place, texts in enumerate(columns))
    for left, (need, place) in zip(range(len(needs), 0, -1), needs, strict=True):
        given = min(need, room // left)
        widths[place] += given
        room -= given
    return widths


def _cell(name: str, row: dict[str, Any]) -> str:
    value = row[name]
    if value is None:
        return "–"
    if name == "rate" and row.get("low") is not None:
        return f"{value:.1%} [{row['low']:.1%}, {row['high']:.1%}]"
    if name == "change":
        return str(value)
    if isinstance(value, float):
        return f"{value:.1f}" if name == "effective_n" else f"{value:.1%}"
    return f"{value:,}" if isinstance(value, int) else visible(str(value))
