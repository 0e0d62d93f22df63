"""What may be said of a comparison, in words."""

from collections.abc import Sequence
from math import ceil

from pipelines.experiments.comparison import ALPHA, Comparison, Outcome, Settings
from pipelines.experiments.reading import Fresh, Reading
from pipelines.experiments.statistics.paired import mean_difference
from pipelines.experiments.statistics.power import retrodesign
from pipelines.experiments.statistics.threshold import chance_to_fail
from pipelines.experiments.statistics.variance import Components, se_factor

#: a share of the mean's variance that a shared effect of runs may have before it is pointed out
_MUCH = 0.1


def signed(value: float) -> str:
    """Return a difference with its sign."""
    return f"{value:+.3f}"


def interval(compared: Comparison) -> str:
    """Return the interval in brackets, or a dash."""
    if compared.interval is None:
        return "-"
    return f"[{compared.interval.low:+.3f}, {compared.interval.high:+.3f}]"


def verdict(compared: Comparison, settings: Settings, *, strategies: int) -> str:
    """Return one sentence that says what this comparison shows, and what it does not."""
    found = f"{signed(compared.difference)} {interval(compared)}"
    match compared.outcome:
        case Outcome.BETTER:
            return f"better by {found}{_overstated(compared)}"
        case Outcome.WORSE:
            return f"worse by {found}"
        case Outcome.EQUIVALENT:
            return f"no difference beyond ±{settings.margin:.3f}: {found} lies within ±{compared.within:.3f}"
        case Outcome.CONTROL_MOVED:
            moved = compared.declined.mean if compared.declined else 0.0
            return f"not supported: {found}, but where it declined, the score moved by {signed(moved)} all the same"
        case Outcome.UNRESOLVED:
            return f"{_unresolved(compared, settings, strategies)}: {found}"


def notes(reading: Reading) -> list[str]:
    """Return what a reader must know besides the table: noise, controls, what was left out, what runs add."""
    said = [_covered(reading), _floor_text(reading)]
    declined = [each for each in reading.primary if each.declined is not None]
    if declined:
        said.append(f"Declined turns, whose search input equals the control's: {_control_text(declined)}")
    if reading.line is not None:
        said.append(
            f"Threshold of this set: {reading.line.threshold:.3f}, one standard error ({reading.line.se:.3f}) under "
            f"its own control ({reading.line.mean:.3f}). It answers whether one run retrieved worse than doing "
            f"nothing; it cannot rank two strategies.{_failing_by_chance(reading)}"
        )
    said += [_fresh_text(name, each) for name, each in reading.fresh.items()]
    said += [_clustering_text(reading)] if len(reading.primary) > 0 else []
    said += [_variance_text(name, split) for name, split in reading.variance.items()]
    method = next((each.interval.method.value for each in reading.primary if each.interval), "no")
    said.append(
        f"Intervals: {method} bootstrap, {reading.settings.resamples:,} resamples of whole conversations, seed "
        f"{reading.settings.seed}. p: permutation test that flips whole conversations, by Holm over "
        f"{len(reading.primary)} strategies. Harness {reading.stored.run.harness_version}."
    )
    return said


def _covered(reading: Reading) -> str:
    left_out = "".join(f"; {count} are not: {reason}" for reason, count in reading.unscored.items())
    clusters = reading.primary[0].clusters if reading.primary else 0
    return (
        f"{reading.scored} of {len(reading.stored.items)} items are scored on {reading.measure}{left_out}. "
        f"They come from {clusters} conversations."
    )


def _floor_text(reading: Reading) -> str:
    floor = reading.floors.get(reading.measure)
    if floor is None:
        return "No noise floor: the control was not run again."
    return (
        f"Noise floor: the control run again on the same input moved by {signed(floor.mean)} "
        f"[{floor.low:+.3f}, {floor.high:+.3f}], on {floor.moved} of {floor.items} items."
    )


def _variance_text(name: str, split: Components) -> str:
    shared = split.var_run / split.runs / split.var_of_grand_mean if split.var_of_grand_mean else 0.0
    end = f"; {shared:.0%} is shared by whole runs, which more items never average out" if shared > _MUCH else ""
    runs, items = se_factor(split.share_run, runs=2), se_factor(split.share_run, items=2)
    return (
        f"Variance of the mean difference of {name}: {split.share_run:.0%} from runs, {split.share_item:.0%} from items"
        f"{end}. Twice the runs would make its standard error {runs:.2f} times as large, twice the items {items:.2f}."
    )


def _failing_by_chance(reading: Reading) -> str:
    if not reading.rerun_share:
        return ""
    same, worse = (chance_to_fail(-apart, run_share=reading.rerun_share) for apart in (0, 2))
    return f" One as good as the control falls below it in {same:.1%} of runs, one two errors worse in {worse:.0%}."


def _fresh_text(name: str, fresh: Fresh) -> str:
    added, earlier = fresh.added, fresh.earlier
    return (
        f"{name} on the {added.items} items added to the set since it was first measured: {signed(added.mean)} "
        f"[{added.low:+.3f}, {added.high:+.3f}]; on the {earlier.items} others {signed(earlier.mean)} "
        f"[{earlier.low:+.3f}, {earlier.high:+.3f}]; on both together {signed(fresh.pooled)}."
    )


def _clustering_text(reading: Reading) -> str:
    factors = [
        each.se / alone.se
        for each in reading.primary
        if each.se is not None and (alone := mean_difference(reading.differences[each.strategy])).se
    ]
    if not factors:
        return "No strategy moved a score."
    return (
        f"Items of one conversation are alike: the standard errors are {min(factors):.2f} to {max(factors):.2f} times "
        "those of as many independent items."
    )


def _control_text(declined: Sequence[Comparison]) -> str:
    moved = [each for each in declined if each.declined is not None and each.declined.moved]
    if not moved:
        return "not one of them moved."
    parts = [
        f"{each.strategy} {signed(each.declined.mean)} [{each.declined.low:+.3f}, {each.declined.high:+.3f}] "
        f"on {each.declined.moved} of {each.declined.items}"
        for each in moved
        if each.declined is not None
    ]
    return f"{len(declined) - len(moved)} strategies kept them still; " + "; ".join(parts) + "."


def _overstated(compared: Comparison) -> str:
    """Warn where the set is too small for what it found: then what is found is too large on average."""
    if compared.se is None or compared.smallest_detectable is None or not compared.se:
        return ""
    if abs(compared.difference) >= compared.smallest_detectable:
        return ""
    factor = retrodesign(compared.difference, compared.se).exaggeration
    limit = compared.smallest_detectable
    return f"; below what this set resolves (±{limit:.3f}), so likely overstated, about {factor:.1f} times"


def resolution(compared: Comparison, settings: Settings) -> str:
    """Return in brackets what so many items resolve, and how many would resolve the margin; nothing where unknown."""
    if compared.smallest_detectable is None:
        return ""
    needed = compared.items_for_margin
    more = (
        ""
        if needed is None or needed <= compared.items
        else f"; ±{settings.margin:.3f} would take {ceil(needed):,} items"
    )
    return f" (it resolves ±{compared.smallest_detectable:.3f}{more})"


def _unresolved(compared: Comparison, settings: Settings, strategies: int) -> str:
    excludes = compared.interval is not None and (compared.interval.low > 0 or compared.interval.high < 0)
    if excludes and compared.p_holm >= ALPHA:
        return f"not shown once corrected for {strategies} strategies (p = {compared.p_holm:.3f})"
    return f"no difference that this set could show{resolution(compared, settings)}"
