"""exposure: a unit of a randomised experiment saw a variant."""

from schemas.events.envelope import Envelope, Payload
from schemas.events.scalars import Identifier, Name


class ExposurePayload(Payload, frozen=True, gc=False, omit_defaults=True):
    """`unit_id` is what was randomised: a visitor, a conversation."""

    experiment: Name
    variant: Name
    unit_id: Identifier


class Exposure(Envelope, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag="exposure"):
    """One exposure."""

    payload: ExposurePayload
