"""Many answers at once: most say nothing of what they know, and are told apart before any is read closely."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

import polars as pl

from pipelines.disclaim.detector import Disclaim, detect, fold, no_disclaim, presumed_language
from pipelines.disclaim.languages import LANGUAGES, primary_subtag

#: a folded text without any of these holds no cue in any language
_STEMS = sorted({stem for vocabulary in LANGUAGES.values() for stem in vocabulary.stems})
#: what folding makes an apostrophe, a blank, or a letter of ASCII, beside its capital
_UNFOLDED = {"'": "'\u2019\u2018\u02bc\u00b4\u1ffd", " ": " \u00a0\u202f", "i": "i\u0130", "k": "k\u212a"}
#: the stems in every way that folds to them; letters of ASCII are compared without case
_UNFOLDED_STEMS = sorted({"".join(way) for stem in _STEMS for way in product(*(_UNFOLDED.get(c, c) for c in stem))})
#: one pattern a language: all in one is two hundred times as slow, because its automaton outgrows its cache
_LOOSE_CUES = {code: pl.col("text").str.contains(known.loose_cues) for code, known in LANGUAGES.items()}


def detect_all(
    answers: Sequence[str] | pl.Series, languages: Iterable[str | None] | None = None, *, wide: bool = False
) -> list[Disclaim]:
    """Detect in many answers; the same outcomes, in the same order, as one call of `detect` for each."""
    texts = answers if isinstance(answers, pl.Series) else pl.Series("text", answers, dtype=pl.String)
    tags = [None] * len(texts) if languages is None else list(languages)
    if wide:
        return [detect(answer, language, wide=True) for answer, language in zip(texts, tags, strict=True)]
    stated = {tag: primary_subtag(tag) for tag in set(tags)}
    outcome = {tag: no_disclaim(language or "") for tag, language in stated.items()}
    found = [outcome[tag] for tag in tags]
    for place, answer in _at(texts, [place for place, tag in enumerate(tags) if stated[tag] is None]):
        found[place] = no_disclaim(presumed_language(fold(answer)[1]))
    for place, answer in _at(texts, candidates(texts)):
        found[place] = detect(answer, tags[place])
    return found


def _at(texts: pl.Series, places: list[int]) -> Iterator[tuple[int, str]]:
    return zip(places, texts.gather(places).to_list(), strict=True)


def candidates(texts: pl.Series) -> list[int]:
    """Return the places of those texts that may disclaim, in rising order; any other surely does not.

    It looks for the cues without what stands around them, so it finds all that `detect` finds in its default sense
    and a little more. Vectorised, in time linear in the length of the texts; most are not even folded.
    """
    with_stem = pl.select(texts.str.contains_any(_UNFOLDED_STEMS, ascii_case_insensitive=True).arg_true()).to_series()
    folded = pl.Series("text", [fold(text)[1] for text in texts.gather(with_stem).to_list()], dtype=pl.String)
    found = folded.to_frame().select(**_LOOSE_CUES)  # an expression a language: as many run at once
    return with_stem.filter(found.select(pl.any_horizontal(pl.all())).to_series()).to_list()
