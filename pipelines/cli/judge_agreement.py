"""`nightcheck judge agreement`: the judge beside people, and published rates corrected for its errors."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING

import click

from pipelines.cli.context import DAY, days_between, existing, settings, warehouse
from pipelines.cli.counted import counted
from pipelines.errors import NightcheckError, UsageError

if TYPE_CHECKING:
    from pipelines.experiments.agreement import Agreement, CorrectedRate, Graded
    from pipelines.experiments.judged.run import Published


@click.command("agreement")
@click.option("--labels", help="People's votes: a file of JSON lines, as of the labels judge.")
@click.option("--day", type=DAY, help="One day of stored verdicts.")
@click.option("--from", "first", type=DAY, help="The first day of a range.")
@click.option("--to", "last", type=DAY, help="The last day of a range.")
@click.option("--against", type=click.Choice(["need", "query"]), default="need", show_default=True)
@click.option("--csv", "table", help="Instead of stored verdicts: a table with grades of people and of judges.")
@click.option("--people", default="human", show_default=True, help="The table's column of people's grades.")
@click.option("--cluster", default="qid", show_default=True, help="The table's column that is resampled whole.")
@click.option("--cut", type=click.IntRange(1, 3), default=1, show_default=True, help="Relevant from this grade.")
@click.option("--resamples", type=click.IntRange(min=1000), default=10_000, show_default=True)
@click.option("--seed", type=int, default=20261130, show_default=True)
@click.option("--store", is_flag=True, help="Keep the judge's error, to correct the rates of nights made from now on.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line a judge.")
def agreement(
    *,
    labels: str | None,
    day: date | None,
    first: date | None,
    last: date | None,
    against: str,
    table: str | None,
    people: str,
    cluster: str,
    cut: int,
    resamples: int,
    seed: int,
    store: bool,
    as_json: bool,
) -> None:
    """Compare verdicts with people's labels.

    The published irrelevant rate is corrected for the judge's errors.

    Confusion, Cohen's kappa (plain and quadratic), Krippendorff's alpha, Gwet's AC1, sensitivity and specificity for
    irrelevant passages, each with a 95 % interval that resamples whole retrievals.

    With --store, relevance_daily shows the corrected rate beside the raw one for every night that is made again.

    \b
    nightcheck judge agreement --labels votes.jsonl --from 2024-05-01 --to 2024-05-24 --store
    nightcheck judge agreement --csv human_vs_judges.csv --people human --cluster qid --cut 2
    """
    from pipelines.experiments.agreement import agree

    if (table is None) == (labels is None):
        raise UsageError("what to compare", "name either", "Use --labels FILE with days, or --csv FILE")
    ratings: Sequence[Sequence[int | None]] = ()
    rates: Sequence[Published] = ()
    if table is not None:
        graded, ratings = _tabled(table, people, cluster)
    elif labels is not None:
        days = days_between(day, first, last)
        graded, rates = _stored(labels, days[0], days[-1], against, store=store)
    if not graded and table is None:
        raise NightcheckError(
            "agreement",
            f"no passage drawn from {days[0]} to {days[-1]} has both a label of {labels} and a verdict of a judge that "
            "can be compared with people (lexical or openai; verdicts of a labels judge are people's own)",
            f"Run such nights first: nightcheck night --from {days[0]} --to {days[-1]} --judge lexical --sample all",
        )
    if not graded:
        agree([])  # says what is missing
    for name, each in graded.items():
        result = agree(each.pairs, cut=cut, graded=table is not None, seed=seed, resamples=resamples)
        _tell(name, each, result, rates, as_json=as_json)
    if not as_json:
        _tell_together(ratings)


def _tabled(table: str, people: str, cluster: str) -> "tuple[Mapping[str, Graded], Sequence[Sequence[int | None]]]":
    from pipelines.experiments.grade_table import read_table

    with existing(table).open(encoding="utf-8", newline="") as lines:
        read = read_table(lines, table, people=people, cluster=cluster)
    return read.graded, read.ratings


def _tell(name: str, graded: "Graded", found: "Agreement", rates: "Sequence[Published]", *, as_json: bool) -> None:
    from pipelines.experiments.agreement import correct, rate_of_all

    corrected = [
        (rate, correct(rate.rate, (rate.low, rate.high), rate.effective_n, graded.pairs))
        for rate in rates
        if str(rate.instrument) == name
    ]
    whole = rate_of_all(graded)
    if as_json:
        of_all = {"irrelevant_of_all": None if whole is None else asdict(whole)}
        click.echo(json.dumps(_record(name, found, corrected) | of_all))
        return
    _print(name, found, corrected)
    if whole is not None:
        rows = len(graded.pairs) + len(graded.unlabelled)
        click.echo(
            f"  irrelevant among all of {counted(rows, 'row')}, {whole.labelled:,} of them seen by people: "
            f"{whole.rate:.3f} [{whole.low:.3f}, {whole.high:.3f}] (prediction-powered)"
        )
    if graded.off_scale:
        off_scale = counted(graded.off_scale, "grade above the scale was", "grades above the scale were")
        click.echo(f"  {off_scale} taken for its end")


def _tell_together(ratings: Sequence[Sequence[int | None]]) -> None:
    from pipelines.experiments.agreement import among_all

    alpha = among_all(ratings)
    if alpha is not None:
        click.echo(f"All {len(ratings)} raters together, people among them: alpha ordinal {alpha:.3f}")


def _stored(
    labels: str, first: date, last: date, against: str, *, store: bool
) -> "tuple[dict[str, Graded], list[Published]]":
    from pipelines.experiments.agreement import shift_of
    from pipelines.experiments.judged.run import Scope, published, store_error, stored_pairs
    from pipelines.io.clock import now
    from pipelines.judging.labels import LabelsJudge

    chosen = settings()
    with existing(labels).open("rb") as lines:
        known = LabelsJudge.from_lines(lines, labels)
    scope = Scope(first_day=first, last_day=last, environments=chosen.environments, against=against)
    held = warehouse(chosen)
    found = stored_pairs(held, known, scope)
    for instrument, each in found.items() if store else ():
        shift = shift_of(each.pairs)
        if shift is not None:
            hashed = known.identity.prompt_hash
            store_error(held, instrument, shift, against=against, labels_hash=hashed, at=now())
    return {str(instrument): each for instrument, each in found.items()}, published(held, scope)


def _record(name: str, found: "Agreement", corrected: "Sequence[tuple[Published, CorrectedRate]]") -> dict[str, object]:
    days = [
        {
            "day": rate.day.isoformat(),
            "raw": rate.rate,
            "raw_low": rate.low,
            "raw_high": rate.high,
            "corrected": None if each.corrected is None else asdict(each.corrected),
            "rogan_gladen": None if each.cross_check is None else each.cross_check.rate,
        }
        for rate, each in corrected
    ]
    return {"judge": name} | asdict(found) | {"days": days}


def _print(name: str, found: "Agreement", corrected: "Sequence[tuple[Published, CorrectedRate]]") -> None:
    click.echo(f"{name}: {counted(found.labelled, 'labelled passage')} in {counted(found.clusters, 'cluster')}")
    click.echo("  people down, judge across:")
    for grade, row in enumerate(found.confusion):
        if sum(row):
            click.echo(f"    {grade}  " + " ".join(f"{count:6,}" for count in row))
    binary = f"relevant from grade {found.cut}; sensitivity and specificity for what is below"
    for title, estimates in (("grades 0 to 3", found.graded), (binary, found.binary)):
        if estimates:
            click.echo(f"  {title}:")
        for measure, value in estimates.items():
            click.echo(f"    {measure:16} {value.value:6.3f}  [{value.low:.3f}, {value.high:.3f}]")
    click.echo(
        f"  the judge alone says below: {found.strict:,}; people alone: {found.mild:,} (p = {found.p_direction:.4f})"
    )
    for rate, each in corrected:
        click.echo(f"  {rate.day} irrelevant {rate.rate:.3f} [{rate.low:.3f}, {rate.high:.3f}], {_corrected(each)}")


def _corrected(each: "CorrectedRate") -> str:
    if each.corrected is None:
        return "not corrected: labels of one retrieval alone"
    check = "-" if each.cross_check is None else f"{each.cross_check.rate:.3f}"
    few = "; few labels" if each.few_labels else ""
    return (
        f"corrected {each.corrected.rate:.3f} [{each.corrected.low:.3f}, {each.corrected.high:.3f}] "
        f"(Rogan-Gladen {check}{few})"
    )
