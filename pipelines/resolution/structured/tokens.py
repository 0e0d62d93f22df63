"""Text to tokens: words with every reading that a language gives them, and what cannot be part of a phrase marked so.

Linear in the length of the text. What stands inside a quotation, an address, an identifier or a number with a unit
becomes an opaque token: no phrase can reach into it or across it.
"""

import re
import unicodedata
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

Kind = Literal[
    "day_word",  # value: days from today
    "weekday",  # 0 is Monday
    "month",  # 1 to 12
    "unit",  # the name of a unit
    "part",  # the name of a part of a day
    "this_part",  # "tonight": part of today
    "last_part",  # "last night" as one word: part of yesterday
    "number",
    "digits",  # a number in figures
    "ordinal",  # written with a suffix
    "ordinal_word",
    "year",
    "quarter",
    "iso",
    "this",
    "last",
    "past",
    "next",
    "coming",
    "ago",
    "ago_before",
    "hence",  # "from now"
    "in",
    "on",
    "of",
    "article",
    "from",
    "to",
    "between",
    "and",
    "since",
    "before",
    "after",
    "until",
    "couple",
    "plural",  # beside "unit"
    "now",
    "except",  # what follows is left out of what is asked for
    "edge",  # "end", "beginning": parts of periods are outside the set
]
Readings = Mapping[Kind, int | str]
_NOTHING: Readings = {}


#: what stands for the text of a token that begins with a digit and has no known shape
DIGITS = "0"


@dataclass(frozen=True, slots=True)
class Token:
    """One word or mark at `start:end` of the text; `folded` is its lower case without accents."""

    folded: str
    start: int
    end: int
    readings: Readings
    title: bool
    mark: str = ""  # punctuation that directly follows


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """All that the parser knows of a language. `words` may hold phrases of several words, and apostrophes."""

    code: str
    words: Mapping[str, Readings]
    common: frozenset[str]  # words by which the language is recognised
    past_cues: frozenset[str]
    future_cues: frozenset[str]
    needs_context: frozenset[str]  # names of months and days that are also other words
    holiday_words: frozenset[str] = frozenset()  # make a name of the weekday after them ("Black Friday")
    pronouns: frozenset[str] = frozenset()  # after a month's name they say that it was a verb
    capital_months: bool = False  # month and weekday names are always capitalised
    plain_days: bool = False  # "le 3" names a day; otherwise only "the 3rd" does
    past_endings: tuple[str, ...] = ()
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], Readings], ...]] = field(init=False)

    def __post_init__(self) -> None:
        """Index the phrases of several words by their first word, longest first."""
        phrases: dict[str, list[tuple[tuple[str, ...], Readings]]] = {}
        for key, readings in self.words.items():
            parts = tuple(key.split(" "))
            if len(parts) > 1:
                phrases.setdefault(parts[0], []).append((parts, readings))
        index = {first: tuple(sorted(found, key=lambda p: -len(p[0]))) for first, found in phrases.items()}
        object.__setattr__(self, "phrases", index)


#: quotations, each on one line and of bounded length; the apostrophe counts only between a space and a space
_QUOTED = re.compile(
    r"\"[^\"\n]{1,500}\"|\u201c[^\u201d\n]{1,500}\u201d|«[^»\n]{1,500}»|`[^`\n]{1,500}`"
    r"|\u201e[^\u201c\u201d\n]{1,500}[\u201c\u201d]|(?<![\w'\u2019])['\u2018](?=\w)[^'\u2019\n]{1,500}['\u2019](?!\w)"
)
_PIECE = re.compile(r"\S+")
_ISO = re.compile(r"(\d{4})-(\d{1,2})(?:-(\d{1,2}))?(?:T[0-9:.]+(?:Z|[+-]\d{2}:?\d{2})?)?")
_ORDINAL = re.compile(r"(\d{1,2})(?:st|nd|rd|th|º|°|er)", re.IGNORECASE)
_QUARTER = re.compile(r"[qQtT]([1-4])|(\d{4})-?[qQtT]([1-4])")
_WORD = re.compile(r"[^\W\d_]+")
#: a word, a colon, and figures that were typed without a space: "says:30 December"
_GLUED = re.compile(r"[^\W\d_]{2,}:(?=\d)")
_OPENING = "([{¿¡"
_CLOSING = ".,;:!?)]}…"
_MONEY = frozenset("$€£¥#")
_DASHES = frozenset({"-", "\u2013", "\u2014"})
_POSSESSIVE = ("'s", "\u2019s")


def listed(words: str) -> tuple[str, ...]:
    """Return the words of a line, so that a vocabulary stays readable."""
    return tuple(words.split())


@lru_cache(maxsize=4096)
def fold(word: str) -> str:
    """Return the lower case of a word without its accents, with one kind of apostrophe and hyphen."""
    plain = word.casefold().replace("\u2019", "'").replace("\u2011", "-")
    if plain.isascii():
        return plain
    return "".join(c for c in unicodedata.normalize("NFD", plain) if not unicodedata.combining(c))


def tokenize(text: str, language: Language) -> list[Token]:
    """Return the tokens of a text in order."""
    hidden = _hidden(text)
    tokens: list[Token] = []
    for piece in _PIECE.finditer(text):
        start, end = piece.span()
        while hidden and hidden[0][1] <= start:
            hidden.popleft()
        if hidden and hidden[0][0] < end:
            tokens.append(Token("", start, end, _NOTHING, title=False))
        elif tokens and text[start - 2 : start - 1] in _MONEY and text[tokens[-1].start : start].strip() in _MONEY:
            tokens.append(Token(DIGITS, start, end, _NOTHING, title=False))
        else:
            if glued := _GLUED.match(text, start, end):
                tokens.extend(_piece_tokens(text, start, glued.end(), language))
                start = glued.end()
            tokens.extend(_piece_tokens(text, start, end, language))
    return _join_phrases(tokens, language) if language.phrases else tokens


def _hidden(text: str) -> deque[tuple[int, int]]:
    if not any(mark in text for mark in "\"\u201c«`\u201e'\u2018"):
        return deque()
    return deque(found.span() for found in _QUOTED.finditer(text))


def _piece_tokens(text: str, start: int, end: int, language: Language) -> list[Token]:
    """Split one run of non-spaces: its opening marks, its words, its closing marks."""
    while start < end and text[start] in _OPENING:
        start += 1
    if text[start:end] in _DASHES:
        return [Token("-", start, end, {"to": 0}, title=False)]
    closing = end
    while closing > start and text[closing - 1] in _CLOSING:
        closing -= 1
    mark = text[closing:end]
    if closing == start:
        return [Token(mark, start, end, _NOTHING, title=False, mark=mark)]
    for suffix in _POSSESSIVE:
        if text.endswith(suffix, start, closing):
            closing -= len(suffix)
            mark = mark or "'"
            break
    word = text[start:closing]
    folded = fold(word)
    readings = language.words.get(folded) or _number(word)
    if readings is None:
        split = _elided(text, start, closing, language)
        if split is not None:
            return [*split[:-1], _with_mark(split[-1], mark)]
        plain = _WORD.fullmatch(word) is not None or "'" in folded
        return [
            Token(folded if plain else _opaque(word), start, closing, _NOTHING, title=word[:1].isupper(), mark=mark)
        ]
    return [Token(folded, start, closing, readings, title=word[:1].isupper() and not word[1:].isupper(), mark=mark)]


def _opaque(word: str) -> str:
    """Return what later rules may know of a word in no known shape: that it begins with a digit."""
    return DIGITS if word[:1].isdigit() else ""


def _with_mark(token: Token, mark: str) -> Token:
    return Token(token.folded, token.start, token.end, token.readings, title=token.title, mark=mark)


def _elided(text: str, start: int, end: int, language: Language) -> list[Token] | None:
    """Split "l'année" or "d'octobre" where the language knows the part before the apostrophe."""
    word = text[start:end]
    at = max(word.find("'"), word.find("\u2019"))
    if at <= 0:
        return None
    head, tail = fold(word[: at + 1]), word[at + 1 :]
    readings = language.words.get(head)
    if readings is None:
        return None
    rest = language.words.get(fold(tail), _NOTHING)
    middle = start + at + 1
    return [
        Token(head, start, middle, readings, title=False),
        Token(fold(tail), middle, end, rest, title=tail[:1].isupper()),
    ]


def _number(word: str) -> Readings | None:
    """Read a word with digits in one of the few shapes that a phrase may hold; None for every other shape."""
    if not any(c in "0123456789" for c in word):
        return None
    if word.isascii() and word.isdigit():
        if len(word) == 4 and word[0] in "12":
            return {"number": int(word), "digits": int(word), "year": int(word)}
        return {"number": int(word), "digits": int(word)} if len(word) <= 4 else None
    if found := _ORDINAL.fullmatch(word):
        return {"ordinal": int(found[1])}
    if found := _QUARTER.fullmatch(word):
        return {"quarter": int(found[1] or found[3]) + 10 * int(found[2] or 0)}
    if found := _ISO.fullmatch(word):
        return {"iso": "-".join(part for part in found.groups() if part)}
    return None


def _join_phrases(tokens: list[Token], language: Language) -> list[Token]:
    joined: list[Token] = []
    at = 0
    while at < len(tokens):
        for parts, readings in language.phrases.get(tokens[at].folded, ()):
            last = at + len(parts) - 1
            if last < len(tokens) and all(tokens[at + i].folded == part for i, part in enumerate(parts)):
                first, final = tokens[at], tokens[last]
                joined.append(
                    Token(" ".join(parts), first.start, final.end, readings, title=first.title, mark=final.mark)
                )
                at = last + 1
                break
        else:
            joined.append(tokens[at])
            at += 1
    return joined
