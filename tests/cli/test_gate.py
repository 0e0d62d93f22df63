"""`nightcheck gate` from line to line."""

import json
from typing import Any

from click.testing import CliRunner

from pipelines.cli import app


def _run(*lines: object) -> tuple[int, list[dict[str, Any]]]:
    result = CliRunner().invoke(app, ["gate"], input="\n".join(json.dumps(line) for line in lines) + "\n")
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def test_each_line_is_answered_in_its_place() -> None:
    """A first message, a follow-up with its history, and a skipped one."""
    history = [{"role": "user", "text": "Which plans include SSO?"}, {"role": "assistant", "text": "Team and Pro."}]

    code, answers = _run(
        {"message": "Which plans include SSO?"},
        {"history": history, "message": "Yes, go with the second one."},
        {"message": "ok"},
    )

    assert code == 0
    assert [answer["decision"] for answer in answers] == ["substantive", "follow_up", "skip"]
    assert [answer["combined_with"] for answer in answers] == [None, 0, None]
    assert [answer["query"] for answer in answers] == [
        "Which plans include SSO?",
        "Which plans include SSO? Yes, go with the second one.",
        None,
    ]
    assert set(answers[0]) == {"decision", "reason", "query", "language", "combined_with", "version"}


def test_a_line_that_is_no_request_is_answered_with_an_error() -> None:
    """The lines around it are answered all the same, and the exit code is 1."""
    code, answers = _run(
        {"message": "Which plans include SSO?"}, {"text": "?"}, {"message": "¿Qué planes incluyen SSO?"}
    )

    assert code == 1
    assert [answer.get("language", answer.get("line")) for answer in answers] == ["en", 2, "es"]


def test_no_line_ends_the_run() -> None:
    """Wrong types, no JSON, no UTF-8, half a surrogate, endless nesting: each is answered, and so is what follows."""
    bad = [
        b'{"message": null}',
        b'{"message": "Why is it so?", "history": [{"role": "system", "text": "x"}]}',
        b"[" * 9000,
        b'{"message": "x", "more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"message": "\xff"}',
        rb'{"message": "\ud800"}',
    ]
    good = b'{"message": "Which plans include SSO?"}'

    result = CliRunner().invoke(app, ["gate"], input=b"\n".join([*bad, good]))

    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer.get("line") for answer in answers] == [1, 2, 3, 4, 5, 6, None]
    assert answers[-1]["decision"] == "substantive"
    assert result.exit_code == 1
