"""Reads what an OpenAI-compatible endpoint sends back: completions, errors, and how long it asks to wait."""

from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from schemas.chat import MOST_TOKENS, Outcome, Reply, Tokens

#: how an error says that a content filter stopped the prompt (OpenAI, Azure)
_FILTERED = frozenset({"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"})
#: a 429 that waiting does not cure: the account is out of money
_OUT_OF_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached"})


def read_completion(answer: Any) -> Reply:
    """Read the body of a chat completion. A body of another shape is an endpoint that is broken: unavailable.

    Where only the content is no text, or a name or a count is none, that alone is empty or unknown: it was paid for.
    """
    try:
        choice = answer["choices"][0]
        message, reason = choice["message"], choice.get("finish_reason")
        text, refusal = _content(message.get("content")), message.get("refusal")
        common: dict[str, Any] = {
            "tokens": _read_tokens(_mapping(answer.get("usage"))),
            "model": _text(answer.get("model")),
            "fingerprint": _text(answer.get("system_fingerprint")),
            "http_status": 200,
        }
    except (KeyError, IndexError, TypeError, AttributeError):
        return Reply(outcome=Outcome.UNAVAILABLE, http_status=200, detail="the answer is no chat completion")
    if refusal or reason == "content_filter":
        return Reply(outcome=Outcome.REFUSED, detail=reason if reason == "content_filter" else "refusal", **common)
    if reason == "length":
        return Reply(outcome=Outcome.TRUNCATED, text=text, detail="finish_reason length", **common)
    return Reply(outcome=Outcome.ANSWERED, text=text, **common)


def read_error(status: int, code: str | None, headers: Mapping[str, str]) -> Reply:
    """Read an HTTP error, and how long to wait where that may help."""
    outcome = _outcome_of(status, code or "")
    return Reply(
        outcome=outcome,
        http_status=status,
        retry_after=_retry_after(headers) if outcome in _WORTH_WAITING else None,
        detail=f"HTTP {status} {_text(code) or ''}".strip(),
    )


def read_error_body(status: int, body: Any) -> Reply:
    """Read an error that came in a body of its own, as in the answers of a batch."""
    error = body.get("error") if isinstance(body, Mapping) else None
    code = error.get("code") if isinstance(error, Mapping) else None
    return read_error(status, None if code is None else str(code), {})


def _read_tokens(usage: Mapping[str, Any]) -> Tokens:
    details = _mapping(usage.get("prompt_tokens_details"))
    return Tokens(
        prompt=_count(usage.get("prompt_tokens")),
        cached=_count(details.get("cached_tokens")),
        cache_write=_count(details.get("cache_write_tokens")),
        completion=_count(usage.get("completion_tokens")),
    )


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else 0


def _content(value: object) -> str:
    """Return the text of a message: of a list of parts, that of the parts that are text."""
    parts = value if isinstance(value, list) else [{"type": "text", "text": value}]
    return "".join(_text(part.get("text")) or "" for part in map(_mapping, parts) if part.get("type") == "text")


def _text(value: object) -> str | None:
    """Return a text as it can be stored (JSON can spell half a character, which is none); None for anything else."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


_WORTH_WAITING = frozenset({Outcome.RATE_LIMITED, Outcome.UNAVAILABLE})


def _outcome_of(status: int, code: str) -> Outcome:
    if code in _FILTERED:
        return Outcome.REFUSED
    if code in _OUT_OF_MONEY or status in {401, 403, 404}:
        return Outcome.MISCONFIGURED
    if status == 429:
        return Outcome.RATE_LIMITED
    if status in {408, 409, 425} or status >= 500:
        return Outcome.UNAVAILABLE
    return Outcome.REJECTED


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how long to wait: milliseconds, seconds, or a date as seen by the clock that sent it (RFC 9110, 10.2.3)."""
    for name, divisor in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) / divisor
        except ValueError:
            continue
        return seconds if 0 <= seconds < float("inf") else None
    try:
        until = parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, (until - parsedate_to_datetime(headers.get("date", ""))).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None
