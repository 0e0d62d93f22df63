"""Whether an answer says that it does not know. Knows nothing of events, marts or files."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pipelines.disclaim.languages import LANGUAGES, likely_languages, primary_subtag
from pipelines.disclaim.vocabulary import Vocabulary

#: changes with every change of vocabulary or rule that can change an outcome; stored beside published rates
DISCLAIM_VERSION = "2"

#: fewer words than this beside the disclaimer give the visitor nothing that could stand as an answer
SUBSTANTIAL_WORDS = 8

_DEFAULT_LANGUAGE = next(iter(LANGUAGES))
#: each becomes one plain character, so that places stay the same
PLAIN = {"\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u00b4": "'", "\u00a0": " ", "\u202f": " ", "\u0130": "I"}
#: one character class first, because the search engine skips quickly to it
_SENTENCE = re.compile(r"[.!?…;\n]++[\"'»”)]*+(?:(?<=\n)|\s)\s*+")
_QUOTES = "\"“«'"
#: how far before a cue a condition may begin; longer than any of them
_LOOK_BACK = 32
_COUNTED_WORD = re.compile(r"\w[^\s]*+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclaim:
    """What an answer says of its own knowledge.

    `disclaimed` is True where the answer says that it does not know, "partial" where it says so of a part and yet gives
    something substantial, else False. `phrase` is the cue as it stands in the answer (in Unicode NFC), None where there
    is none. `language` is the vocabulary that found it, else the stated language, else the likeliest.
    """

    disclaimed: bool | Literal["partial"]
    language: str
    phrase: str | None


def detect(answer: str, language: str | None = None, *, wide: bool = False) -> Disclaim:
    """Say whether an answer disclaims; `language` is a BCP 47 tag, and a wrong or unknown one is survived.

    `wide` also counts "I did not understand", "please rephrase" and "I can't help with that", which say nothing of
    what is known and by default are no disclaimers. Deterministic; linear in the length of the answer.
    """
    text, folded = fold(answer)
    stated = primary_subtag(language)
    for code in _languages_to_try(stated, folded):
        found = _in_language(text, folded, LANGUAGES[code], wide=wide)
        if found is not None:
            return found
    return Disclaim(disclaimed=False, language=stated or presumed_language(folded), phrase=None)


def presumed_language(folded: str) -> str:
    """Return the likeliest language of a folded text, or the default where it gives no hint."""
    return next(iter(likely_languages(folded)), _DEFAULT_LANGUAGE)


def fold(answer: str) -> tuple[str, str]:
    """Return the answer in NFC, and its folding in lower case with one apostrophe; places are the same in both."""
    if answer.isascii():
        return answer, answer.lower()
    text = unicodedata.normalize("NFC", answer)
    folded = text
    for mark, plain in PLAIN.items():
        folded = folded.replace(mark, plain)
    return text, folded.lower()


def _languages_to_try(stated: str | None, folded: str) -> Iterator[str]:
    """Trust the stated language first, then the likeliest; without a statement, all that are likely at all."""
    if stated is not None:
        yield stated
    likely = likely_languages(folded)
    if stated is None:
        yield from likely or [_DEFAULT_LANGUAGE]
    else:
        yield from (code for code in likely[:1] if code != stated)


def _in_language(text: str, folded: str, vocabulary: Vocabulary, *, wide: bool) -> Disclaim | None:
    """Look for cues; None where there is none in this language."""
    if not (wide or _holds(folded, vocabulary.stems)):
        return None
    sentences = _sentences(folded)
    cues: dict[int, tuple[int, int]] = {}
    for start, sentence in sentences:
        if wide or _holds(sentence, vocabulary.stems):
            cue = _cue(sentence, vocabulary, wide=wide)
            if cue is not None:
                cues[start] = cue
    if not cues:
        return None
    given = 0
    for start, sentence in sentences:
        if start in cues:
            given += _substance_beside(sentence, cues[start], vocabulary)
        else:
            given += _substance(sentence, vocabulary)
    start, (cue_start, cue_end) = next(iter(cues.items()))
    return Disclaim(
        disclaimed="partial" if given >= SUBSTANTIAL_WORDS else True,
        language=vocabulary.language,
        phrase=text[start + cue_start : start + cue_end],
    )


def _holds(text: str, stems: tuple[str, ...]) -> bool:
    """Say whether any stem is in the text; a plain loop, because this is what every answer pays for."""
    for stem in stems:  # noqa: SIM110 - any() over a generator takes twice as long
        if stem in text:
            return True
    return False


def _sentences(folded: str) -> list[tuple[int, str]]:
    """Cut a text into sentences that keep their closing mark, each with the place where it starts."""
    sentences = []
    start = 0
    for cut in _SENTENCE.finditer(folded):
        end = cut.end()
        sentences.append((start, folded[start:end]))
        start = end
    sentences.append((start, folded[start:]))
    return sentences


def _cue(sentence: str, vocabulary: Vocabulary, *, wide: bool) -> tuple[int, int] | None:
    """Return the span of the first disclaiming cue of a sentence, or None."""
    if wide:
        understood = vocabulary.not_understood_pattern.search(sentence)
        if understood is not None:
            return understood.span()
    asks = sentence.rstrip().endswith("?")  # "Not sure about the size?" is an advertisement
    opening = None if asks else vocabulary.opening_pattern.match(sentence)
    if opening is not None and _states(sentence, opening.start(1), opening.end(1), vocabulary):
        return opening.span(1)
    for match in vocabulary.unknowing_pattern.finditer(sentence):
        if _states(sentence, match.start(), match.end(), vocabulary):
            return match.span()
    for match in vocabulary.unable_pattern.finditer(sentence):
        if _states(sentence, match.start(), match.end(), vocabulary) and not vocabulary.refusal_pattern.search(
            sentence
        ):
            return match.span()
    return None


def _states(sentence: str, start: int, end: int, vocabulary: Vocabulary) -> bool:
    """Tell a statement from a quotation, a condition, and from not having understood the visitor."""
    if start and sentence[start - 1] in _QUOTES:
        return False
    if vocabulary.not_after_pattern.search(sentence[max(0, start - _LOOK_BACK) : start]):
        return False
    return not vocabulary.not_before_pattern.match(sentence, end)


def _substance(part: str, vocabulary: Vocabulary) -> int:
    """Count the words of a sentence, or half of one, that gives something."""
    if part.rstrip().endswith("?") or vocabulary.empty_pattern.match(part):
        return 0
    return sum(1 for _ in _COUNTED_WORD.finditer(part))


def _substance_beside(sentence: str, cue: tuple[int, int], vocabulary: Vocabulary) -> int:
    """Count what a disclaiming sentence gives before or after a "but", or after a concession."""
    start, end = cue
    conceded = vocabulary.concession_pattern.search(sentence, 0, start)
    if conceded is not None:
        comma = sentence.find(",", end)
        return (
            _substance(sentence[comma + 1 :], vocabulary)
            if comma >= 0
            else _substance(sentence[: conceded.start()], vocabulary)
        )
    given = 0
    before = vocabulary.contrast_pattern.search(sentence, 0, start)
    if before is not None:
        given += _substance(sentence[: before.start()], vocabulary)
    after = vocabulary.contrast_pattern.search(sentence, end)
    if after is not None:
        given += _substance(sentence[after.end() :], vocabulary)
    return given
