"""The only door to language models: any endpoint that speaks OpenAI's chat completions, through the openai client.

Every end of a call is a `Reply`, never an exception. Nothing is retried here: whoever asks decides, in one place.
"""

import importlib.resources
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import openai

from schemas.chat import Outcome, Reply, Tokens

#: how an error says that a content filter stopped the prompt (OpenAI, Azure)
_FILTERED = frozenset({"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"})
#: a 429 that waiting does not cure: the account is out of money
_OUT_OF_MONEY = frozenset({"insufficient_quota", "billing_hard_limit_reached"})


class ChatEndpoint:
    """One base URL and key. Use it as an async context manager, inside one event loop."""

    def __init__(self, *, base_url: str | None, api_key: str, timeout: float) -> None:
        self._client = openai.AsyncOpenAI(base_url=base_url, api_key=api_key, timeout=timeout, max_retries=0)

    async def __aenter__(self) -> "ChatEndpoint":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def ask(self, body: Mapping[str, Any]) -> Reply:
        """Post one chat completion and return how it ended."""
        try:
            answer = await self._client.post("/chat/completions", cast_to=object, body=dict(body))
            return read_completion(answer)
        except openai.APIStatusError as error:
            return _read_error(error)
        except openai.APITimeoutError:
            return Reply(outcome=Outcome.UNAVAILABLE, detail="timed out")
        except (openai.APIError, ValueError) as error:
            return Reply(outcome=Outcome.UNAVAILABLE, detail=f"no complete answer ({type(error).__name__})")


def read_completion(answer: Any) -> Reply:
    """Read the body of a chat completion. A body of another shape is an endpoint that is broken: unavailable."""
    try:
        choice = answer["choices"][0]
        message, reason = choice["message"], choice.get("finish_reason")
        text, refusal = message.get("content") or "", message.get("refusal")
        common: dict[str, Any] = {
            "tokens": _read_tokens(answer.get("usage") or {}),
            "model": answer.get("model"),
            "fingerprint": answer.get("system_fingerprint"),
            "http_status": 200,
        }
    except (KeyError, IndexError, TypeError, AttributeError):
        return Reply(outcome=Outcome.UNAVAILABLE, http_status=200, detail="the answer is no chat completion")
    if refusal or reason == "content_filter":
        return Reply(outcome=Outcome.REFUSED, detail=reason if reason == "content_filter" else "refusal", **common)
    if reason == "length":
        return Reply(outcome=Outcome.TRUNCATED, text=text, detail="finish_reason length", **common)
    return Reply(outcome=Outcome.ANSWERED, text=text, **common)


def _read_tokens(usage: Mapping[str, Any]) -> Tokens:
    details = usage.get("prompt_tokens_details") or {}
    return Tokens(
        prompt=_count(usage.get("prompt_tokens")),
        cached=_count(details.get("cached_tokens")),
        cache_write=_count(details.get("cache_write_tokens")),
        completion=_count(usage.get("completion_tokens")),
    )


def _count(value: object) -> int:
    return value if isinstance(value, int) and value >= 0 else 0


def _read_error(error: openai.APIStatusError) -> Reply:
    status, code = error.status_code, error.code or ""
    outcome = _outcome_of(status, code)
    return Reply(
        outcome=outcome,
        http_status=status,
        retry_after=_retry_after(error.response.headers) if outcome in _WORTH_WAITING else None,
        detail=f"HTTP {status} {code}".strip(),
    )


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
    except (ValueError, TypeError):
        return None


_SHUTDOWN = re.compile(r'^- ((?:"[^"]+",?\s+)*"[^"]+"): Announced shutdown date: (\d{4}-\d\d-\d\d)', re.MULTILINE)


def announced_shutdowns() -> dict[str, str]:
    """Return the models whose end the installed openai client announces, each with its date.

    The client says so in the documentation of its list of models, and nowhere that a program could read; so an empty
    answer means that nothing was found there, not that no model ends.
    """
    source = importlib.resources.files("openai.types.shared").joinpath("chat_model.py").read_text("utf-8")
    joined = re.sub(r"\n  ", " ", source)
    return {model: found[2] for found in _SHUTDOWN.finditer(joined) for model in re.findall(r'"([^"]+)"', found[1])}
