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
_READ = 400


def likely_languages(folded: str) -> list[str]:
    """Order the languages by how many of their function words open the text; those with none are left out."""
    words = _WORDS.findall(folded[:_READ])
    counts = {code: sum(word in known.function_words for word in words) for code, known in LANGUAGES.items()}
    return sorted((code for code, count in counts.items() if count), key=lambda code: -counts[code])


def primary_subtag(language: str | None) -> str | None:
    """Return the supported language that a BCP 47 tag names (`fr-CA` is `fr`), or None."""
    if language is None:
        return None
    subtag = language.replace("_", "-").split("-", 1)[0].strip().lower()
    return subtag if subtag in LANGUAGES else None
