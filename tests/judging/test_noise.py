"""The noise floor: two judgements of the same passages, compared."""

import math

import pytest

from pipelines.judging.noise.floor import MEASURES, Grades, Place, floor_of


def place(retrieval: int, rank: int) -> Place:
    """Return the place of a passage."""
    return ("help.example.com", f"r-{retrieval}", rank)


def test_what_moved_is_counted_where_there_are_grades_both_times() -> None:
    """A passage without a grade in one of the two is in neither rate."""
    before: dict[Place, Grades] = {place(1, 1): (0, 0), place(1, 2): (2, 1), place(2, 1): (1, 1), place(3, 1): (0, 0)}
    after: dict[Place, Grades] = {place(1, 1): (1, 0), place(1, 2): (2, 3), place(2, 1): (0, 1), place(4, 1): (0, 0)}

    query, need = (floor_of(measure, before, after, retrievals=4, passages=5) for measure in MEASURES)

    assert (query.compared, query.moved, need.compared, need.moved) == (3, 2, 3, 1)
    assert (query.irrelevant_before, query.irrelevant_after, query.difference) == (1, 1, 0.0)
    assert (need.irrelevant_before, need.irrelevant_after) == (1, 1)


def test_the_standard_error_is_that_of_a_clustered_ratio() -> None:
    """Worked by hand: changes of +1 in 2, 0 in 1 and 0 in 1 passages give R = 1/4 and 3/2 * (1/4 + 1/16 + 1/16) / 16."""
    before: dict[Place, Grades] = {place(1, 1): (1, 1), place(1, 2): (1, 1), place(2, 1): (1, 1), place(3, 1): (0, 0)}
    after: dict[Place, Grades] = before | {place(1, 1): (0, 1)}

    floor = floor_of("irrelevant_query", before, after, retrievals=3, passages=4)

    assert floor.difference == 0.25
    assert floor.standard_error == pytest.approx(math.sqrt(1.5 * (0.25 + 0.0625 + 0.0625) / 16))


def test_one_retrieval_has_no_standard_error() -> None:
    """It is not known, which is not zero; with nothing to compare there is no difference either."""
    one = floor_of("irrelevant_query", {place(1, 1): (0, 0)}, {place(1, 1): (0, 0)}, retrievals=1, passages=1)
    none = floor_of("irrelevant_query", {}, {}, retrievals=1, passages=1)

    assert (one.difference, one.standard_error) == (0.0, None)
    assert (none.difference, none.standard_error) == (None, None)
