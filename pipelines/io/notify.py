"""Tell someone: a webhook."""

from collections.abc import Mapping
from typing import Any

import httpx

from pipelines.errors import NightcheckError


class WebhookError(NightcheckError):
    """The webhook did not take the message; it stays undelivered and is tried again with the next delivery."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            "the webhook", reason, "Check NIGHTCHECK_WEBHOOK_URL; the alert is delivered with the next try"
        )


def post(url: str, body: Mapping[str, Any], *, timeout_seconds: float = 10.0) -> None:
    """Post a JSON body; raises `WebhookError` unless it is answered with 2xx. The URL, a secret, is never shown."""
    try:
        response = httpx.post(url, json=body, timeout=timeout_seconds)
    except httpx.HTTPError as error:
        raise WebhookError(type(error).__name__) from error
    if not response.is_success:
        raise WebhookError(f"answered {response.status_code}")
