"""A text as the detectors read it: accents, widths and invisible characters taken off, each place traceable.

Personal data is typed with full-width signs, decomposed accents and zero-width spaces; a pattern that had to know them
all would miss some. So each pattern is written once, for the folded text, and its finds are carried back.
"""

import unicodedata
from dataclasses import dataclass

_APOSTROPHES = frozenset("\u2018\u2019\u02bc\u00b4\u2032")
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2212")


@dataclass(frozen=True, slots=True)
class Folded:
    """The folded text, and for each of its characters the index of the one it came from; None where nothing moved."""

    text: str
    original_length: int
    origins: tuple[int, ...] | None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the original text that the non-empty folded range `[start, end)` came from.

        Characters that folding left out are counted with the one before them, so that nothing of a find stays behind.
        """
        if self.origins is None:
            return start, end
        last = self.origins[end - 1] + 1
        after = self.origins[end] if end < len(self.origins) else self.original_length
        return self.origins[start], max(last, after)


def fold(text: str) -> Folded:
    """Fold `text` in time linear in its length. Letter case stays, since names are told by it."""
    if text.isascii():
        return Folded(text, len(text), None)
    characters: list[str] = []
    origins: list[int] = []
    for index, character in enumerate(text):
        for piece in _pieces(character):
            characters.append(piece)
            origins.append(index)
    return Folded("".join(characters), len(text), tuple(origins))


def _pieces(character: str) -> str:
    if character.isascii():
        return character
    if character in _APOSTROPHES:
        return "'"
    if character in _DASHES:
        return "-"
    value = unicodedata.digit(character, -1)
    if value >= 0:
        return str(value)
    if unicodedata.category(character) == "Cf":
        return ""
    return "".join(piece for piece in unicodedata.normalize("NFKD", character) if not unicodedata.combining(piece))
