"""Whether messages that are passed over unread really name no time."""

import sys
from datetime import UTC, datetime

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.resolution.structured import LANGUAGES, read
from pipelines.resolution.structured.timeless import may_name_times
from pipelines.resolution.structured.tokens import fold
from pipelines.resolution.structured.when import DATABLE

AT = datetime(2026, 11, 29, 12, tzinfo=UTC)
_WORDS = sorted({word for known in LANGUAGES.values() for word, found in known.words.items() if DATABLE & found.keys()})
_SHAPES = [
    "3rd",
    "1er",
    "2º",
    "Q3",
    "2025-10",
    "2025-10-06T09:00Z",
    "10/06/2025",
    "2025",
    "l'an",
    "3",
    "12345",
    "20251006",
]
_WRITTEN = st.one_of(
    st.sampled_from([*_WORDS, *_SHAPES]),
    st.sampled_from(_WORDS).map(str.upper),
    st.sampled_from(
        ["août", "AOU\u0302T", "février", "mañana", "ſunday", "auguﬆ", "aujourd\u2019hui", "week\u2011end"]
    ),
)
_BESIDE = st.one_of(
    st.text(max_size=5),
    st.sampled_from(["", " ", "(", ").", "d'", "l\u2019", "'s", "\u0301", "le ", "in ", "last ", "é"]),
)
_TEXTS = st.lists(st.tuples(_BESIDE, _WRITTEN, _BESIDE).map("".join), max_size=3).map(" ".join)


@pytest.mark.property
@given(st.one_of(_TEXTS, st.text(max_size=30)), st.sampled_from([None, *LANGUAGES]))
def test_what_is_passed_over_names_no_time(text: str, language: str | None) -> None:
    """In whatever language it is read: no window, no phrase, no time word."""
    reading = read(text, at=AT, language=language)

    assert may_name_times(pl.Series([text])).item() or (reading.dated, reading.spans) == ("none", ())


def test_every_letter_is_folded_as_the_reader_folds_it() -> None:
    """A time word with one letter written in any other way that folds to it is not passed over."""
    odd = [chr(code) for code in range(128, sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    folded = {letter: fold.__wrapped__(letter) for letter in odd}
    words = [
        f"{word[:at]}{letter}{word[at + len(plain) :]}"
        for letter, plain in folded.items()
        if plain.isascii() and plain.isalpha()
        for word in _WORDS
        if (at := word.find(plain)) >= 0
    ]

    passed_over = [word for word, may in zip(words, may_name_times(pl.Series(words)), strict=True) if not may]

    assert len(words) > 1_000
    assert passed_over == []


def test_most_messages_are_passed_over() -> None:
    """Words that hold a time word, long numbers and marks are no reason to look closely; time words and dates are."""
    messages = [
        "Which plan can I cancel?",
        "Où est le numéro 123456 ?",
        "Un mensaje de maratón",
        "",
        "What did we say on Monday?",
        "Le 3, peut-être",
    ]

    assert may_name_times(pl.Series(messages)).to_list() == [False, False, False, False, True, True]
