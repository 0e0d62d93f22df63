"""Tell someone: a webhook that Slack and its kin understand, signed so that a receiver can know who speaks."""

import hashlib
import hmac
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import httpx

from pipelines.errors import NightcheckError

#: waits between tries, in seconds; a server that names a time is waited for that long, up to the longest
_WAITS = (1.0, 4.0, 15.0)
_LONGEST_WAIT = 60.0
_WORTH_ANOTHER_TRY = frozenset({408, 425, 429})


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """Where to post, and the secret to sign with. Both stay out of messages and logs."""

    url: str = field(repr=False)
    secret: str | None = field(default=None, repr=False)


def webhook(url: str | None, secret: str | None) -> Webhook | None:
    """Return the webhook that is configured, if any."""
    return Webhook(url=url, secret=secret) if url else None


class WebhookError(NightcheckError):
    """The webhook did not take the message; it stays undelivered and is tried again with the next delivery."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            "the webhook", reason, "Check NIGHTCHECK_WEBHOOK_URL; the alert is delivered with the next try"
        )


def sign(secret: str, timestamp: int, body: bytes) -> str:
    """Return the value of `Nightcheck-Signature`: `t=<seconds>,v1=<hex>`, HMAC-SHA256 of `<seconds>.<body>`.

    A receiver computes the same from the bytes that it got, compares in constant time, and refuses old timestamps.
    """
    digest = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={timestamp},v1={digest}"


def post(
    to: Webhook,
    body: Mapping[str, Any],
    *,
    idempotency_key: str,
    now: Callable[[], datetime],
    sleep: Callable[[float], None],
    timeout_seconds: float = 10.0,
) -> None:
    """Post a JSON body; tries again what may pass; raises `WebhookError` unless it is answered with 2xx in the end.

    `Idempotency-Key` is the same in every try, for receivers that drop what they have.
    """
    content = json.dumps(body, ensure_ascii=False).encode()
    for wait in (*_WAITS, None):
        headers = {"Content-Type": "application/json", "Idempotency-Key": idempotency_key}
        if to.secret is not None:
            headers["Nightcheck-Signature"] = sign(to.secret, int(now().timestamp()), content)
        try:
            with (
                _address_unlogged(),
                # the status says all; a body is not waited for, however slowly it comes
                httpx.stream("POST", to.url, content=content, headers=headers, timeout=timeout_seconds) as response,
            ):
                pass
        except (httpx.InvalidURL, ValueError) as error:  # such as a host that cannot be encoded
            raise WebhookError(type(error).__name__) from None  # the error names the address
        except httpx.HTTPError as error:
            reason, named = type(error).__name__, None
        else:
            if response.is_success:
                return
            reason, named = f"answered {response.status_code}", response.headers.get("Retry-After")
            if response.status_code < 500 and response.status_code not in _WORTH_ANOTHER_TRY:
                raise WebhookError(reason)
        if wait is None:
            raise WebhookError(reason)
        sleep(min(float(named), _LONGEST_WAIT) if named and named.isdecimal() else wait)


@contextmanager
def _address_unlogged() -> Iterator[None]:
    """Keep the client from logging where it posts to: whoever knows the address of such a webhook may post there."""
    client = logging.getLogger("httpx")
    level = client.level
    client.setLevel(logging.WARNING)
    try:
        yield
    finally:
        client.setLevel(level)
