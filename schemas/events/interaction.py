"""interaction: a visitor did something with the agent's surface."""

from typing import Annotated

from msgspec import Meta

from schemas.events.envelope import Envelope, Payload
from schemas.events.scalars import Identifier, Name


class InteractionPayload(Payload, frozen=True, gc=False, omit_defaults=True):
    """`kind` is an open set: card_shown, card_clicked, question_asked, link_clicked and more."""

    interaction_id: Identifier
    kind: Name
    target: Annotated[str, Meta(max_length=8192)] | None = None
    turn_id: Identifier | None = None


class Interaction(Envelope, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag="interaction"):
    """One interaction."""

    payload: InteractionPayload
