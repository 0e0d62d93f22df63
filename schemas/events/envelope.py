"""The envelope: what every event carries, whatever its type."""

from typing import Annotated

import msgspec
from msgspec import Meta

from schemas.events.scalars import EventId, Identifier, Instant, Name, Sequence


class Payload(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The base of all payloads: immutable, unknown fields ignored, unset optional fields left out when encoded."""


class Envelope(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag_field="event_type"):
    """The fields of `contract.md`'s envelope. `tenant` is as it came; the decoder normalises it.

    Times are instants of the client's clock, except `received_at`, which the collector stamps. `producer_id` and
    `sequence` come together: one count per producer without gaps, so that a gap is a measured loss.
    """

    event_id: EventId
    schema_version: Annotated[int, Meta(ge=1, le=1)]
    tenant: Annotated[str, Meta(min_length=1, max_length=253)]
    environment: Name
    occurred_at: Instant
    sent_at: Instant | None = None
    received_at: Instant | None = None
    producer_id: Identifier | None = None
    sequence: Sequence | None = None
    conversation_id: Identifier | None = None
    visitor_id: Identifier | None = None

    def __post_init__(self) -> None:
        """Check what no single field can say: producer and sequence are both there or neither is."""
        if (self.producer_id is None) != (self.sequence is None):
            raise ValueError("`producer_id` and `sequence` come together")
