"""Which of the known languages a text is in, by its grammar words and the letters that only one language has.

A word that several languages share counts in equal parts for each of them. The text decides where one language leads;
where none does (a name, a number, another script) the caller's fallback is the answer. Nothing else is consulted: the
same text gives the same answer in any process, locale or time zone.
"""

from functools import cache, lru_cache
from itertools import repeat
from sys import intern

from pipelines.resolution.vocabulary import languages, vocabulary_file
from pipelines.resolution.vocabulary.lexicon import tokens_of, without_accents

#: where neither the text nor the conversation says anything
DEFAULT_LANGUAGE = "en"
#: characters and words of a text that are looked at; a language shows itself sooner
_LOOKED_AT = 1000
_ENOUGH = 64
#: the weight of a word, divided among the languages that have it
_WORD = 60
#: the weight of a letter that only one language has
_LETTER = 90
#: bits of one language's count in the packed sum of all: 64 words of weight 60 fit, and all letters do
_BITS = 24
_ZEROS = repeat(0)


def detect_language(text: str, fallback: str = DEFAULT_LANGUAGE) -> str:
    """Return the code of the language that the text is in, or the fallback where the text does not decide.

    Args:
        text: any text; only its first words are looked at.
        fallback: what the conversation or the tenant suggests. It is returned unchanged, known language or not.
    """
    return evident_language(text, tokens_of(text[:_LOOKED_AT])) or fallback


def evident_language(text: str, tokens: list[str]) -> str | None:
    """Return the one language that leads in the text, or None. `tokens` are the normalised tokens of that text."""
    weights = _weights()
    packed = sum(map(weights.get, tokens[:_ENOUGH], _ZEROS))
    if not text.isascii():
        letters = _letters()
        for character in text[:_LOOKED_AT]:
            packed += letters.get(character, 0)
    return _leader(packed)


@lru_cache(maxsize=4096)
def _leader(packed: int) -> str | None:
    if not packed:
        return None
    best, leader, mask = 0, None, (1 << _BITS) - 1
    for code in languages():
        count = packed & mask
        packed >>= _BITS
        if count > best:
            best, leader = count, code
        elif count == best:
            leader = None
    return leader


@cache
def _weights() -> dict[str, int]:
    """Return word → its share for each language that has it, packed into one number."""
    owners: dict[str, set[int]] = {}
    for place, code in enumerate(languages()):
        file = vocabulary_file(code)
        for word in file.signs.words:
            owners.setdefault(word, set()).add(place)
            plain = without_accents(word)
            if plain not in file.accents_matter:
                owners.setdefault(plain, set()).add(place)
    packed = {
        word: sum((_WORD // len(places)) << (place * _BITS) for place in places) for word, places in owners.items()
    }
    # one number for all words of the same languages: less memory is touched a message
    shared: dict[int, int] = {}
    return {intern(word): shared.setdefault(weight, weight) for word, weight in packed.items()}


@cache
def _letters() -> dict[str, int]:
    """Return letter → the weight for the language that has it, packed."""
    return {
        letter: _LETTER << (place * _BITS)
        for place, code in enumerate(languages())
        for letter in vocabulary_file(code).signs.letters
    }
