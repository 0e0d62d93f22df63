"""What a comparison says, and what it refuses to say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as bounded
from hypothesis import strategies as st

from pipelines.experiments.comparison import (
    Comparison,
    DifferentItemsError,
    Outcome,
    Score,
    Settings,
    compare_all,
    furthest,
    part_of,
)
from pipelines.experiments.wording import verdict

SETTINGS = Settings(resamples=2000)
Table = dict[str, dict[str, Score]]


def table(items: int = 200, *, per_talk: int = 4, more: int = 0, **shifts: float) -> Table:
    """Return scores of a control, and of strategies that are off by so much on average, with noise between items.

    `more` adds strategies without any effect.
    """
    rng = np.random.default_rng(1)
    base = rng.uniform(0.2, 0.6, items)
    made: Table = {"raw": {}}
    for number in range(items):
        made["raw"][f"i{number}"] = Score(value=float(base[number]), cluster=f"c{number // per_talk}", fired=False)
    for name, shift in (shifts | {f"other{number}": 0.0 for number in range(more)}).items():
        noise = rng.normal(shift, 0.1, items)
        made[name] = {
            item: Score(value=float(base[number] + noise[number]), cluster=score.cluster)
            for number, (item, score) in enumerate(made["raw"].items())
        }
    return made


def one(scores: Table, name: str = "new", settings: Settings = SETTINGS, floor: float = 0.0) -> Comparison:
    """Compare and return one strategy's comparison."""
    compared = compare_all(scores, control="raw", measure="m", settings=settings, floor=floor)
    return next(each for each in compared if each.strategy == name)


@pytest.mark.parametrize(
    ("shift", "margin", "outcome"),
    [
        (0.08, 0.02, Outcome.BETTER),
        (-0.08, 0.02, Outcome.WORSE),
        (0.0, 0.05, Outcome.EQUIVALENT),
        (0.0, 0.001, Outcome.UNRESOLVED),
    ],
)
def test_the_outcome_follows_difference_and_margin(shift: float, margin: float, outcome: Outcome) -> None:
    """A clear difference is named; a small one is equivalent or unresolved, as the margin has it."""
    compared = one(table(new=shift), settings=Settings(resamples=2000, margin=margin))

    assert compared.outcome is outcome


def test_the_same_seed_gives_the_same_numbers() -> None:
    """Twice the same, and another seed another interval."""
    first, again = one(table(new=0.03)), one(table(new=0.03))
    other = one(table(new=0.03), settings=Settings(resamples=2000, seed=5))

    assert first == again
    assert other.interval != first.interval


def test_conversations_are_resampled_whole() -> None:
    """Items that repeat within their conversation are worth one each: the interval is wider."""
    scores = table(items=80, per_talk=1, new=0.05)
    copied: Table = {
        name: {
            f"{item}-{copy}": Score(value=score.value, cluster=score.cluster, fired=score.fired)
            for item, score in found.items()
            for copy in range(4)
        }
        for name, found in scores.items()
    }
    apart: Table = {
        name: {item: Score(value=score.value, cluster=item, fired=score.fired) for item, score in found.items()}
        for name, found in copied.items()
    }

    single, clustered, naive = one(scores), one(copied), one(apart)

    assert single.interval is not None
    assert clustered.interval is not None
    assert naive.interval is not None
    assert clustered.interval.high - clustered.interval.low == pytest.approx(
        single.interval.high - single.interval.low, rel=1e-6
    )
    assert naive.interval.high - naive.interval.low < 0.6 * (clustered.interval.high - clustered.interval.low)


def test_different_items_are_refused_by_name() -> None:
    """Two strategies on different items have no paired difference."""
    scores = table(items=20, new=0.0)
    del scores["new"]["i3"]

    with pytest.raises(DifferentItemsError, match=r"new against raw: their items differ \(1 only in the first.*i3"):
        compare_all(scores, control="raw", measure="m", settings=SETTINGS)


def test_an_item_without_a_value_is_left_out_of_all() -> None:
    """Also where only one strategy lacks it."""
    scores = table(items=20, new=0.0, other=0.0)
    scores["new"]["i3"] = Score(value=None, cluster="c0")

    compared = compare_all(scores, control="raw", measure="m", settings=SETTINGS)

    assert [each.items for each in compared] == [19, 19]


def test_a_difference_is_not_supported_where_the_control_moved_as_far() -> None:
    """Declined items search the same; if they move like the others, the instrument did it."""
    scores = table(new=0.08)
    scores["new"] = {
        item: Score(value=score.value, cluster=score.cluster, fired=number % 2 == 0)
        for number, (item, score) in enumerate(scores["new"].items())
    }

    compared = one(scores)

    assert compared.outcome is Outcome.CONTROL_MOVED
    assert "where it declined, the score moved by +0.0" in verdict(compared, SETTINGS, strategies=1)


def test_declined_items_that_stand_still_support_the_effect() -> None:
    """The effect is then on the fired ones, shown apart, and beyond the control."""
    scores = table(new=0.08)
    for number, item in enumerate(list(scores["new"])):
        if number % 2:
            scores["new"][item] = Score(
                value=scores["raw"][item].value, cluster=scores["raw"][item].cluster, fired=False
            )

    compared = one(scores)

    assert compared.outcome is Outcome.BETTER
    assert compared.fired is not None
    assert compared.declined is not None
    assert compared.adjusted is not None
    assert (compared.fired.items, compared.declined.items, compared.declined.moved) == (100, 100, 0)
    assert compared.fired.mean == pytest.approx(2 * compared.difference)
    assert compared.adjusted.difference == pytest.approx(compared.fired.mean)


def test_an_effect_below_the_noise_floor_is_unresolved() -> None:
    """However small its p-value."""
    scores = table(new=0.08)

    assert one(scores, floor=0.2).outcome is Outcome.UNRESOLVED


def test_the_noise_floor_is_how_far_the_control_moves_from_itself() -> None:
    """Nothing where nothing moved; its further end where it did; none without a second run."""
    first = table(items=40)["raw"]
    again = {
        item: Score(value=(score.value or 0) + (0.1 if number % 2 else -0.1), cluster=score.cluster)
        for number, (item, score) in enumerate(first.items())
    }

    still, moved = part_of(first, first, first, SETTINGS), part_of(first, again, first, SETTINGS)

    assert still is not None
    assert (furthest(still), still.moved) == (0.0, 0)
    assert moved is not None
    assert moved.moved == 40
    assert part_of(first, {}, first, SETTINGS) is None


def test_holm_counts_every_strategy_of_the_run() -> None:
    """The same effect beside many others has a larger p-value, and may no longer be shown."""
    alone = one(table(items=60, new=0.03))
    crowd = one(table(items=60, more=9, new=0.03))

    assert crowd.p_permutation == alone.p_permutation
    assert crowd.p_holm > alone.p_holm


def test_one_conversation_alone_shows_nothing() -> None:
    """There is nothing to resample, so no interval and no verdict."""
    compared = one(table(items=8, per_talk=8, new=0.3))

    assert compared.interval is None
    assert compared.outcome is Outcome.UNRESOLVED


def test_words_say_what_the_set_could_show() -> None:
    """Equivalent within a margin, unresolved with what it resolves, better with a warning where the set is small."""
    equal = one(table(new=0.0), settings=Settings(resamples=2000, margin=0.05))
    unclear = one(table(new=0.0), settings=Settings(resamples=2000, margin=0.001))

    assert verdict(equal, Settings(margin=0.05), strategies=1).startswith("no difference beyond ±0.050: ")
    assert "no difference that this set could show (it resolves ±0.0" in verdict(unclear, SETTINGS, strategies=1)


@pytest.mark.property
@bounded(max_examples=20, deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1), st.integers(0, 4)), min_size=1, max_size=30))
def test_comparing_backwards_turns_the_sign_round(rows: list[tuple[float, float, int]]) -> None:
    """Wins become losses and the difference its opposite, with the same p-values."""
    first = {f"i{at}": Score(value=row[0], cluster=str(row[2])) for at, row in enumerate(rows)}
    second = {f"i{at}": Score(value=row[1], cluster=str(row[2])) for at, row in enumerate(rows)}
    settings = Settings(resamples=200)

    (forward,) = compare_all({"a": first, "b": second}, control="a", measure="m", settings=settings)
    (back,) = compare_all({"b": second, "a": first}, control="b", measure="m", settings=settings)

    assert forward.difference == pytest.approx(-back.difference, abs=1e-12)
    assert (forward.tally.wins, forward.tally.losses) == (back.tally.losses, back.tally.wins)
    assert forward.p_sign == back.p_sign
    assert forward.p_permutation == pytest.approx(back.p_permutation)
