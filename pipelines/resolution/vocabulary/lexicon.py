"""Compile a vocabulary file into one table that is walked once per message.

The phrases become a small automaton whose states are shared between phrases that end alike, so a few hundred lines of
vocabulary stand for millions of wordings. The reader takes the longest phrase at each word and never goes back, so
reading a message is linear in its length: a phrase has a bounded number of words.
"""

import re
import unicodedata
from dataclasses import dataclass, field
from enum import IntFlag, auto
from sys import intern

import regex  # type: ignore[import-untyped]  # it has no types of its own

from pipelines.resolution.vocabulary.shape import VocabularyFile

#: words, and the punctuation that ends a clause; one alternative or the other at each place, so nothing backtracks
TOKEN = re.compile(r"\w+|[.,;:!?…¿¡()\n]")
MARKS = ".,;:!?…¿¡()\n"

# the same for ASCII text without line ends, three times as fast: what is neither becomes a space, and marks stand apart
_ASCII = bytes(
    ord(chr(code).lower()) if chr(code).isalnum() or chr(code) in MARKS + "_" else ord(" ") for code in range(128)
).ljust(256, b" ")
_APART = tuple((mark, f" {mark} ") for mark in MARKS if mark.isascii() and mark != "\n")

_LONG = 1000
_PILED_MARKS = regex.compile(r"(\p{M}{8})\p{M}+")

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
    RESUMPTIVE = auto()
    DETERMINER = auto()
    SUBJECTLESS = auto()
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
    #: punctuation, and the mark that makes a question
    MARK = auto()
    QUESTION = auto()


_SPOKEN = ~int(Kind.TYPED | Kind.NONSENSE)


class LexiconError(ValueError):
    """A phrase is not written as phrases are."""


@dataclass(slots=True)
class Node:
    """What is known after some words: the kinds of a phrase that ends here (0 for none) and how it may go on.

    `spoken` holds the kinds that count in a sentence: what is typed into a form is a topic there like any other word.
    """

    kinds: int = 0
    spoken: int = 0
    after: "dict[str, Node]" = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """The words and phrases of a language by their first word, the endings that carry a pronoun, how one asks.

    `company` holds the last words of what names the company: without one of them a text does not.
    """

    first: dict[str, Node]
    company: frozenset[str]
    endings: tuple[str, ...]
    told_by_tone: bool


def normalise(text: str) -> str:
    """Return the text in lower case and composed form, as the lexicon spells its words.

    Composing sorts the marks on a letter in a time that grows with the square of their number; in a long text all but
    the first few on each letter are left out.
    """
    if text.isascii():
        return text.lower()
    if len(text) > _LONG:
        text = _PILED_MARKS.sub(r"\1", text)
    return unicodedata.normalize("NFC", text).lower()


def tokens_of(text: str) -> list[str]:
    """Return the text's words and clause marks, normalised."""
    if text.isascii() and "\n" not in text:
        text = text.encode().translate(_ASCII).decode()
        for mark, apart in _APART:
            if mark in text:
                text = text.replace(mark, apart)
        return text.split()
    return TOKEN.findall(normalise(text))


def without_accents(text: str) -> str:
    """Return the text with its accents taken off."""
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def compile_lexicon(file: VocabularyFile) -> Lexicon:
    """Return the table of one language; LexiconError where a phrase cannot be read."""
    phrases = _Phrases(file.groups, frozenset(file.accents_matter))
    for kind in Kind:
        if kind not in {Kind.MARK, Kind.QUESTION}:
            for phrase in getattr(file, str(kind.name).lower()):
                phrases.add(phrase, kind)
    for phrase in file.topic:
        phrases.add(phrase, Kind(0))
    nodes = phrases.compiled()
    first = nodes[0].after
    company = frozenset(word for node in nodes for word, end in node.after.items() if end.kinds & Kind.COMPANY)
    for mark in MARKS:
        first.setdefault(mark, Node()).kinds |= int(Kind.MARK)
    first["?"].kinds |= int(Kind.QUESTION)
    _share(nodes)
    return Lexicon(first=first, company=company, endings=tuple(file.reference_endings), told_by_tone=file.told_by_tone)


def _share(nodes: list[Node]) -> None:
    """Let words after which nothing follows share one node for each set of kinds: a message touches less memory."""
    ends: dict[int, Node] = {}
    for node in nodes:
        node.spoken = node.kinds & _SPOKEN
        for word, following in node.after.items():
            if not following.after:
                following.spoken = following.kinds & _SPOKEN
                node.after[word] = ends.setdefault(following.kinds, following)


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
        wordings = [tokens_of(text) for text in alternatives]
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
        # interned, as the words by which a language is told are: one object for a word, wherever it is looked up
        self._edges[state].setdefault(intern(word), set()).add(following)
        plain = without_accents(word)
        if plain != word and plain not in self._accents_matter:
            self._edges[state].setdefault(intern(plain), set()).add(following)

    def compiled(self) -> list[Node]:
        """Return the states of the table, the start first."""
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
        return list(nodes.values())
