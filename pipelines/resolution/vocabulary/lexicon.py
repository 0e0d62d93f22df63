"""Compile a vocabulary file into one table that is walked once per message.

The phrases become a small automaton whose states are shared between phrases that end alike, so a few hundred lines of
vocabulary stand for millions of wordings. The reader takes the longest phrase at each word and never goes back, so
reading a message is linear in its length: a phrase has a bounded number of words.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from enum import IntFlag, auto

from pipelines.resolution.vocabulary.shape import VocabularyFile

#: words, and the punctuation that ends a clause; one alternative or the other at each place, so nothing backtracks
TOKEN = re.compile(r"\w+|[.,;:!?…¿¡()\n]")
MARKS = ".,;:!?…¿¡()\n"

_PIECE = re.compile(r"\[[^\[\]]*\]|[^\[\]]+")


class Kind(IntFlag):
    """What a word or phrase is. A word of no kind is a topic word."""

    CORRECTION = auto()
    REPAIR = auto()
    NOD = auto()
    CHOICE = auto()
    FRAME = auto()
    CONNECTIVE = auto()
    REFERENCE = auto()
    EDGE_REFERENCE = auto()
    COMPARISON = auto()
    JOINING = auto()
    DEFINITE = auto()
    GRADING = auto()
    TWO_PLACE = auto()
    PREPOSITION = auto()
    NEUTRAL = auto()
    COMPANY = auto()
    CLAUSE = auto()
    GENERIC = auto()
    ASKING = auto()
    FILLER = auto()
    COURTESY = auto()
    TYPED = auto()
    NONSENSE = auto()
    #: punctuation
    MARK = auto()


class LexiconError(ValueError):
    """A phrase is not written as phrases are."""


@dataclass(slots=True)
class Node:
    """What is known after some words: the kinds of a phrase that ends here (0 for none) and how it may go on."""

    kinds: int = 0
    after: "dict[str, Node]" = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """All words and phrases of a language, by their first word, and the endings that carry a pronoun."""

    first: dict[str, Node]
    endings: tuple[str, ...]


def normalise(text: str) -> str:
    """Return the text in lower case and composed form, as the lexicon spells its words."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFC", text).lower()


def without_accents(text: str) -> str:
    """Return the text with its accents taken off."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def compile_lexicon(file: VocabularyFile) -> Lexicon:
    """Return the table of one language; LexiconError where a phrase cannot be read."""
    phrases = _Phrases(file.groups, frozenset(file.accents_matter))
    for kind in Kind:
        if kind is not Kind.MARK:
            for phrase in getattr(file, str(kind.name).lower()):
                phrases.add(phrase, kind)
    first = phrases.compiled().after
    for mark in MARKS:
        first.setdefault(mark, Node()).kinds |= int(Kind.MARK)
    return Lexicon(first=first, endings=tuple(file.reference_endings))


class _Phrases:
    """The phrases as an automaton that may be in several states at once, and its conversion to one that is in one."""

    def __init__(self, groups: dict[str, list[str]], accents_matter: frozenset[str]) -> None:
        self._groups = groups
        self._accents_matter = accents_matter
        self._edges: list[dict[str, set[int]]] = [{}]
        self._kinds: list[int] = [0]

    def add(self, phrase: str, kind: Kind) -> None:
        """Add one phrase of the vocabulary."""
        written = phrase
        for name, alternatives in self._groups.items():
            phrase = phrase.replace(f"<{name}>", "[" + "|".join(alternatives) + "]")
        pieces = _PIECE.findall(phrase)
        if "<" in phrase or "".join(pieces) != phrase:
            msg = f"unknown group or unbalanced brackets in {written!r}"
            raise LexiconError(msg)
        states = {0}
        for piece in pieces:
            states = self._piece(states, piece.strip("[]").split("|"))
        if 0 in states:
            msg = f"{written!r} may be empty"
            raise LexiconError(msg)
        for state in states:
            self._kinds[state] |= int(kind)

    def _piece(self, states: set[int], alternatives: list[str]) -> set[int]:
        """Lead every alternative from the states to one common state; an empty one leaves them as they are."""
        wordings = [TOKEN.findall(normalise(text)) for text in alternatives]
        if all(not words for words in wordings):
            return states
        end = self._state()
        for words in wordings:
            here = states
            for place, word in enumerate(words, start=1):
                following = end if place == len(words) else self._state()
                for state in here:
                    self._edge(state, word, following)
                here = {following}
        return {end} if all(wordings) else {end} | states

    def _state(self) -> int:
        self._edges.append({})
        self._kinds.append(0)
        return len(self._edges) - 1

    def _edge(self, state: int, word: str, following: int) -> None:
        self._edges[state].setdefault(word, set()).add(following)
        plain = without_accents(word)
        if plain != word and plain not in self._accents_matter:
            self._edges[state].setdefault(plain, set()).add(following)

    def compiled(self) -> Node:
        """Return the start of the table."""
        start = frozenset({0})
        nodes = {start: Node()}
        waiting = [start]
        while waiting:
            states = waiting.pop()
            following: dict[str, set[int]] = {}
            for state in states:
                for word, targets in self._edges[state].items():
                    following.setdefault(word, set()).update(targets)
            for word, targets in following.items():
                key = frozenset(targets)
                if key not in nodes:
                    nodes[key] = Node()
                    for state in key:
                        nodes[key].kinds |= self._kinds[state]
                    waiting.append(key)
                nodes[states].after[word] = nodes[key]
        return nodes[start]
