"""The languages in which disclaimers are found, and a guess which of them a text is in."""

import re

from pipelines.disclaim.english import ENGLISH
from pipelines.disclaim.french import FRENCH
from pipelines.disclaim.italian import ITALIAN
from pipelines.disclaim.spanish import SPANISH
from pipelines.disclaim.vocabulary import Vocabulary

#: one line for each language; the first is the default where a text gives no hint
LANGUAGES: dict[str, Vocabulary] = {
    vocabulary.language: vocabulary for vocabulary in (ENGLISH, FRENCH, SPANISH, ITALIAN)
}

_WORDS = re.compile(r"[^\W\d_]++(?:'[^\W\d_]++)?+")
#: the opening of an answer is enough to tell its language
_READ = 100


def _owners() -> dict[str, tuple[str, ...]]:
    """Say of each function word which languages use it."""
    owners: dict[str, tuple[str, ...]] = {}
    for code, known in LANGUAGES.items():
        for word in known.function_words.split():
            owners[word] = (*owners.get(word, ()), code)
    return owners


_OWNERS = _owners()


def likely_languages(folded: str) -> list[str]:
    """Order the languages by how many of their function words open the text; those with none are left out."""
    counts = dict.fromkeys(LANGUAGES, 0)
    for word in _WORDS.findall(folded[:_READ]):
        for code in _OWNERS.get(word, ()):
            counts[code] += 1
    return sorted((code for code, count in counts.items() if count), key=lambda code: -counts[code])


def primary_subtag(language: str | None) -> str | None:
    """Return the supported language that a BCP 47 tag names (`fr-CA` is `fr`), or None."""
    if language is None:
        return None
    subtag = language.replace("_", "-").split("-", 1)[0].strip().lower()
    return subtag if subtag in LANGUAGES else None
