"""Phrases that only look like dates: "May I", "March on", "the 3rd floor", "USA Today", "in 2000 pieces".

A bare name of a month or day that is also another word, a bare year and a bare day of the month count only in a place
where a date stands: after a preposition of time, after "and" behind another phrase, or as the whole text.
"""

from pipelines.resolution.structured import expression as x
from pipelines.resolution.structured.grammar import Parsed
from pipelines.resolution.structured.tokens import DIGITS, Kind, Language, Token, listed

_BEFORE_DATES: tuple[Kind, ...] = (
    "in",
    "on",
    "of",
    "since",
    "before",
    "after",
    "until",
    "from",
    "to",
    "between",
    "this",
    "last",
    "next",
    "except",
)
#: words that may follow a day of the month or a year; before any other word it counts things
_AFTER_DATES = frozenset(
    listed(
        "at in on and or to until till from for with is was were are will did do does what who when where "
        "how i we you he she "
        "they it not but my our the a an of by about as if because so this that please around "
        "a ou et est avec pour dans le la les je nous il elle que qu y o con para por el los en que e per "
        "nel il che si ho ai"
    )
)
_NO_PLURALS = frozenset(
    listed("is was has does this its as us plus versus yes always les des nous vous dans mas los las es")
)
_SHORT_ENDING = 3


def is_date(parsed: Parsed, found_before: bool, tokens: list[Token], language: Language) -> bool:
    """Say whether an expression stands where a date can stand; `found_before`: "and" joins it to an earlier date."""
    first, last = parsed.first, parsed.last
    if first == 0 and last == len(tokens):
        return not _is_name(parsed, tokens, language)
    if _runs_on(tokens, last) or _half_a_span(parsed, tokens):
        return False
    match parsed.expression:
        case None:
            return False
        case x.Between(last=x.DayOfMonth()) | x.Bounded(point=x.DayOfMonth()):
            return _no_noun_after(tokens, last)
        case x.Between() | x.Bounded():
            return not _is_verb(tokens, last, language) and not _counts_things(tokens, last)
        case x.Month(year=None) if first and tokens[first - 1].folded == DIGITS and not tokens[first - 1].mark:
            return False  # with a day of the month that was not read
        case x.Month(year=None, side=None) | x.Weekday(week=None, side=None):
            if _bare_word(tokens, first, last) in language.needs_context and not _in_place(tokens, first, found_before):
                return False
            return not _is_verb(tokens, last, language) and not _is_name(parsed, tokens, language)
        case x.Month(side="this") if tokens[last - 1].folded in language.needs_context:
            return _in_place(tokens, first, found_before) or last >= len(tokens) or bool(tokens[last - 1].mark)
        case x.Year():
            said_year = any("unit" in token.readings for token in tokens[first:last])
            return (said_year or _in_place(tokens, first, found_before)) and not _counts_things(tokens, last)
        case x.DayOfMonth(weekday=None):
            return _names_a_day(tokens, first, last, found_before, language)
        case _:
            return not _is_name(parsed, tokens, language)


def _bare_word(tokens: list[Token], first: int, last: int) -> str:
    return tokens[last - 1].folded if last - first <= 2 else ""


def _in_place(tokens: list[Token], first: int, found_before: bool) -> bool:
    """Say whether a preposition stands before the phrase (an article may be between), or "and" after another date."""
    if any("article" in token.readings for token in tokens[first : first + 1]) and first == 0:
        return False
    before = first - 1
    if before < 0 or tokens[before].mark:
        return False
    readings = tokens[before].readings
    if "and" in readings or "to" in readings:
        return found_before or any(kind in readings for kind in ("on", "until"))
    return any(kind in readings for kind in _BEFORE_DATES)


def _is_verb(tokens: list[Token], last: int, language: Language) -> bool:
    """Say whether a pronoun follows a bare "may", so that it is a verb."""
    if last >= len(tokens) or tokens[last - 1].mark or tokens[last - 1].folded not in language.needs_context:
        return False
    return tokens[last - 1].folded in {"may", "march"} and tokens[last].folded in language.pronouns


def _counts_things(tokens: list[Token], last: int) -> bool:
    """Say whether a plain number at the end of the phrase is followed by a plural: "in 2000 pieces"."""
    if last >= len(tokens) or tokens[last - 1].mark or "year" not in tokens[last - 1].readings:
        return False
    word = tokens[last].folded
    return len(word) > _SHORT_ENDING and word.endswith("s") and word not in _NO_PLURALS and not tokens[last].readings


def _names_a_day(tokens: list[Token], first: int, last: int, found_before: bool, language: Language) -> bool:
    """Say whether "the 3rd" is a day: after a preposition, or with an article, and with no noun after it."""
    if "ordinal" not in tokens[last - 1].readings and not language.plain_days:
        return False
    article = last - first > 1
    if not article and not (first and "on" in tokens[first - 1].readings and tokens[first - 1].folded == "on"):
        return False
    if not language.plain_days and not _in_place(tokens, first, found_before):
        return False
    return _no_noun_after(tokens, last)


def _no_noun_after(tokens: list[Token], last: int) -> bool:
    return last >= len(tokens) or bool(tokens[last - 1].mark) or tokens[last].folded in _AFTER_DATES


def _half_a_span(parsed: Parsed, tokens: list[Token]) -> bool:
    """Say whether the other half of a span was not read: "from 2007 to the end of 2008", "22/10 to today"."""
    if not parsed.first or isinstance(parsed.expression, x.Between):
        return False
    before = tokens[parsed.first - 1].readings
    joins = tokens[parsed.first - 1].folded != "-" and ("and" in before or "to" in before)
    if parsed.first > 1 and joins and tokens[parsed.first - 2].folded == DIGITS:
        return True
    if "between" in before and "in" not in before:
        return True
    return "from" in before and parsed.last < len(tokens) and "to" in tokens[parsed.last].readings


def _runs_on(tokens: list[Token], last: int) -> bool:
    """Say whether the phrase goes on with a number that was not read: "Friday 7/6", "May twenty nine"."""
    if last >= len(tokens) or tokens[last - 1].mark or tokens[last - 1].readings.keys() & {"unit", "day_word", "part"}:
        return False
    following = tokens[last]
    return (
        following.folded == DIGITS
        or bool(following.readings.keys() & {"ordinal_word"})
        or ("number" in following.readings and "article" not in following.readings and "year" not in following.readings)
    )


def _is_name(parsed: Parsed, tokens: list[Token], language: Language) -> bool:
    """Say whether capitals or the word before make it a name: "USA Today", "Last Week Tonight", "Ruby Tuesday"."""
    first, last = parsed.first, parsed.last
    words = tokens[first:last]
    before = tokens[first - 1] if first and not tokens[first - 1].mark else None
    if before is not None and before.folded in language.holiday_words:
        return True
    bare_weekday = isinstance(parsed.expression, x.Weekday) and last - first == 1
    if bare_weekday:
        return before is not None and before.title and first > 1 and not before.readings and not tokens[first - 2].mark
    plain = [
        word for word in words if not ("weekday" in word.readings or "month" in word.readings) and word.folded.isalpha()
    ]
    if not plain:
        return False
    if before is not None:
        return any(word.title for word in plain)
    return any(word.title for word in plain[1:])
