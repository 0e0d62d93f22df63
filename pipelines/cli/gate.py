"""`nightcheck gate`: what to search for a message, and what the gate would do with stored traffic."""

from datetime import date
from typing import TYPE_CHECKING, Any, Literal

import click
import msgspec

from pipelines.cli.context import DAY, days_between, progress, settings, warehouse
from pipelines.cli.counted import counted

if TYPE_CHECKING:
    import polars as pl

#: what becomes of turns, in the order in which it is read
_BECOMES = ("first", "as_typed", "eligible", "correction", "skipped", "no_need", "no_history")
_EXAMPLES = 3
_LONGEST = 100


class _Said(msgspec.Struct):
    role: Literal["user", "assistant"]
    text: str
    decision: Literal["skip", "substantive", "follow_up", "correction", "no_need"] | None = None


class _Request(msgspec.Struct):
    message: str
    history: list[_Said] = []


@click.group(invoke_without_command=True)
@click.option(
    "--language", default="en", show_default=True, help="Where neither message nor conversation shows its own."
)
@click.pass_context
def gate(context: click.Context, language: str) -> None:
    """Decide what to search for each message.

    JSON lines in, JSON lines out, in order. A line in is {"history": [{"role": "user" | "assistant", "text": …}],
    "message": …}; a visitor's entry of the history may carry its "decision", else it is decided anew. A line out has
    decision, reason, query (null when skipped), language, version, and combined_with: the index in the history of the
    message that the query begins with, or null.

    \b
    echo '{"message": "Which plans include SSO?"}' | nightcheck gate
    nightcheck gate < turns.jsonl > decisions.jsonl
    """
    if context.invoked_subcommand is not None:
        return
    from pipelines.cli.json_lines import map_json_lines

    context.exit(map_json_lines(_Request, lambda request: _answer(request, language)))


def _answer(request: _Request, language: str) -> dict[str, Any]:
    from pipelines.resolution.gate import GATE_VERSION, Decision, Turn, resolve

    history = [
        Turn(role=said.role, text=said.text, decision=None if said.decision is None else Decision(said.decision))
        for said in request.history
    ]
    resolution = resolve(request.message, history, default_language=language)
    return {
        "decision": resolution.decision.value,
        "reason": resolution.reason,
        "query": resolution.query,
        "language": resolution.language,
        "combined_with": resolution.combined_with,
        "version": GATE_VERSION,
    }


@gate.command("replay")
@click.option("--from", "first", type=DAY, required=True, help="The first day.")
@click.option("--to", "last", type=DAY, required=True, help="The last day.")
@click.option("--tenant", help="Show one tenant; all are replayed.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object: turns, rows of gate_population, examples."
)
def replay_command(first: date, last: date, tenant: str | None, *, as_json: bool) -> None:
    """Run the gate over stored turns, before anyone turns it on.

    It tells how many it would leave alone, combine and skip.

    The decisions are stored (night.replayed_decisions), and the marts gate_population and gate_daily of these days are
    made anew from them; nothing that events report is changed.

    \b
    nightcheck gate replay --from 2026-11-01 --to 2026-11-29
    nightcheck gate replay --from 2026-11-01 --to 2026-11-29 --tenant help.example.com --json
    """
    import json

    import polars as pl

    from pipelines.marts.run import make, over
    from pipelines.night.run import alone
    from pipelines.resolution.replay.run import days_with_turns, examples, replay

    chosen = settings()
    opened = warehouse(chosen)
    days_between(None, first, last)
    days = days_with_turns(opened, first, last)
    turns = 0
    with progress() as shown:
        for day in shown.track(days, description="days"):
            with alone(opened, day):
                turns += replay(opened, day, chosen.environments)
                make(opened, day, ["gate_population", "gate_daily"])
    rows = over(opened, "gate_population", first, last)
    rows = rows.filter(pl.col("tenant") == tenant) if tenant else rows
    picked = examples(opened, first, last, tenant=tenant, at_most=_EXAMPLES)
    if as_json:
        answer = {"turns": turns, "population": rows.to_dicts(), "examples": picked}
        click.echo(json.dumps(answer, default=str, ensure_ascii=False))
        return
    click.echo(f"{counted(turns, 'turn')} replayed, {first} to {last}")
    _tell(rows.filter(pl.col("reason") == "*"), picked)


def _tell(rows: "pl.DataFrame", picked: list[dict[str, Any]]) -> None:
    population, cost = (rows.filter(measure=measure) for measure in ("population", "skip_cost"))
    if rows.is_empty():
        return
    _table(population, "turns", _BECOMES)
    if not cost.is_empty():
        click.echo("\nWhat the ten-character skip costs: the skipped turns by what they would be without it")
        _table(cost, "skipped", ("follow_up", "substantive", "correction", "no_need"))
    for each in picked:
        before = "" if each["before"] is None else f"{_short(each['before'])} + "
        click.echo(f"\n{each['shows']}, {each['rule']} ({each['tenant']})\n  {before}{_short(each['message'])}")


def _table(rows: "pl.DataFrame", of: str, values: tuple[str, ...]) -> None:
    """Print one line for each environment, tenant and language, and in it the share of each value with its interval.

    What is the same on every line is left out.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    if rows["language"].n_unique() == 2:  # one, and all of them
        rows = rows.filter(language="*")
    keys = [name for name in ("environment", "tenant", "language") if name == "tenant" or rows[name].n_unique() > 1]
    present = [value for value in values if value in rows["value"]]
    drawn = Table()
    for name in (*keys, of, *present):
        drawn.add_column(name, justify="left" if name in keys else "right", no_wrap=True)
    for key, slice_ in rows.group_by(keys, maintain_order=True):
        shares = {row["value"]: _share(row) for row in slice_.iter_rows(named=True)}
        cells = [*map(str, key), f"{slice_['total'][0]:,}", *(shares.get(value, "0%") for value in present)]
        drawn.add_row(*map(Text, cells))
    out = Console()
    (out if out.is_terminal else Console(width=180)).print(drawn)


def _share(row: dict[str, Any]) -> str:
    share = f"{row['rate']:.1%}"
    return share if row["low"] is None else f"{share} [{100 * row['low']:.1f}, {100 * row['high']:.1f}]"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1] + "…"
