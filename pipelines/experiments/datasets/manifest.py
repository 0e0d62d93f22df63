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
    """How the items came to be: where from, chosen by which rule, and what was left out for which reason.

    `public` says that the texts had been published before; they are kept as they are, and the check for personal data
    does not apply to them. `earlier_sets` names the sets that the items were compared with, as `name@content hash`.
    """

    source: str
    made_at: datetime
    public: bool = False
    tags: tuple[str, ...] = ()
    per_tenant_cap: int | None = None
    seed: str | None = None
    earlier_sets: tuple[str, ...] = ()
    detector_version: str | None = None
    left_out: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """The passages that a tenant's items are searched in: a file within the dataset's folder, and its SHA-256."""

    file: str
    content_hash: str
    passages: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """The description of one dataset; `content_hash` ties it to its items and collections.

    `collections` is keyed by tenant. `released` stays False until a person has read the possible names that were listed
    for reading; `released_by` is that person.
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
    collections: dict[str, Collection] = field(default_factory=dict)


_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(Manifest)


def encode(manifest: Manifest) -> bytes:
    """Return the manifest as readable JSON; equal manifests give equal bytes."""
    return msgspec.json.format(_ENCODER.encode(manifest), indent=2) + b"\n"


def decode(text: bytes) -> Manifest:
    """Return the manifest that `text` holds. Raises `msgspec.ValidationError`, which names the field at fault."""
    return _DECODER.decode(text)
