"""conversion: a visitor did what the tenant hoped for."""

from typing import Annotated

from msgspec import Meta

from schemas.events.envelope import Envelope, Payload
from schemas.events.scalars import Identifier, Name


class ConversionPayload(Payload, frozen=True, gc=False, omit_defaults=True):
    """`value` is in `currency`, a code of ISO 4217 by its shape."""

    conversion_id: Identifier
    kind: Name
    value: float | None = None
    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$")] | None = None


class Conversion(Envelope, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag="conversion"):
    """One conversion."""

    payload: ConversionPayload
