"""What a dataset says about itself: which items, which split, drawn how, with which threshold."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

import msgspec


class Split(StrEnum):
    """What a set may be used for."""

    #: rules and thresholds may be chosen on it
    TUNING = "tuning"
    #: only ever measured on
    HELD_OUT = "held_out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold:
    """How much a difference on this dataset must be to count, and where that figure comes from.

    It is one standard error under the dataset's own control; `content_hash` is that of the dataset it was measured on,
    so that a threshold copied from another dataset is recognised.
    """

    value: float
    measure: str
    control: str
    run_id: str
    content_hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """How the items came to be: where from, chosen by which rule, and what was left out for which reason."""

    source: str
    made_at: datetime
    tags: tuple[str, ...] = ()
    per_tenant_cap: int | None = None
    seed: int | None = None
    earlier_sets: tuple[str, ...] = ()
    detector_version: str | None = None
    left_out: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The description of one dataset; `content_hash` is computed over the items and ties the two together.

    `collections` names, for each tenant, the file (within the dataset's folder) of the passages that its items are
    searched in. `released` stays False until a person has read the possible names that were listed for reading.
    """

    name: str
    version: int
    content_hash: str
    split: Split
    items: int
    provenance: Provenance
    released: bool = False
    released_by: str | None = None
    threshold: Threshold | None = None
    collections: dict[str, str] = field(default_factory=dict)


_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(Manifest)


def encode(manifest: Manifest) -> bytes:
    """Return the manifest as readable JSON; equal manifests give equal bytes."""
    return msgspec.json.format(_ENCODER.encode(manifest), indent=2) + b"\n"


def decode(text: bytes) -> Manifest:
    """Return the manifest that `text` holds. Raises `msgspec.ValidationError`, which names the field at fault."""
    return _DECODER.decode(text)
