"""Whose word a figure is: the judge, with its model and rubric, and what is to be known of it; pure."""

from dataclasses import dataclass

import polars as pl

#: the offline judge's name
_LEXICAL = "lexical"
#: what a row says of nights that different judges judged
_SEVERAL = "several"
_COLUMNS = ("judge", "model", "rubric_version")


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedBy:
    """The judge of figures; `several` in place of what differs between those that they are made from."""

    judge: str
    model: str
    rubric_version: str

    @property
    def by_words(self) -> bool:
        """Whether the judge compares words, and so cannot know what is relevant."""
        return self.judge == _LEXICAL

    @property
    def name(self) -> str:
        """Return the judge with its model and rubric; the lexical one has neither worth naming."""
        if self.by_words:
            return "the lexical judge"
        if self.judge == _SEVERAL:
            return "several judges"
        return f"{self.judge} ({self.model}, rubric {self.rubric_version})"

    @property
    def caveat(self) -> str | None:
        """Return a sentence on what the figures cannot say, where there is one."""
        if not self.by_words:
            return None
        return "The lexical judge counts shared words: this measures them, not relevance, and it names no evidence."

    def __str__(self) -> str:
        return f"by {self.name}" + (" (shared words, not relevance)" if self.by_words else "")


def judged_by(rows: pl.DataFrame) -> JudgedBy | None:
    """Return whose word the rows of a mart are; None where no judge stands behind it, or no row is there."""
    if not set(_COLUMNS) <= set(rows.columns):
        return None
    kinds = {name: rows[name].drop_nulls().unique().to_list() for name in _COLUMNS}
    if not all(kinds.values()):
        return None
    judge, model, rubric = (of[0] if len(of) == 1 else _SEVERAL for of in kinds.values())
    return JudgedBy(judge=judge, model=model, rubric_version=rubric)
