"""model_call: one call of a language model, with its tokens and the segments of its prompt in order."""

from schemas.events.envelope import Envelope, Payload
from schemas.events.scalars import Count, Identifier, Milliseconds, Name


class Segment(Payload, frozen=True, gc=False, omit_defaults=True):
    """A named part of the prompt; equal hashes mean equal text."""

    name: Name
    hash: Identifier
    tokens: Count


class ModelCallPayload(Payload, frozen=True, gc=False, omit_defaults=True):
    """`cached_tokens` are those prompt tokens that the provider read from its cache."""

    call_id: Identifier
    purpose: Name
    provider: Name
    model: Name
    prompt_tokens: Count
    completion_tokens: Count
    turn_id: Identifier | None = None
    cached_tokens: Count | None = None
    latency_ms: Milliseconds | None = None
    first_token_ms: Milliseconds | None = None
    segments: tuple[Segment, ...] = ()


class ModelCall(Envelope, frozen=True, gc=False, omit_defaults=True, kw_only=True, tag="model_call"):
    """One model call."""

    payload: ModelCallPayload
