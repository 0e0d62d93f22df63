"""Which of many messages surely name no time, told from all their texts at once before any is read closely; pure."""

import re

import polars as pl

from pipelines.resolution.structured.languages import LANGUAGES
from pipelines.resolution.structured.when import DATABLE

_LETTERS = re.compile("[a-z]+")
#: of each word or phrase that may be part of a date, in any language, the longest run of letters
_WORDS = sorted(
    {
        max(_LETTERS.findall(written), key=len)
        for language in LANGUAGES.values()
        for written, readings in language.words.items()
        if DATABLE & readings.keys() and _LETTERS.search(written)
    }
)
#: characters that fold into letters without marks by another way than taking the marks off
_ODD = "ßẞſŉẚﬀﬁﬂﬃﬄﬅﬆ"
_WORD = rf"(?:^|[^a-z])(?:{'|'.join(_WORDS)})(?:$|[^a-z])|[{_ODD}]"
#: a number of more digits is no part of a date
_NUMBER = "(?:^|[^0-9])[0-9]{1,4}(?:$|[^0-9])"


def may_name_times(messages: pl.Series) -> pl.Series:
    """Return for each message whether it may name a time; in any other `read` finds none, in every language.

    It looks for the words of all languages at once, without marks, and for short numbers: an automaton in time linear
    in the length of the texts.
    """
    has_mark = messages.str.contains(r"[^\x00-\x7f]")
    plain = (
        messages.zip_with(~has_mark, messages.str.normalize("NFD").str.replace_all(r"\p{M}", ""))
        if has_mark.any()
        else messages
    )
    return plain.str.to_lowercase().str.contains(_WORD) | messages.str.contains(_NUMBER)
