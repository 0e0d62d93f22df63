"""Which known people a question names: whole words, in any case, with or without accents, by name or initials. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pipelines.resolution.structured.tokens import listed

_WORD = re.compile(r"[^\W\d_]+")
_DOTTED = re.compile(r"(?:[^\W\d_]\.\s?){2,4}")
#: names that are also common words: alone they count only with a capital inside a sentence
_COMMON_WORDS = frozenset(
    listed(
        "will may mark art bill grace hope joy rose june april august faith dawn jack rob pat sue bob frank rich drew "
        "chase grant hunter gene ray max miles page rusty sky summer wade autumn amber ivy jade pearl ruby violet angel"
    )
)
#: how far before a word the end of the sentence before it is looked for
_LOOK_BACK = 64
_SENTENCE_ENDS = frozenset(".!?:\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Someone whom a question may name."""

    person_id: str
    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Word:
    folded: str
    start: int
    end: int
    title: bool
    upper: bool
    dot: bool
    opens: bool  # the first word of a sentence


def named_people(question: str, people: Iterable[Person]) -> tuple[Person, ...]:
    """Return the people whom a question names, in the order of the question.

    A name fits as a whole, by its first or last word alone, with initials for either ("T. Bakare", "Tunde B."), or by
    initials alone in capitals ("TB", "T.B."). A longer name takes its words from shorter ones: "Tunde Bakare" does not
    name every other Tunde. Two people of one name are both named.
    """
    question = unicodedata.normalize("NFC", question)
    words = _words(question)
    present = {word.folded for word in words}
    dotted = [(_fold("".join(_WORD.findall(match.group()))), match) for match in _DOTTED.finditer(question)]
    present |= {initials for initials, _ in dotted}
    found: list[tuple[int, int, Person]] = []
    for person in people:
        for name in (person.name, *person.aliases):
            parts = [_fold(part) for part in _WORD.findall(unicodedata.normalize("NFC", name))]
            # only of people with a word in the question is every place looked at
            if parts and not present.isdisjoint((parts[0], parts[-1], _initials(parts))):
                found.extend((start, end, person) for start, end in _places(words, dotted, parts))
    kept = [
        (start, person)
        for start, end, person in found
        if not any(a <= start and end <= b and (b - a) > (end - start) for a, b, _ in found)
    ]
    ordered: dict[str, Person] = {}
    for _, person in sorted(kept, key=lambda pair: (pair[0], pair[1].person_id)):
        ordered.setdefault(person.person_id, person)
    return tuple(ordered.values())


def _fold(word: str) -> str:
    decomposed = unicodedata.normalize("NFKD", word.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def _words(text: str) -> list[_Word]:
    words: list[_Word] = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        before = text[max(start - _LOOK_BACK, 0) : start].rstrip(" \"'(¿¡«")[-1:]
        word = match.group()
        opens = before == "" or before in _SENTENCE_ENDS
        words.append(
            _Word(_fold(word), start, end, word[0].isupper(), word.isupper(), text[end : end + 1] == ".", opens)
        )
    return words


def _initials(parts: list[str]) -> str:
    return "".join(part[0] for part in parts)


def _places(
    words: Sequence[_Word], dotted: Sequence[tuple[str, re.Match[str]]], parts: list[str]
) -> Iterable[tuple[int, int]]:
    """Yield where a name stands, as character offsets."""
    size = len(parts)
    for at, word in enumerate(words):
        run = [w.folded for w in words[at : at + size]]
        if run == parts and (size > 1 or _stands_alone(word)):
            yield word.start, words[at + size - 1].end
        elif size > 1 and word.folded in {parts[0], parts[-1]} and len(word.folded) > 1 and _stands_alone(word):
            yield word.start, word.end
        if size > 1 and at + 1 < len(words):
            following = words[at + 1]
            first_initial = len(word.folded) == 1 and word.upper and word.folded == parts[0][0]
            last_initial = len(following.folded) == 1 and following.upper and following.folded == parts[-1][0]
            if (first_initial and following.folded == parts[-1]) or (last_initial and word.folded == parts[0]):
                yield word.start, following.end
        if size > 1 and word.upper and word.folded == _initials(parts):
            yield word.start, word.end
    if size > 1:
        for initials, match in dotted:
            if initials == _initials(parts) and match.group()[0].isupper():
                yield match.span()


def _stands_alone(word: _Word) -> bool:
    return word.folded not in _COMMON_WORDS or (word.title and not word.opens)
