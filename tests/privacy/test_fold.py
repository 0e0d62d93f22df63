"""Folding loses no place: every find can be carried back to the text as it was typed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.privacy.fold import fold


@pytest.mark.property
@given(st.text(max_size=60), st.data())
def test_folded_ranges_map_to_the_text_that_they_came_from(text: str, data: st.DataObject) -> None:
    """The original of a folded range folds to something that holds the range."""
    folded = fold(text)
    if not folded.text:
        return
    start = data.draw(st.integers(0, len(folded.text) - 1))
    end = data.draw(st.integers(start + 1, len(folded.text)))

    first, last = folded.span(start, end)

    assert 0 <= first < last <= len(text)
    assert folded.text[start:end] in fold(text[first:last]).text


def test_invisible_characters_belong_to_the_find_before_them() -> None:
    """Nothing of a find stays behind when it is cut out."""
    folded = fold("ab\u200b\u0301c")

    assert folded.text == "abc"
    assert folded.span(0, 2) == (0, 4)
