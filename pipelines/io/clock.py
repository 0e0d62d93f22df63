"""The only door to the time of day."""

from datetime import UTC, datetime


def now() -> datetime:
    """Return the present instant, in UTC."""
    return datetime.now(UTC)  # noqa: TID251 - this is the door
