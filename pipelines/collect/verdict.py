"""What becomes of each event of a request: accepted with the collector's time, or rejected with a reason; pure."""

from datetime import UTC, datetime

import msgspec

from pipelines.ingest.decode import DEFAULT_LIMITS, Limits, Reason, Rejection, decode
from schemas.events import Event

_fields = msgspec.json.Decoder(dict[str, msgspec.Raw])
_encoder = msgspec.json.Encoder()


class Accepted(msgspec.Struct, frozen=True):
    """An event of the key's tenant, and its bytes with `received_at` set."""

    event: Event
    record: bytes


def judge(raw: bytes, tenant: str, received_at: datetime, limits: Limits = DEFAULT_LIMITS) -> Accepted | Rejection:
    """Decode an event and hold it to the tenant of the write key; stamp what is accepted.

    The stamp replaces a `received_at` that came along, whatever it was: it is the collector's to say. Every other byte
    stays.
    """
    event = decode(raw, limits)
    if isinstance(event, Rejection) and event.path == "$.received_at":
        raw = stamp(raw, received_at)
        event = decode(raw, limits)
    if isinstance(event, Rejection):
        return event
    if event.tenant != tenant:
        return Rejection(
            reason=Reason.FOREIGN_TENANT, path="$.tenant", message="the event names a tenant that is not the key's"
        )
    return Accepted(event=event, record=stamp(raw, received_at))


def stamp(raw: bytes, received_at: datetime) -> bytes:
    """Return the record with `received_at` set; fields that the contract does not know are kept as they are."""
    fields = _fields.decode(raw)
    moment = received_at.astimezone(UTC).isoformat(timespec="microseconds")
    fields["received_at"] = msgspec.Raw(f'"{moment}"'.encode())
    return _encoder.encode(fields)
