"""The webhook's address: one that cannot be meant is refused, and none ends in an exception of the client's."""

from datetime import UTC, datetime

import pytest

from pipelines.errors import UsageError
from pipelines.io.notify import Webhook, WebhookError, post
from pipelines.settings import Settings

NOWHERE = [
    "http://a..b/",
    f"http://{'a' * 70}/",
    "http://xn--\u00fc",
    "http://xn--a/",
    "http://127.0.0.1:abc/",
    "http://[::1/",
    "http://[v1.x]/",
]


@pytest.mark.parametrize("url", [*NOWHERE, "http://127.0.0.1:99999/", "hooks.example.com/n", "https://", "http://a b/"])
def test_an_address_that_cannot_be_meant_is_refused(url: str) -> None:
    """The error names the setting, and not the address: who knows that may post there."""
    with pytest.raises(UsageError, match="NIGHTCHECK_WEBHOOK_URL") as refused:
        Settings.from_environment({"NIGHTCHECK_WEBHOOK_URL": url})

    assert url not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["https://hooks.example.com/n?k=\u00fc", "http://[::1]:8000/", "http://m\u00fcller.example/"]
)
def test_an_address_that_can_be_meant_is_taken(url: str) -> None:
    """Also in other letters, and by number."""
    assert Settings.from_environment({"NIGHTCHECK_WEBHOOK_URL": url}).webhook_url == url


@pytest.mark.parametrize("url", NOWHERE)
def test_no_address_ends_in_an_exception_of_the_clients(url: str) -> None:
    """It is said at once: no wait makes it an address."""
    waits: list[float] = []

    with pytest.raises(WebhookError):
        post(
            Webhook(url=url),
            {},
            idempotency_key="k",
            now=lambda: datetime(2026, 11, 30, tzinfo=UTC),
            sleep=waits.append,
        )

    assert waits == []
