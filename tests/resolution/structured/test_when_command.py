"""`nightcheck when`: JSON lines in, JSON lines out."""

import json

import pytest
from click.testing import CliRunner

from pipelines.cli import app


def run(lines: list[object], *options: str) -> tuple[int, list[dict[str, object]]]:
    """Return the exit code and the answers."""
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    result = CliRunner().invoke(app, ["when", *options], input=text)
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def test_a_question_gives_its_spans_and_window_with_offsets() -> None:
    """Bounds carry the offset of the asker's time zone on their own day, over a change of clocks too."""
    code, answers = run([{"text": "October please: October 2026", "at": "2026-11-30T09:00:00Z", "tz": "Europe/Paris"}])

    assert code == 0
    assert answers[0]["window"] == ["2026-10-01T00:00:00+02:00", "2026-11-01T00:00:00+01:00"]
    assert answers[0]["spans"][-1] == {  # type: ignore[index]
        "phrase": "October 2026",
        "start": "2026-10-01T00:00:00+02:00",
        "end": "2026-11-01T00:00:00+01:00",
        "offset": 16,
    }


def test_open_sides_and_missing_windows_are_null() -> None:
    """An open bound is null; a text without a date has no spans and a null window."""
    at = {"at": "2026-11-30T09:00:00Z", "tz": "UTC"}
    code, answers = run([{"text": "since August", **at}, {"text": "May I ask?", **at}])

    assert code == 0
    assert answers[0]["window"] == ["2026-08-01T00:00:00+00:00", None]
    assert answers[1] == {"spans": [], "window": None}


@pytest.mark.parametrize(
    "bad",
    [
        {"text": "today", "at": "2026-11-30", "tz": "UTC"},
        {"text": "today", "at": "2026-11-30T09:00:00", "tz": "UTC"},
        {"text": "today", "at": "2026-13-30T09:00:00Z", "tz": "UTC"},
        {"text": "today", "at": "2026-11-30T09:00:00Z", "tz": "Mars/Olympus"},
        {"text": "today", "at": "2026-11-30T09:00:00Z", "tz": "../../etc/passwd"},
        {"text": "today", "at": "2026-11-30T09:00:00Z", "tz": "localtime"},
        {"text": "today", "at": "2026-11-30T09:00:00Z", "tz": "right/Europe/Paris"},
        {"text": "today", "at": "2026-11-30T09:00:00Z", "tz": None},
        {"text": 7, "at": "2026-11-30T09:00:00Z", "tz": "UTC"},
        "no json",
    ],
)
def test_a_bad_line_is_answered_in_its_place(bad: object) -> None:
    """The lines around it are answered, and the exit code says that one was not."""
    good = {"text": "today", "at": "2026-11-30T09:00:00Z", "tz": "UTC"}

    code, answers = run([good, bad, good])

    assert code == 1
    assert "error" in answers[1]
    assert answers[1]["line"] == 2
    assert answers[0] == answers[2]


def test_the_first_day_of_a_week_is_an_option() -> None:
    """On a Sunday, a week that starts on Sundays has just begun."""
    line = {"text": "this week", "at": "2026-11-29T09:00:00Z", "tz": "UTC"}

    _, answers = run([line], "--week-start", "sunday")

    assert answers[0]["window"] == ["2026-11-29T00:00:00+00:00", "2026-12-06T00:00:00+00:00"]
