"""What is said of answers, looked at together and one by one, in one form."""

from collections.abc import Sequence

import polars as pl

from pipelines.disclaim import detect, detect_all

Outcome = tuple[str, str, str | None]
_TOLD = {True: "yes", False: "no", "partial": "partial"}


def together(answers: Sequence[str], languages: Sequence[str | None]) -> list[Outcome]:
    """Return disclaimed, language and phrase of each answer as `detect_all` gives them."""
    found = detect_all(pl.Series(answers, dtype=pl.String), pl.Series(languages, dtype=pl.String))
    return found.select("disclaimed", "language", "phrase").rows()


def one_by_one(answers: Sequence[str], languages: Sequence[str | None]) -> list[Outcome]:
    """Return the same as `detect` gives it."""
    found = [detect(answer, language) for answer, language in zip(answers, languages, strict=True)]
    return [(_TOLD[each.disclaimed], each.language, each.phrase) for each in found]
