"""JSON lines in, JSON lines out: the shape of the commands that other programs call."""

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

Request = TypeVar("Request", bound=msgspec.Struct)


def map_json_lines(request_type: type[Request], answer: Callable[[Request], dict[str, Any]]) -> int:
    """Answer each line of standard input with one line on standard output, in order.

    A line that is no request is answered with `{"error": …, "line": n}`, so that answers keep the places of their
    requests. Returns the exit code: 0, or 1 if any line was answered with an error.
    """
    decoder = msgspec.json.Decoder(request_type)
    encoder = msgspec.json.Encoder()
    failed = False
    for number, line in enumerate(sys.stdin.buffer, start=1):
        if not line.strip():
            continue
        try:
            result = answer(decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            failed = True
            result = {"error": str(error), "line": number}
        except RecursionError:  # from a field that nobody reads, too: it is skipped value by value
            failed = True
            result = {"error": "JSON is nested too deeply", "line": number}
        sys.stdout.buffer.write(encoder.encode(result) + b"\n")
        sys.stdout.buffer.flush()
    return int(failed)
