"""Possible names of people in a text, for a person's reading. Nothing is removed by these rules.

Two kinds of sign: words that introduce a name ("my name is", "Mme"), and capital letters where the language has none. A
word that the same harvest also writes in small letters is taken for an ordinary one.
"""

import re
from collections.abc import Iterable

from pipelines.privacy.fold import Folded
from pipelines.privacy.span import Kind, Span
from pipelines.privacy.words import CAPITALISED, ORDINARY, TITLES

_INTRODUCTION = (
    r"(?:my name is|my name's|name is|this is|i am|i'm|call me|called|signed|sincerely,|regards,|"
    r"je m'appelle|mon nom est|je suis|me llamo|mi nombre es|soy|mi chiamo|il mio nome e|sono|ask for|"
    r"speak (?:to|with)|under the name|attn:?|"
    r"name:|nom:|nombre:|nome:|dear|hi|hello|hey|bonjour|salut|hola|ciao|caro|cara|cher|chere|querido|querida|"
    r"(?:my|mon|ma|mi|mio|mia) (?:son|daughter|wife|husband|brother|sister|partner|friend|kid|boss|fils|fille|femme|"
    r"mari|frere|soeur|hijo|hija|mujer|marido|hermano|hermana|figlio|figlia|moglie|marito|fratello|sorella))"
)
_WORD = r"[^\W\d_]+(?:['-][^\W\d_]+){0,3}"
_INTRODUCED = re.compile(rf"\b(?i:{_INTRODUCTION})[ \t]{{1,2}}(?P<name>{_WORD}(?:[ \t]{_WORD}){{0,2}})")
_TITLED = re.compile(rf"(?<!\w)(?i:{'|'.join(sorted(TITLES))}|sig\.ra|dott\.ssa)\.?[ \t]{{1,2}}(?P<name>{_WORD})")
_RUN = re.compile(rf"(?<![\w@.])(?P<name>{_WORD}(?:(?:[ \t]|\.[ \t]){_WORD}){{0,200}})")
_PIECE = re.compile(_WORD)
_SENTENCE_START = re.compile(r"(?:\A|[.!?:\n\"(\u00bf\u00a1>*-])[ \t\"'(]*\Z")


def vocabulary(texts: Iterable[Folded]) -> frozenset[str]:
    """Return the words that any of the texts writes in small letters: words that are hardly anyone's name."""
    return frozenset(word for text in texts for word in _PIECE.findall(text.text) if word.islower())


def find_names(folded: Folded, ordinary: frozenset[str] = frozenset()) -> tuple[Span, ...]:
    """Return possible names in the order of the text, without overlaps. `ordinary` are words known to be none."""
    known = ORDINARY | CAPITALISED | TITLES | ordinary
    found: dict[int, tuple[int, str]] = {}
    for match in _TITLED.finditer(folded.text):
        if match["name"].lower() not in ORDINARY:
            found[match.start("name")] = (match.end("name"), "title")
    for match in _INTRODUCED.finditer(folded.text):
        _keep_introduced(folded.text, match, known, found)
    for match in _RUN.finditer(folded.text):
        _keep_capitalised(folded.text, match, known, found)
    return _without_overlaps(folded, found)


def _keep_introduced(text: str, match: re.Match[str], known: frozenset[str], found: dict[int, tuple[int, str]]) -> None:
    """Keep the words after an introduction up to the first that is no name."""
    end = match.start("name")
    for piece in _PIECE.finditer(text, match.start("name"), match.end("name")):
        if piece[0].lower() in known:
            break
        end = piece.end()
    if end > match.start("name"):
        found[match.start("name")] = (end, "introduction")


def _keep_capitalised(
    text: str, match: re.Match[str], known: frozenset[str], found: dict[int, tuple[int, str]]
) -> None:
    """Keep each stretch of capitalised words, and say of a single one whether it only opens a sentence."""
    stretch: list[re.Match[str]] = []
    for piece in [*_PIECE.finditer(text, match.start(), match.end()), None]:
        if piece is not None and piece[0][0].isupper() and piece[0].lower() not in known:
            stretch.append(piece)
            continue
        if stretch:
            opens = len(stretch) == 1 and _SENTENCE_START.search(
                text, max(0, stretch[0].start() - 8), stretch[0].start()
            )
            found.setdefault(stretch[0].start(), (stretch[-1].end(), "opening capital" if opens else "capital"))
        stretch = []


def _without_overlaps(folded: Folded, found: dict[int, tuple[int, str]]) -> tuple[Span, ...]:
    spans: list[Span] = []
    taken = 0
    for start, (end, rule) in sorted(found.items()):
        if end <= taken:
            continue
        first, last = folded.span(max(start, taken), end)
        spans.append(Span(kind=Kind.NAME, start=first, end=last, rule=rule))
        taken = end
    return tuple(spans)
