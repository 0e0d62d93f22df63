"""`nightcheck disclaim`."""

import sys
from typing import Any

import click
import msgspec

from pipelines.cli.json_lines import map_json_lines


class _Request(msgspec.Struct):
    answer: str
    language: str | None = None


@click.command()
@click.option("--wide", is_flag=True, help='Count "I did not understand" and "I can\'t help with that" too.')
def disclaim(*, wide: bool) -> None:
    """Say of each answer whether it says that it does not know.

    One JSON object a line: {"answer": …, "language": … (optional)}. Answered in order by {"disclaimed": true, false or
    "partial", "language": …, "phrase": …}; a line that is no request by {"error": …, "line": …}, and exit code 1.

    \b
    echo '{"answer":"I could not find anything about that."}' | nightcheck disclaim
    nightcheck disclaim < answers.jsonl > disclaimed.jsonl
    """
    from pipelines.disclaim import detect

    def answer(request: _Request) -> dict[str, Any]:
        found = detect(request.answer, request.language, wide=wide)
        return {"disclaimed": found.disclaimed, "language": found.language, "phrase": found.phrase}

    sys.exit(map_json_lines(_Request, answer))
