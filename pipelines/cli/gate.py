"""`nightcheck gate`: what to search for a message."""

from typing import Any, Literal

import click
import msgspec


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
    r"""Decide what to search for each message: JSON lines in, JSON lines out, in order.

    A line in is {"history": [{"role": "user" | "assistant", "text": …}], "message": …}; a visitor's entry of the
    history may carry its "decision", else it is decided anew. A line out has decision, reason, query (null when
    skipped), language, version, and combined_with: the index in the history of the message that the query begins
    with, or null.

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
