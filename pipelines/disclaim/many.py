"""Many answers at once: most say nothing of what they know, and are told apart before any is read closely."""

from itertools import product

import polars as pl

from pipelines.disclaim.detector import PLAIN, detect, fold, presumed_language
from pipelines.disclaim.languages import LANGUAGES, primary_subtag

#: a folded text without any of these holds no cue in any language
_STEMS = sorted({stem for vocabulary in LANGUAGES.values() for stem in vocabulary.stems})
#: what folding makes an apostrophe, a blank, or a letter of ASCII, beside its capital
_UNFOLDED = {"'": "'\u2019\u2018\u02bc\u00b4\u1ffd", " ": " \u00a0\u202f", "i": "i\u0130", "k": "k\u212a"}
#: the stems in every way that folds to them; letters of ASCII are compared without case
_UNFOLDED_STEMS = sorted({"".join(way) for stem in _STEMS for way in product(*(_UNFOLDED.get(c, c) for c in stem))})
#: letters and signs, as a character class, that the normal form NFC leaves alone whatever stands beside them
IN_NFC = "\\x00-\u02ff\u2010-\u205f\u20a0-\u20bf\u2190-\u2328\u232b-\u27bf\U0001f000-\U0001faff"

_TEXT = pl.col("text")
_HAS_STEM = _TEXT.str.contains_any(_UNFOLDED_STEMS, ascii_case_insensitive=True)
_IS_ASCII = _TEXT.str.len_bytes() == _TEXT.str.len_chars()
_IS_IN_NFC = ~_TEXT.str.contains(f"[^{IN_NFC}]")
#: one pattern a language: all in one is two hundred times as slow, because its automaton outgrows its cache
_LOOSE_CUES = {code: _TEXT.str.contains(known.loose_cues) for code, known in LANGUAGES.items()}


def detect_all(answers: pl.Series, languages: pl.Series) -> pl.DataFrame:
    """Detect in many answers, each with its stated language or null; the outcomes are those of `detect` for each.

    Returns a row for each answer, in order, with the columns of `Disclaim`; `disclaimed` is yes, no or partial.
    """
    tags = languages.unique().drop_nulls().to_list()
    language = languages.replace_strict(
        tags, [primary_subtag(tag) for tag in tags], default=None, return_dtype=pl.String
    )
    unstated = language.is_null().arg_true()
    presumed = [presumed_language(fold(answer)[1]) for answer in answers.gather(unstated).to_list()]
    places = candidates(answers)
    asked = zip(answers.gather(places).to_list(), languages.gather(places).to_list(), strict=True)
    found = [detect(answer, tag) for answer, tag in asked]
    told = ["partial" if each.disclaimed == "partial" else "yes" if each.disclaimed else "no" for each in found]
    nothing = pl.select(disclaimed=pl.repeat("no", len(answers)), phrase=pl.repeat(None, len(answers), dtype=pl.String))
    return pl.DataFrame(
        {
            "disclaimed": nothing["disclaimed"].scatter(places, told),
            "language": language.scatter(unstated, presumed).scatter(places, [each.language for each in found]),
            "phrase": nothing["phrase"].scatter(places, [each.phrase for each in found]),
        }
    )


def candidates(texts: pl.Series) -> pl.Series:
    """Return the places of those texts that may disclaim, in rising order; any other surely does not.

    It looks for the cues without what stands around them, so it finds all that `detect` finds in its default sense
    and a little more. Vectorised, in time linear in the length of the texts; most are not even folded.
    """
    with_stem = texts.alias("text").to_frame().with_row_index("place").filter(_HAS_STEM)
    folded = _folded(with_stem)
    found = folded.select(**_LOOSE_CUES)  # an expression a language: as many run at once
    return folded["place"].filter(found.select(pl.any_horizontal(pl.all())).to_series()).sort()


def _folded(texts: pl.DataFrame) -> pl.DataFrame:
    """Fold the column `text` as `fold` does, in another order of rows; one by one only what may not be in NFC."""
    ascii_only, others = _parted(texts, _IS_ASCII)
    in_nfc, others = _parted(others, _IS_IN_NFC)
    one_by_one = pl.Series("text", [fold(text)[1] for text in others["text"].to_list()], dtype=pl.String)
    plain = _TEXT
    for written in sorted(set(PLAIN.values())):
        marks = "".join(mark for mark, becomes in PLAIN.items() if becomes == written)
        plain = plain.str.replace_all(f"[{marks}]", written)
    return pl.concat(
        [
            ascii_only.with_columns(_TEXT.str.to_lowercase()),
            in_nfc.with_columns(plain.str.to_lowercase()),
            others.with_columns(one_by_one),
        ]
    )


def _parted(texts: pl.DataFrame, by: pl.Expr) -> tuple[pl.DataFrame, pl.DataFrame]:
    is_so = texts.select(by).to_series()
    return texts.filter(is_so), texts.filter(~is_so)
