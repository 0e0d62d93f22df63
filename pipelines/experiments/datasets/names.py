"""The list of possible names that a person reads before a set is released."""

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from pipelines.experiments.datasets.dataset import texts_of
from pipelines.experiments.datasets.item import Item
from pipelines.privacy import find_possible_names, ordinary_words

_AROUND = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class PossibleName:
    """A word or words that may be somebody's name, by which rules, in which items, and one place to read."""

    name: str
    rules: tuple[str, ...]
    items: tuple[str, ...]
    example: str


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(PossibleName)


def names_to_review(items: Iterable[Item]) -> tuple[PossibleName, ...]:
    """Return the possible names in the items, the surest first: introduced, then by capitals, then opening a sentence.

    A word that the items also write in small letters is left off, unless it was introduced as a name.
    """
    items = list(items)
    ordinary = ordinary_words(text for each in items for _, text in texts_of(each))
    rules: dict[str, set[str]] = {}
    places: dict[str, set[str]] = {}
    examples: dict[str, str] = {}
    for each in items:
        for _, text in texts_of(each):
            for span in find_possible_names(text, ordinary=ordinary):
                name = text[span.start : span.end]
                rules.setdefault(name, set()).add(span.rule)
                places.setdefault(name, set()).add(each.item_id)
                examples.setdefault(name, text[max(0, span.start - _AROUND) : span.end + _AROUND])
    found = [
        PossibleName(
            name=name, rules=tuple(sorted(rules[name])), items=tuple(sorted(places[name])), example=examples[name]
        )
        for name in rules
    ]
    return tuple(sorted(found, key=lambda each: (_doubt(each), each.name)))


def encode_names(names: Iterable[PossibleName]) -> bytes:
    """Return the list as JSON lines."""
    return b"".join(_ENCODER.encode(name) + b"\n" for name in names)


def decode_names(text: bytes) -> tuple[PossibleName, ...]:
    """Return the list that JSON lines hold. Raises `msgspec.DecodeError`."""
    return tuple(_DECODER.decode(line) for line in text.splitlines())


def _doubt(name: PossibleName) -> int:
    order = ("introduction", "title", "capital", "opening capital")
    return min(order.index(rule) for rule in name.rules)
