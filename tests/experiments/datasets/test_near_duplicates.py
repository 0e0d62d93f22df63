"""The index finds exactly the texts that comparing all with all would find."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.experiments.datasets.near_duplicates import NearDuplicates, _shingles

TEXTS = st.lists(st.text(alphabet="abc ", min_size=0, max_size=24), min_size=1, max_size=12)


@pytest.mark.property
@given(TEXTS, st.sampled_from([0.3, 0.5, 0.8, 1.0]))
def test_the_index_misses_nothing_and_invents_nothing(texts: list[str], threshold: float) -> None:
    """For each text the answer is that of the definition, Jaccard similarity over all texts before."""
    index = NearDuplicates(threshold)
    before: list[frozenset[int]] = []

    for text in texts:
        shingles = _shingles(text)
        expected = any(len(shingles & each) / len(shingles | each) >= threshold for each in before)
        assert index.seen(text) == expected
        index.add(text)
        before.append(shingles)


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.1])
def test_a_similarity_that_cannot_be_meant_is_refused(threshold: float) -> None:
    """It must lie above 0 and not above 1."""
    with pytest.raises(ValueError, match="no threshold"):
        NearDuplicates(threshold)
