"""Every reference value that other libraries computed is held by a test, or it is said here why by none."""

import ast
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent
_EXPERIMENTS = "experiments/statistics/test_reference.py"

#: which test holds which cases
HELD: Mapping[str, tuple[str, ...]] = {
    f"{_EXPERIMENTS}::test_sign_test_is_exact_and_leaves_ties_out": (
        "sign_test_73_36",
        "sign_test_16_3",
        "sign_test_5_5",
        "sign_test_0_0",
        "sign_test_1_0",
        "sign_test_8_0",
    ),
    f"{_EXPERIMENTS}::test_paired_mean_has_students_interval": ("paired_mean_t",),
    f"{_EXPERIMENTS}::test_bootstrap_interval_equals_two_libraries": ("paired_bootstrap",),
    f"{_EXPERIMENTS}::test_percentile_interval_lands_in_the_enumerated_distribution": ("bootstrap_exact_enumeration",),
    f"{_EXPERIMENTS}::test_permutation_test_is_exact_for_few_items": ("sign_flip_permutation",),
    f"{_EXPERIMENTS}::test_smallest_detectable_effect": ("mde_n83", "mde_n325", "mde_n242"),
    f"{_EXPERIMENTS}::test_items_needed_and_power": ("n_for_effect", "power_at_n"),
    f"{_EXPERIMENTS}::test_retrodesign_says_how_much_a_found_effect_exaggerates": ("retrodesign",),
    f"{_EXPERIMENTS}::test_variance_is_split_between_items_and_runs": ("variance_decomposition",),
    f"{_EXPERIMENTS}::test_more_runs_do_not_replace_more_items": ("runs_vs_items",),
    f"{_EXPERIMENTS}::test_clustered_standard_error": ("clustered_se",),
    f"{_EXPERIMENTS}::test_corrections_for_many_comparisons": ("multiplicity",),
    f"{_EXPERIMENTS}::test_effect_beyond_the_control": ("control_adjusted",),
    f"{_EXPERIMENTS}::test_pooled_effect_is_the_mean_over_items": ("pooled_effect",),
    f"{_EXPERIMENTS}::test_threshold_is_one_standard_error_below_the_control": (
        "dataset_threshold",
        "threshold_operating_curve",
    ),
    f"{_EXPERIMENTS}::test_agreement_of_graded_judgements": ("agreement",),
    f"{_EXPERIMENTS}::test_alpha_with_missing_ratings": ("krippendorff_missing",),
    f"{_EXPERIMENTS}::test_fleiss_kappa_of_many_raters": ("fleiss_kappa",),
    f"{_EXPERIMENTS}::test_kappa_misleads_where_nearly_everything_is_relevant": ("kappa_prevalence_paradox",),
    f"{_EXPERIMENTS}::test_rogan_gladen": ("rogan_gladen",),
    f"{_EXPERIMENTS}::test_prediction_powered_mean": ("ppi_mean",),
    "experiments/metrics/test_metrics.py::test_rank_measures_equal_trec_evals": ("rank_metrics",),
    "sampling/test_rate.py::test_independent_passages_give_the_plain_interval": (
        "wilson_17_100",
        "wilson_0_360",
        "wilson_1_6",
        "wilson_50_50",
        "wilson_8_50",
    ),
    "sampling/test_rate.py::test_the_zero_of_a_large_sample_agrees_with_the_exact_bound": ("zero_events_upper",),
    "sampling/test_rate.py::test_the_worked_example_comes_out": ("stratified_cluster_rate",),
    "sampling/test_rate.py::test_the_variance_holds_what_passages_have_in_common": ("icc_deff",),
    "sampling/test_allocate.py::test_the_reference_allocation_comes_out": ("allocation",),
    "sampling/test_draw.py::test_the_reference_numbers_come_out": ("hash_sample",),
    "alerts/test_chart.py::test_the_score_follows_its_recursion": ("sr_cusum_binomial",),
    "alerts/test_chart.py::test_a_bet_is_the_reference_bet": ("betting_e_value",),
    "alerts/test_chart.py::test_a_chart_is_the_reference_mixture": ("sr_mixture_betting",),
    "alerts/test_chart.py::test_run_lengths_are_those_of_the_exact_chain": ("sr_arl_table",),
}

#: cases that the project has no use for, and why. Of cases that are held, these values are not: the Clopper-Pearson
#: intervals beside Wilson's (the published ones are Wilson's, on an effective sample size), the CUSUM beside the
#: Shiryaev-Roberts score (of two equal charts the one whose mean over slices is one again), and the smallest effect by
#: the normal quantile beside Student's (which is the greater, and the one that is shown)
NOT_USED: Mapping[str, str] = {
    "two_proportion": "testing a night against the nights before absorbs the very rise it should show; alarms bet instead",
    "wilcoxon_signed_rank": "paired effects are judged by mean, sign test and permutation test; none of them is of ranks",
}


def test_each_case_is_held_by_a_test_or_not_used(shared_data: Path) -> None:
    """A case that is new in the file, or gone from it, or held twice makes this fail."""
    cases = [case["id"] for case in json.loads((shared_data / "stats_reference.json").read_text("utf-8"))["cases"]]

    accounted = [case for held in HELD.values() for case in held] + list(NOT_USED)

    assert sorted(accounted) == sorted(cases)


@pytest.mark.parametrize("test", HELD)
def test_the_test_that_is_said_to_hold_a_case_names_it(test: str) -> None:
    """A test of that name is there, and the case's id stands in it, whole or as a stem and its parameter."""
    file, _, name = test.partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    (found,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name)

    constants = set(_constants(found))

    for case in HELD[test]:
        stems = (case[:end] for end in range(1, len(case)) if case[end:] in constants)
        assert case in constants or any(stem in constants for stem in stems), case


def _constants(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str | int):
            yield str(each.value)
