"""Every figure here was computed by an independent library; the file that holds them says which."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pipelines.experiments.statistics import (
    agreement,
    clusters,
    contrast,
    correction,
    multiplicity,
    paired,
    power,
    threshold,
    variance,
)


@pytest.fixture(scope="module")
def case(shared_data: Path) -> Callable[[str], dict[str, Any]]:
    """Return a function that gives one reference case by its id."""
    cases = json.loads((shared_data / "stats_reference.json").read_text())["cases"]
    by_id = {each["id"]: each for each in cases}
    return lambda name: dict(by_id[name])


Case = Callable[[str], dict[str, Any]]


@pytest.mark.parametrize("name", ["73_36", "16_3", "5_5", "0_0", "1_0", "8_0"])
def test_sign_test_is_exact_and_leaves_ties_out(case: Case, name: str) -> None:
    """The two-sided p-value equals the binomial one, and is 1 without any win or loss."""
    found = case(f"sign_test_{name}")

    p = paired.sign_test(found["input"]["wins"], found["input"]["losses"])

    assert p == pytest.approx(found["expected"]["p_value"], abs=found["abs_tol"])


def test_paired_mean_has_students_interval(case: Case) -> None:
    """Mean, spread, t, p, interval and the tally equal scipy's and R's."""
    found = case("paired_mean_t")
    expected = found["expected"]

    mean = paired.mean_difference(found["input"]["diff"])
    tally = paired.tally(found["input"]["diff"])

    for name in ("mean", "sd", "se", "t", "p"):
        assert getattr(mean, name) == pytest.approx(expected[name], abs=found["abs_tol"])
    assert [mean.low, mean.high] == pytest.approx(expected["ci95"], abs=found["abs_tol"])
    assert (tally.wins, tally.losses, tally.ties) == (expected["wins"], expected["losses"], expected["ties"])


@pytest.mark.parametrize("method", list(clusters.Method))
def test_bootstrap_interval_equals_two_libraries(case: Case, method: clusters.Method) -> None:
    """With one item a cluster it is the ordinary bootstrap, as scipy and R have it."""
    found = case("paired_bootstrap")
    values = found["input"]["diff"]

    interval = clusters.bootstrap_interval(values, range(len(values)), seed=0, resamples=99_999, method=method)

    assert interval is not None
    assert [interval.low, interval.high] == pytest.approx(found["expected"][method.value], abs=found["abs_tol"])
    assert [interval.low, interval.high] == pytest.approx(
        found["expected"]["R_boot"][method.value], abs=found["abs_tol"]
    )


def test_percentile_interval_lands_in_the_enumerated_distribution(case: Case) -> None:
    """Four values have 256 resamples; the quantiles of all of them are known exactly."""
    found = case("bootstrap_exact_enumeration")
    values = found["input"]["diff"]

    interval = clusters.bootstrap_interval(
        values, range(4), seed=3, resamples=100_000, method=clusters.Method.PERCENTILE
    )

    assert interval is not None
    assert interval.low == pytest.approx(found["expected"]["q025_linear"], abs=1e-9)
    assert interval.high == pytest.approx(found["expected"]["q975_linear"], abs=1e-9)


def test_permutation_test_is_exact_for_few_items(case: Case) -> None:
    """Twelve items have 4,096 sign patterns: every one is counted."""
    found = case("sign_flip_permutation")
    values = found["input"]["diff"]

    p = clusters.permutation_test(values, range(len(values)), seed=0)

    assert p == pytest.approx(found["expected"]["p"], abs=found["abs_tol"])


@pytest.mark.parametrize("items", [83, 242, 325])
def test_smallest_detectable_effect(case: Case, items: int) -> None:
    """The t test's smallest effect equals statsmodels', to the sixth decimal."""
    found = case(f"mde_n{items}")

    effect = power.smallest_detectable(items, found["input"]["sd_of_paired_differences"])

    assert effect == pytest.approx(found["expected"]["mde_t"], abs=found["abs_tol"])


def test_items_needed_and_power(case: Case) -> None:
    """How many items an effect needs, and what fewer would have shown."""
    needed, reached = case("n_for_effect"), case("power_at_n")
    given = reached["input"]

    assert power.items_needed(needed["input"]["sd"], needed["input"]["effect"]) == pytest.approx(
        needed["expected"]["n_t"], abs=needed["abs_tol"]
    )
    assert power.power_of(given["n"], given["sd"], given["effect"]) == pytest.approx(
        reached["expected"]["power_t"], abs=reached["abs_tol"]
    )


def test_retrodesign_says_how_much_a_found_effect_exaggerates(case: Case) -> None:
    """The closed form equals numerical integration."""
    found = case("retrodesign")

    design = power.retrodesign(found["input"]["true_effect"], found["input"]["se"])

    for name in ("power", "type_s", "exaggeration"):
        assert getattr(design, name) == pytest.approx(found["expected"][name], abs=found["abs_tol"])


def test_variance_is_split_between_items_and_runs(case: Case) -> None:
    """Mean squares and components equal those of two analyses of variance."""
    found = case("variance_decomposition")
    expected = found["expected"]

    split = variance.components(found["input"]["matrix"])

    for name in ("ms_item", "ms_run", "ms_residual", "var_item", "var_run", "var_item_run", "var_of_grand_mean"):
        assert getattr(split, name) == pytest.approx(expected[name], abs=found["abs_tol"])
    for name in ("ms_within", "var_between", "var_within", "var_of_mean", "share_run", "share_item"):
        assert getattr(split, name) == pytest.approx(expected["oneway"][name], abs=found["abs_tol"])


def test_more_runs_do_not_replace_more_items(case: Case) -> None:
    """With four in a hundred of the variance in the runs, doubling them changes the third decimal."""
    found = case("runs_vs_items")
    share = found["input"]["run_share"]

    runs = [variance.se_factor(share, runs=factor) for factor in found["input"]["multiply_runs_by"]]
    items = [variance.se_factor(share, items=factor) for factor in found["input"]["multiply_items_by"]]

    assert runs == pytest.approx(found["expected"]["se_factor_runs"], abs=found["abs_tol"])
    assert items == pytest.approx(found["expected"]["se_factor_items"], abs=found["abs_tol"])


def test_clustered_standard_error(case: Case) -> None:
    """The standard error of a mean over clusters equals the robust one of a regression on nothing."""
    found = case("clustered_se")

    se = clusters.standard_error(found["input"]["y"], found["input"]["cluster"])

    assert se == pytest.approx(found["expected"]["se_cluster"], abs=found["abs_tol"])


def test_corrections_for_many_comparisons(case: Case) -> None:
    """Holm and Benjamini-Hochberg equal statsmodels'."""
    found = case("multiplicity")

    assert multiplicity.holm(found["input"]["p"]) == pytest.approx(found["expected"]["holm"], abs=found["abs_tol"])
    assert multiplicity.benjamini_hochberg(found["input"]["p"]) == pytest.approx(
        found["expected"]["bh"], abs=found["abs_tol"]
    )


def test_effect_beyond_the_control(case: Case) -> None:
    """Fired less declined, by Welch."""
    found = case("control_adjusted")

    effect = contrast.control_adjusted(found["input"]["fired"], found["input"]["declined"])

    assert effect is not None
    assert effect.difference == pytest.approx(found["expected"]["diff"], abs=found["abs_tol"])
    for name in ("t", "df", "p"):
        assert getattr(effect, name) == pytest.approx(found["expected"][name], abs=found["abs_tol"])
    assert [effect.low, effect.high] == pytest.approx(found["expected"]["ci95"], abs=found["abs_tol"])


def test_pooled_effect_is_the_mean_over_items(case: Case) -> None:
    """Sets are weighted by their items."""
    found = case("pooled_effect")

    pooled = contrast.pooled_effect([(items, mean) for items, mean in found["input"]["sets"]])

    assert pooled == pytest.approx(found["expected"]["pooled"], abs=found["abs_tol"])


def test_threshold_is_one_standard_error_below_the_control(case: Case) -> None:
    """The line, and how often a run falls below it."""
    line_case, curve = case("dataset_threshold"), case("threshold_operating_curve")

    line = threshold.one_se_below(line_case["input"]["control_item_scores"])
    chances = [threshold.chance_to_fail(k, run_share=curve["input"]["run_share"]) for k in curve["input"]["k"]]

    for name in ("mean", "se", "threshold"):
        assert getattr(line, name) == pytest.approx(line_case["expected"][name], abs=line_case["abs_tol"])
    assert chances == pytest.approx(curve["expected"]["p_fail"], abs=curve["abs_tol"])


def test_agreement_of_graded_judgements(case: Case) -> None:
    """Every coefficient equals that of the library that is known for it."""
    found = case("agreement")
    expected, near = found["expected"], found["abs_tol"]
    people, judge = found["input"]["human"], found["input"]["judge"]

    table = agreement.confusion(people, judge, 4)

    assert agreement.raw_agreement(table) == pytest.approx(expected["percent_agreement"], abs=near)
    assert agreement.kappa(table) == pytest.approx(expected["cohen_kappa"], abs=near)
    assert agreement.quadratic_kappa(table) == pytest.approx(expected["cohen_kappa_quadratic"], abs=near)
    assert agreement.kappa(table, agreement.Weights.LINEAR) == pytest.approx(expected["cohen_kappa_linear"], abs=near)
    assert agreement.gwet_ac1(table) == pytest.approx(expected["gwet_ac1"], abs=near)
    for level in agreement.Level:
        assert agreement.alpha(table, level) == pytest.approx(expected[f"krippendorff_{level}"], abs=near)
        assert agreement.alpha_of_ratings([people, judge], level) == pytest.approx(
            expected[f"krippendorff_{level}"], abs=near
        )


def test_agreement_of_two_grades(case: Case) -> None:
    """Cut at "helps in part", the same judgements are a table of four."""
    found = case("agreement")
    expected = found["expected"]["binary"]

    table = agreement.binary(agreement.confusion(found["input"]["human"], found["input"]["judge"], 4), 2)

    assert table.tolist() == [[expected["tn"], expected["fp"]], [expected["fn"], expected["tp"]]]
    assert agreement.kappa(table) == pytest.approx(expected["cohen_kappa"], abs=found["abs_tol"])
    assert agreement.gwet_ac1(table) == pytest.approx(expected["gwet_ac1"], abs=found["abs_tol"])
    assert agreement.sensitivity(table) == pytest.approx(expected["sensitivity_relevant"], abs=found["abs_tol"])
    assert agreement.specificity(table) == pytest.approx(expected["specificity_relevant"], abs=found["abs_tol"])
    assert agreement.mcnemar(table) == pytest.approx(expected["mcnemar_exact_p"], abs=found["abs_tol"])


@pytest.mark.parametrize("level", list(agreement.Level))
def test_alpha_with_missing_ratings(case: Case, level: agreement.Level) -> None:
    """The published example with missing ratings."""
    found = case("krippendorff_missing")

    alpha = agreement.alpha_of_ratings(found["input"]["ratings"], level)

    assert alpha == pytest.approx(found["expected"][level.value], abs=found["abs_tol"])


def test_fleiss_kappa_of_many_raters(case: Case) -> None:
    """The textbook's table."""
    found = case("fleiss_kappa")

    kappa = agreement.fleiss_kappa(found["input"]["table"])

    assert kappa == pytest.approx(found["expected"]["kappa"], abs=found["abs_tol"])


def test_kappa_misleads_where_nearly_everything_is_relevant(case: Case) -> None:
    """94 % agreement, a kappa below zero, and the adjusted one that says what is going on."""
    found = case("kappa_prevalence_paradox")
    table = np.array(found["input"]["table"], dtype=np.float64)

    assert agreement.raw_agreement(table) == pytest.approx(found["expected"]["percent_agreement"], abs=found["abs_tol"])
    assert agreement.kappa(table) == pytest.approx(found["expected"]["cohen_kappa"], abs=found["abs_tol"])
    assert agreement.pabak(table) == pytest.approx(found["expected"]["pabak"], abs=found["abs_tol"])


def test_rogan_gladen(case: Case) -> None:
    """The corrected prevalence and its variance."""
    found = case("rogan_gladen")
    given = found["input"]

    corrected = correction.rogan_gladen(
        given["apparent"],
        sensitivity=given["sensitivity"],
        specificity=given["specificity"],
        n=given["n_apparent"],
        n_sensitivity=given["n_sens"],
        n_specificity=given["n_spec"],
    )

    assert corrected is not None
    assert corrected.rate == pytest.approx(found["expected"]["corrected"], abs=found["abs_tol"])
    assert corrected.variance == pytest.approx(found["expected"]["var_delta"], abs=found["abs_tol"])


@pytest.mark.parametrize(("tuned", "name"), [(False, "lambda1"), (True, "tuned")])
def test_prediction_powered_mean(case: Case, tuned: bool, name: str) -> None:
    """Point and interval equal those of the method's own library."""
    found = case("ppi_mean")
    given, expected = found["input"], found["expected"][name]
    unlabelled = [1.0] * given["F_unlabelled_ones"] + [0.0] * given["F_unlabelled_zeros"]

    corrected = correction.prediction_powered(given["Y"], given["F_labelled"], unlabelled, tuned=tuned)

    assert corrected.rate == pytest.approx(expected["estimate"], abs=found["abs_tol"])
    assert [corrected.low, corrected.high] == pytest.approx(expected["ci95"], abs=found["abs_tol"])
