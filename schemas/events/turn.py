"""turn: what a visitor typed, what the agent answered, what the gate decided."""

from typing import Annotated, Literal

from msgspec import Meta

from schemas.events.envelope import Envelope, Payload
from schemas.events.scalars import Count, Identifier, LanguageTag, Milliseconds, Name

GateDecision = Literal["skip", "substantive", "follow_up", "correction", "no_need"]


class Gate(Payload, frozen=True, gc=False, omit_defaults=True):
    """The gate's decision on the turn, as the agent reports it."""

    decision: GateDecision
    reason: Name
    version: Name
    combined_with: Identifier | None = None


class TurnPayload(Payload, frozen=True, gc=False, omit_defaults=True):
    """`message` is exactly as typed and may be empty; `turn_index` is 0 for the first turn of a conversation."""

    turn_id: Identifier
    turn_index: Count
    message: str
    language: LanguageTag | None = None
    answer: str | None = None
    gate: Gate | None = None
    latency_ms: Milliseconds | None = None
    model: Annotated[str, Meta(max_length=256)] | None = None


class Turn(Envelope, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag="turn"):
    """One turn of a conversation. A turn belongs to a conversation, so that field is required here."""

    conversation_id: Identifier
    payload: TurnPayload
