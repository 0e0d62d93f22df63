"""The time span that a question names: text, anchor and time zone in; spans and one window out. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from pipelines.resolution.structured.expression import Expression, Side
from pipelines.resolution.structured.grammar import Grammar, Parsed
from pipelines.resolution.structured.interval import Anchor, Interval
from pipelines.resolution.structured.languages import LANGUAGES, detect
from pipelines.resolution.structured.lookalikes import is_date
from pipelines.resolution.structured.readings import resolve
from pipelines.resolution.structured.tokens import Language, Token, tokenize

#: what the nightly check counts: a window, no window although a time word was there, no time word at all
Dated = Literal["window", "unread", "none"]

#: a message is read up to here; longer ones are pasted documents, whose dates are not what is asked for
MAX_CHARACTERS = 20_000

#: an expression holds a token of one of these kinds
DATABLE = frozenset(
    {
        "day_word",
        "weekday",
        "month",
        "unit",
        "this_part",
        "last_part",
        "iso",
        "quarter",
        "part",
        "year",
        "ordinal",
        "digits",
    }
)
#: what may stand between "except" and the phrase
_BETWEEN = frozenset({"on", "in", "of", "article"})
_TIME_WORDS = frozenset({"day_word", "weekday", "month", "unit", "this_part", "last_part", "iso", "quarter", "part"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One phrase of the text: what it says, the interval that it names, and where it begins (in characters).

    A phrase that is `excluded` ("but not on Friday") is what the question leaves out: it takes no part in the window.
    """

    phrase: str
    offset: int
    expression: Expression
    interval: Interval
    excluded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All spans of a text in order, and the window: what lies in all of them that are not excluded, or None."""

    spans: tuple[Span, ...]
    window: Interval | None
    dated: Dated
    language: str


def parse(phrase: str, *, language: str = "en") -> Expression | None:
    """Return the expression of a text that is one phrase and nothing else; None for every other text."""
    known = LANGUAGES[language]
    tokens = tokenize(phrase, known)
    found = Grammar(tokens).text()
    if len(found) != 1 or found[0].first != 0 or found[0].last != len(tokens):
        return None
    return found[0].expression


def read(text: str, *, at: datetime, week_start: int = 0, language: str | None = None) -> Reading:
    """Return the spans and the window of a text.

    Args:
        text: a message as typed; what lies beyond `MAX_CHARACTERS` is not read.
        at: the anchor, aware; its time zone is the asker's, and every bound is given in it.
        week_start: the first day of a week, 0 for Monday to 6 for Sunday.
        language: one of `LANGUAGES`; detected from the text where it is None or not among them.
    """
    text = text[:MAX_CHARACTERS]
    known = LANGUAGES.get(language or "") or detect(text)
    tokens = tokenize(text, known)
    if not any(DATABLE & token.readings.keys() for token in tokens if token.readings):
        return Reading(spans=(), window=None, dated="none", language=known.code)
    anchor = Anchor(at=at, week_start=week_start)
    spans: list[Span] = []
    for parsed in _dates(tokens, known):
        if parsed.expression is None:
            continue
        if not spans:
            anchor = Anchor(at=at, week_start=week_start, side=_tense(tokens, known))
        interval = resolve(parsed.expression, anchor)
        if interval is not None:
            start, end = tokens[parsed.first].start, tokens[parsed.last - 1].end
            spans.append(
                Span(
                    phrase=text[start:end],
                    offset=start,
                    expression=parsed.expression,
                    interval=interval,
                    excluded=_is_excluded(tokens, parsed.first),
                )
            )
    window = common(span.interval for span in spans if not span.excluded)
    timed = bool(spans) or any(_is_time_word(token, known) for token in tokens)
    dated: Dated = "window" if window is not None else "unread" if timed else "none"
    return Reading(spans=tuple(spans), window=window, dated=dated, language=known.code)


def common(intervals: Iterable[Interval]) -> Interval | None:
    """Return what lies in all intervals; None where nothing does, or where there are none."""
    window: Interval | None = None
    for interval in intervals:
        window = interval if window is None else window.intersect(interval)
        if window is None:
            return None
    return window


def _is_excluded(tokens: list[Token], first: int) -> bool:
    """Say whether "not" or "except" stands before the phrase, a preposition at most between, and no "why not"."""
    before = first - 1
    if before > 0 and not tokens[before].mark and not _BETWEEN.isdisjoint(tokens[before].readings):
        before -= 1
    if before < 0 or tokens[before].mark or "except" not in tokens[before].readings:
        return False
    return before == 0 or tokens[before - 1].folded != "why"


def _is_time_word(token: Token, language: Language) -> bool:
    return token.folded not in language.needs_context and not _TIME_WORDS.isdisjoint(token.readings)


def _dates(tokens: list[Token], language: Language) -> list[Parsed]:
    """Return what stands where dates stand, in order."""
    kept: list[Parsed] = []
    for parsed in Grammar(tokens).text():
        joined = bool(kept) and kept[-1].last in {parsed.first - 1, parsed.first - 2}
        if is_date(parsed, joined, tokens, language):
            kept.append(parsed)
    return kept


def _tense(tokens: list[Token], language: Language) -> Side | None:
    """Return the side that the verbs speak of; None where they speak of none, or of both."""
    past = future = False
    for token in tokens:
        word = token.folded
        if word in language.past_cues or (
            language.past_endings and len(word) > 4 and word.endswith(language.past_endings)
        ):
            past = True
        elif word in language.future_cues:
            future = True
    if past == future:
        return None
    return "past" if past else "coming"
