"""Phrases and the spans that they name, in four languages, and what only looks like a date."""

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from pipelines.resolution.structured import expression as x
from pipelines.resolution.structured import parse, read, render

#: a Monday
AT = datetime(2026, 11, 30, 9, 30, tzinfo=ZoneInfo("Europe/Paris"))


def span(text: str, language: str | None = None, at: datetime = AT) -> tuple[str | None, str | None]:
    """Return both ends of the window as dates, or "none" twice."""
    window = read(text, at=at, language=language).window
    if window is None:
        return ("none", "none")
    return (
        None if window.start is None else window.start.date().isoformat(),
        None if window.end is None else window.end.date().isoformat(),
    )


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("What did I write today?", "2026-11-30", "2026-12-01"),
        ("yesterday's meeting", "2026-11-29", "2026-11-30"),
        ("the day before yesterday", "2026-11-28", "2026-11-29"),
        ("What is on this week?", "2026-11-30", "2026-12-07"),
        ("notes of last week", "2026-11-23", "2026-11-30"),
        ("the past week", "2026-11-23", "2026-11-30"),
        ("next month", "2026-12-01", "2027-01-01"),
        ("this quarter", "2026-10-01", "2027-01-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("this weekend", "2026-12-05", "2026-12-07"),
        ("last weekend", "2026-11-28", "2026-11-30"),
        ("What happened last Friday?", "2026-11-27", "2026-11-28"),
        ("next Friday", "2026-12-11", "2026-12-12"),
        ("this Friday", "2026-12-04", "2026-12-05"),
        ("this past Friday", "2026-11-27", "2026-11-28"),
        ("Friday", "2026-12-04", "2026-12-05"),
        ("What did we decide on Friday?", "2026-11-27", "2026-11-28"),
        ("Monday", "2026-12-07", "2026-12-08"),
        ("Tuesday of next week", "2026-12-08", "2026-12-09"),
        ("3 days ago", "2026-11-27", "2026-11-28"),
        ("a couple of weeks ago", "2026-11-16", "2026-11-17"),
        ("in two months", "2027-01-30", "2027-01-31"),
        ("three months ago", "2026-08-30", "2026-08-31"),
        ("the last 3 days", "2026-11-27", "2026-11-30"),
        ("the past two quarters", "2026-04-01", "2026-10-01"),
        ("in the next 2 weeks", "2026-12-01", "2026-12-15"),
        ("6 October", "2026-10-06", "2026-10-07"),
        ("October 6th", "2026-10-06", "2026-10-07"),
        ("the sixth of October", "2026-10-06", "2026-10-07"),
        ("Tuesday, October 6, 2026", "2026-10-06", "2026-10-07"),
        ("6 October 2024", "2024-10-06", "2024-10-07"),
        ("What will happen on 6 October?", "2027-10-06", "2027-10-07"),
        ("January 15", "2027-01-15", "2027-01-16"),
        ("What did I note on January 15?", "2026-01-15", "2026-01-16"),
        ("2026-02-28", "2026-02-28", "2026-03-01"),
        ("2024-02", "2024-02-01", "2024-03-01"),
        ("February 29", "2028-02-29", "2028-03-01"),
        ("in March", "2027-03-01", "2027-04-01"),
        ("March 2025", "2025-03-01", "2025-04-01"),
        ("last March", "2026-03-01", "2026-04-01"),
        ("in 2014", "2014-01-01", "2015-01-01"),
        ("Q3 2026", "2026-07-01", "2026-10-01"),
        ("the third quarter of 2026", "2026-07-01", "2026-10-01"),
        ("the week of 6 October", "2026-10-05", "2026-10-12"),
        ("What came in on the 3rd?", "2026-11-03", "2026-11-04"),
        ("between 3 and 5 June", "2026-06-03", "2026-06-06"),
        ("from Monday to Friday", "2026-12-07", "2026-12-12"),
        ("from November to March", "2026-11-01", "2027-04-01"),
        ("12 to 16 September", "2026-09-12", "2026-09-17"),
        ("between March and now", "2026-03-01", "2026-12-01"),
        ("since August", "2026-08-01", None),
        ("since January", "2026-01-01", None),
        ("What happened on Monday?", "2026-11-23", "2026-11-24"),
        ("I paid $ 12 December 27", "2026-12-27", "2026-12-28"),
        ("since 2014", "2014-01-01", None),
        ("before 2018", None, "2018-01-01"),
        ("until Friday", None, "2026-12-05"),
        ("after October 2026", "2026-11-01", None),
        ("this morning", "2026-11-30", "2026-11-30"),
        ("last night", "2026-11-29", "2026-11-30"),
        ("WHAT IS ON THIS WEEK", "2026-11-30", "2026-12-07"),
        ("Ada says:6 October is fine", "2026-10-06", "2026-10-07"),
        ("a custom that dates back to 1912", "1912-01-01", "1913-01-01"),
    ],
)
def test_english_phrases(text: str, start: str | None, end: str | None) -> None:
    """Each phrase of the set names the span that the decision record states."""
    assert span(text) == (start, end)


@pytest.mark.parametrize(
    ("language", "text", "start", "end"),
    [
        ("fr", "Qu'est-ce que j'ai fait la semaine dernière ?", "2026-11-23", "2026-11-30"),
        ("fr", "les notes de ce mois-ci", "2026-11-01", "2026-12-01"),
        ("fr", "hier", "2026-11-29", "2026-11-30"),
        ("fr", "il y a trois jours", "2026-11-27", "2026-11-28"),
        ("fr", "dans deux semaines", "2026-12-14", "2026-12-15"),
        ("fr", "les 3 derniers mois", "2026-08-30", "2026-11-30"),
        ("fr", "vendredi dernier", "2026-11-27", "2026-11-28"),
        ("fr", "le 6 octobre 2024", "2024-10-06", "2024-10-07"),
        ("fr", "l'année dernière", "2025-01-01", "2026-01-01"),
        ("fr", "depuis août", "2026-08-01", None),
        ("fr", "entre le 3 et le 5 juin", "2026-06-03", "2026-06-06"),
        ("fr", "du 3 au 5 juin", "2026-06-03", "2026-06-06"),
        ("fr", "ce soir", "2026-11-30", "2026-12-01"),
        ("es", "¿Qué hice la semana pasada?", "2026-11-23", "2026-11-30"),
        ("es", "ayer", "2026-11-29", "2026-11-30"),
        ("es", "hace tres días", "2026-11-27", "2026-11-28"),
        ("es", "dentro de dos semanas", "2026-12-14", "2026-12-15"),
        ("es", "los últimos 3 meses", "2026-08-30", "2026-11-30"),
        ("es", "el viernes pasado", "2026-11-27", "2026-11-28"),
        ("es", "el 6 de octubre de 2024", "2024-10-06", "2024-10-07"),
        ("es", "desde agosto", "2026-08-01", None),
        ("es", "antes del 6 de octubre", None, "2026-10-06"),
        ("es", "entre el 3 y el 5 de junio", "2026-06-03", "2026-06-06"),
        ("es", "mañana por la mañana", "2026-12-01", "2026-12-01"),
        ("it", "Cosa ho fatto la settimana scorsa?", "2026-11-23", "2026-11-30"),
        ("it", "ieri", "2026-11-29", "2026-11-30"),
        ("it", "l'altro ieri", "2026-11-28", "2026-11-29"),
        ("it", "quest'anno", "2026-01-01", "2027-01-01"),
        ("it", "tre giorni fa", "2026-11-27", "2026-11-28"),
        ("it", "tra due settimane", "2026-12-14", "2026-12-15"),
        ("it", "gli ultimi 3 mesi", "2026-08-30", "2026-11-30"),
        ("it", "venerdì scorso", "2026-11-27", "2026-11-28"),
        ("it", "il 6 ottobre 2024", "2024-10-06", "2024-10-07"),
        ("it", "dal 3 al 5 giugno", "2026-06-03", "2026-06-06"),
        ("it", "prima di lunedì", None, "2026-12-07"),
        ("it", "stasera", "2026-11-30", "2026-12-01"),
    ],
)
def test_other_languages_are_detected_and_read(language: str, text: str, start: str | None, end: str | None) -> None:
    """The core of the set in French, Spanish and Italian, with the language found from the text."""
    reading = read(text, at=AT)

    assert reading.language == language
    assert span(text) == (start, end)


@pytest.mark.parametrize(
    "text",
    [
        "May I change my plan?",
        "You may march on to the next page",
        "March on!",
        "Yes, go with the second one.",
        "Is support available 24/7?",
        'He wrote "see you tomorrow" and left',
        "The song ‘Last Friday Night’ was played",
        "Is it on the 3rd floor?",
        "the 2nd attempt failed",
        "deliver in 2000 pieces",
        "It costs $2026 or so",
        "Upgrade to version 2026.11.30",
        "see report-2026-11-30.xlsx",
        "What does USA Today say?",
        "Do we have a Black Friday discount?",
        "any black friday discount?",
        "Is Ruby Tuesday open?",
        "Does Monday.com integrate?",
        "April said that it works",
        "Ask June about the invoice",
        "the week after next",
        "the first Monday of March",
        "the end of the month",
        "two weeks before 6 October",
        "2 weeks and 2 days ago",
        "from 2007 to the end of 2008",
        "between 22/10/2026 and yesterday",
        "Friday 7/6",
        "February 30",
        "\uff11\uff12 October",  # full-width figures
        "the meeting of 12/13 October",
        "Tuesday 7 October 2026",  # it was a Wednesday
        "the partner of the month",
        "How much may one drink in a day?",
        "",
    ],
)
def test_what_only_looks_like_a_date_gives_no_window(text: str) -> None:
    """Verbs, names, quotations, numbers, and phrases outside the set leave the search as it was."""
    assert span(text, "en") == ("none", "none")


def test_a_short_english_message_is_not_taken_for_spanish() -> None:
    """Words that several languages share are no evidence against English."""
    assert read("Oops, no result...", at=AT).language == "en"


def test_minimal_pairs_differ() -> None:
    """The same words are a date where a date stands."""
    assert span("May I come in May?") == ("2027-05-01", "2027-06-01")
    assert span("on the 3rd, or the 3rd floor") == ("2026-12-03", "2026-12-04")
    assert span("the second of March") == ("2027-03-02", "2027-03-03")


def test_two_spans_narrow_each_other_or_contradict() -> None:
    """A window lies in every span; where nothing does there is none, and the spans are kept."""
    contradictory = read("Was it yesterday or tomorrow?", at=AT)

    assert span("this week, on Friday") == ("2026-12-04", "2026-12-05")
    assert contradictory.window is None
    assert [found.phrase for found in contradictory.spans] == ["yesterday", "tomorrow"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "What is on this week, but not on Friday?"),
        ("en", "everything of this week except Friday"),
        ("fr", "le programme de cette semaine sauf vendredi"),
        ("fr", "cette semaine mais pas vendredi"),
        ("es", "las citas de esta semana pero no el viernes"),
        ("it", "gli impegni di questa settimana tranne venerdì"),
    ],
)
def test_what_a_question_leaves_out_takes_no_part_in_the_window(language: str, text: str) -> None:
    """The phrase is a span, marked so, and the window is that of the others."""
    reading = read(text, at=AT, language=language)

    assert [found.excluded for found in reading.spans] == [False, True]
    assert span(text, language) == ("2026-11-30", "2026-12-07")


def test_a_question_that_only_leaves_out_has_no_window() -> None:
    """What is not asked for narrows nothing; "why not" asks for it."""
    assert read("everything but not 1998", at=AT).dated == "unread"
    assert span("Why not tomorrow?") == ("2026-12-01", "2026-12-02")


def test_the_reading_tells_a_missing_phrase_from_a_missing_date() -> None:
    """A time word that was not read is counted apart from no time word at all."""
    assert read("notes of last week", at=AT).dated == "window"
    assert read("the first Monday of March", at=AT).dated == "unread"
    assert read("Which plans include SSO?", at=AT).dated == "none"
    assert read("May I ask?", at=AT).dated == "none"


def test_the_first_day_of_a_week_is_configurable() -> None:
    """On a Sunday, a week that starts on Sundays has just begun."""
    sunday = datetime(2026, 11, 29, 9, tzinfo=ZoneInfo("Europe/Paris"))

    monday_week = read("this week", at=sunday).window
    sunday_week = read("this week", at=sunday, week_start=6).window

    assert monday_week is not None
    assert sunday_week is not None
    assert monday_week.start is not None
    assert sunday_week.start is not None
    assert monday_week.start.date() == date(2026, 11, 23)
    assert sunday_week.start.date() == date(2026, 11, 29)


def test_month_ends_and_leap_days_are_clamped() -> None:
    """A month before 31 March is the last of February; a year after a leap day is 28 February."""
    assert span("a month ago", at=datetime(2026, 3, 31, tzinfo=AT.tzinfo)) == ("2026-02-28", "2026-03-01")
    assert span("a year ago", at=datetime(2024, 2, 29, tzinfo=AT.tzinfo)) == ("2023-02-28", "2023-03-01")


def test_a_part_of_a_day_has_hours() -> None:
    """The evening of a named day, in the asker's time zone."""
    window = read("Friday evening", at=AT).window

    assert window is not None
    assert window.start == datetime(2026, 12, 4, 18, tzinfo=AT.tzinfo)
    assert window.end == datetime(2026, 12, 5, 0, tzinfo=AT.tzinfo)


def test_only_a_whole_phrase_parses() -> None:
    """`parse` takes one phrase and nothing else."""
    assert parse("last week") == x.Period(unit="week", shift=-1)
    assert parse("last week please") is None
    assert parse("") is None


def test_a_long_text_is_read_in_linear_time_up_to_a_bound() -> None:
    """A phrase behind the bound is not read; the bound keeps pasted documents from being questions."""
    assert read("x " * 10_000 + "yesterday", at=AT).dated == "none"
    assert read("x " * 5_000 + "yesterday", at=AT).dated == "window"


@pytest.mark.golden
@pytest.mark.parametrize(
    ("expression", "phrase"),
    [
        (x.Day(offset=-2), "the day before yesterday"),
        (x.Distance(count=-1, unit="week"), "1 week ago"),
        (x.Rolling(count=3, unit="day"), "the next 3 days"),
        (x.Weekday(weekday=4, week=-1), "Friday of last week"),
        (x.Weekday(weekday=4, side="past"), "past Friday"),
        (x.Date(day=6, month=10, year=2026, weekday=1), "Tuesday 6 October 2026"),
        (x.DayOfMonth(day=11), "the 11th"),
        (x.DayOfMonth(day=22), "the 22nd"),
        (x.Month(month=3, side="next"), "next March"),
        (x.Quarter(quarter=3, year=2026), "Q3 2026"),
        (x.WeekOf(day=x.Date(day=6, month=10)), "the week of 6 October"),
        (x.PartOfDay(part="evening", day=x.Day(offset=1)), "the evening of tomorrow"),
        (x.Bounded(bound="since", point=x.Year(year=2014)), "since 2014"),
        (x.Between(first=x.Day(offset=-1), last=x.Day(offset=0)), "between yesterday and today"),
    ],
)
def test_expressions_are_shown_in_plain_english(expression: x.Expression, phrase: str) -> None:
    """The words that people read."""
    assert render(expression) == phrase


def test_a_day_whose_midnight_was_skipped_begins_when_the_clock_jumped() -> None:
    """In São Paulo the 4th of November 2018 began at one o'clock, and its bound says so."""
    at = datetime(2018, 11, 4, 12, tzinfo=ZoneInfo("America/Sao_Paulo"))

    window = read("today", at=at).window

    assert window is not None
    assert window.start is not None
    assert window.start.isoformat() == "2018-11-04T01:00:00-02:00"
