"""One labelled item of a dataset, and the two lines of JSON between an item and its file.

An item is everything a strategy, a retriever and a scorer may need of one turn. It does not know which strategy will
look at it, nor where its dataset lies.
"""

from dataclasses import dataclass, field

import msgspec

from pipelines.judging.verdict import Utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One turn of one conversation, with what is known about it.

    `history` holds the utterances before the message, oldest first, each with the role `visitor` or `assistant`.
    `qrels` maps passage ids to grades (0 irrelevant and up); None says that nobody looked, an empty mapping that
    nothing in the collection is relevant. `recorded` holds texts that were made earlier for this turn, by name, such
    as a model's stored rewrite, so that a strategy can replay them without asking a model.
    """

    item_id: str
    tenant: str
    conversation_id: str
    turn_index: int
    message: str
    history: tuple[Utterance, ...] = ()
    language: str | None = None
    need: str | None = None
    tags: tuple[str, ...] = ()
    qrels: dict[str, int] | None = None
    reference: str | None = None
    recorded: dict[str, str] = field(default_factory=dict)


_ENCODER = msgspec.json.Encoder(order="sorted")
_DECODER = msgspec.json.Decoder(Item)


def encode(item: Item) -> bytes:
    """Return the item as one line of JSON, without the line break; equal items give equal bytes."""
    return _ENCODER.encode(item)


def decode(line: bytes) -> Item:
    """Return the item that a line of JSON holds. Raises `msgspec.ValidationError`, which names the field at fault."""
    return _DECODER.decode(line)
