"""`nightcheck when`."""

import sys
from typing import Any

import click
import msgspec


class Question(msgspec.Struct):
    """One line of input."""

    text: str
    at: str
    tz: str = "UTC"
    language: str | None = None


@click.command()
@click.option(
    "--week-start",
    type=click.Choice(["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]),
    default="monday",
    show_default=True,
    help="The first day of a week.",
)
def when(week_start: str) -> None:
    """Read the time span that a question names.

    JSON lines in, JSON lines out. In: text, at (RFC 3339), tz (IANA, default UTC), language (optional: en, fr, es, it;
    else detected). Out: spans (phrase, start, end, offset) and window, [start, end) or null; a bound that is null is
    open. A span that the question leaves out ("but not on Friday") is marked "excluded" and takes no part in the
    window.

    \b
    echo '{"text":"What is on this week?","at":"2026-11-30T09:00:00Z","tz":"Europe/Paris"}' | nightcheck when
    nightcheck when --week-start sunday < questions.jsonl
    """
    from pipelines.cli.json_lines import map_json_lines

    days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    sys.exit(map_json_lines(Question, lambda question: answer(question, week_start=days.index(week_start))))


def answer(question: Question, *, week_start: int) -> dict[str, Any]:
    """Return the spans and the window of one question. Raises msgspec.ValidationError for a bad time or time zone."""
    from pipelines.resolution.structured import read
    from pipelines.resolution.structured.wire import anchor_at, bounds

    try:
        at = anchor_at(question.at, question.tz)
    except ValueError as error:
        raise msgspec.ValidationError(str(error)) from error
    reading = read(question.text, at=at, week_start=week_start, language=question.language)
    spans = []
    for span in reading.spans:
        start, end = bounds(span.interval)
        shown: dict[str, Any] = {"phrase": span.phrase, "start": start, "end": end, "offset": span.offset}
        spans.append(shown | {"excluded": True} if span.excluded else shown)
    return {"spans": spans, "window": None if reading.window is None else bounds(reading.window)}
