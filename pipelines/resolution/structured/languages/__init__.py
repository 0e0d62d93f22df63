"""The languages of time phrases: one file each, and this line per language."""

from collections.abc import Mapping

from pipelines.resolution.structured.languages.english import ENGLISH
from pipelines.resolution.structured.languages.french import FRENCH
from pipelines.resolution.structured.languages.italian import ITALIAN
from pipelines.resolution.structured.languages.spanish import SPANISH
from pipelines.resolution.structured.tokens import Language, fold

LANGUAGES: Mapping[str, Language] = {"en": ENGLISH, "fr": FRENCH, "es": SPANISH, "it": ITALIAN}

_PUNCTUATION = '.,;:!?()[]¿¡"“”«»…'
#: a detection that reads more words than these learns nothing new
_ENOUGH_WORDS = 200


def detect(text: str) -> Language:
    """Return the language most of whose common and time words the text holds; English where none leads."""
    words = [fold(word.strip(_PUNCTUATION)) for word in text.split(None, _ENOUGH_WORDS)[:_ENOUGH_WORDS]]
    best, most = ENGLISH, _score(words, ENGLISH)
    if most == len(words):
        return best
    for language in (FRENCH, SPANISH, ITALIAN):
        score = _score(words, language)
        if score > most:
            best, most = language, score
    return best


def _score(words: list[str], language: Language) -> int:
    score = 0
    for word in words:
        elided = word[: word.find("'") + 1]
        if word in language.common or word in language.words or elided in language.words:
            score += 1
    return score
