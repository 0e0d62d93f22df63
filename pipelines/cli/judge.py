"""`nightcheck judge`: the instrument itself."""

import json
import os
from dataclasses import asdict
from datetime import date
from typing import TYPE_CHECKING

import click

from pipelines.cli.context import DAY, console, existing, settings, warehouse
from pipelines.cli.counted import counted
from pipelines.cli.judge_agreement import agreement

if TYPE_CHECKING:
    from pipelines.judging.anchors.run import AnchorNight
    from pipelines.judging.verdict import Judge


@click.group("judge")
def judge() -> None:
    """The judge as an instrument: able, noisy, moved?

    \b
    nightcheck judge probe
    nightcheck judge noise --day 2026-11-29
    nightcheck judge agreement --labels votes.jsonl
    """


judge.add_command(agreement)


@judge.command("probe")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def probe(*, as_json: bool) -> None:
    """Find out what the judge's endpoint can do, and remember it.

    The endpoint is that of NIGHTCHECK_JUDGE_BASE_URL, with NIGHTCHECK_JUDGE_MODEL.

    A dozen small calls. The openai judge then asks in the best way that was found.

    \b
    NIGHTCHECK_JUDGE_BASE_URL=http://127.0.0.1:8000/v1 NIGHTCHECK_JUDGE_MODEL=qwen3-8b nightcheck judge probe
    """
    import asyncio

    from pipelines.io.llm import announced_shutdowns
    from pipelines.judging.endpoint.run import probe_endpoint
    from pipelines.judging.settings import concerns, read_settings

    chosen = read_settings(os.environ)
    for concern in concerns(chosen.model, announced_shutdowns()):
        console.print(concern, markup=False)
    found, stored = asyncio.run(probe_endpoint(chosen, settings().home))
    capabilities = found.capabilities
    if as_json:
        what = {
            "base_url": chosen.base_url,
            "model": chosen.model,
            "form": capabilities.form.value,
            "refused": sorted(capabilities.refused),
            "batches": capabilities.batches,
            "findings": [asdict(finding) for finding in found.findings],
        }
        click.echo(json.dumps(what))
        return
    for finding in found.findings:
        click.echo(f"{'yes' if finding.works else 'no ':3}  {finding.tried:24} {finding.detail}")
    click.echo(f"{chosen.model} at {chosen.base_url} is asked as {capabilities.form.value}")
    console.print(f"Remembered in {stored}", markup=False)


@judge.group("anchors")
def anchors() -> None:
    """Frozen retrievals that tell when the judge moves.

    They are judged anew each night, past the store of verdicts.

    \b
    nightcheck judge anchors import anchors.jsonl
    nightcheck judge anchors judge --day 2026-11-29
    """


@anchors.command("import")
@click.argument("file", type=click.Path())
def import_command(file: str) -> None:
    """Add the retrievals of FILE, one JSON object a line. What is there already stays as it was.

    \b
    nightcheck judge anchors import anchors.jsonl
    """
    from pipelines.io.clock import now
    from pipelines.io.judge_files import read_lines
    from pipelines.judging.anchors.line import read_anchors
    from pipelines.judging.anchors.run import import_anchors

    read = read_anchors(read_lines(existing(file)), file)
    new = import_anchors(warehouse(settings()), read, now())
    click.echo(f"{counted(len(read), 'anchor')} read, {new:,} new")


@anchors.command("judge")
@click.option("--day", type=DAY, required=True, help="The night that this is, as YYYY-MM-DD.")
@click.option("--judge", "name", help="lexical or openai; default NIGHTCHECK_JUDGE.")
@click.option("--again", is_flag=True, help="Also those that have answers for this night, which are replaced.")
@click.option("--json", "as_json", is_flag=True, help="Print the chart after this night as JSON.")
def judge_command(day: date, name: str | None, *, again: bool, as_json: bool) -> None:
    """Judge the anchors for a night, past the store of verdicts.

    Say whether the instrument has moved.

    Those that are answered for this night are left alone. Grades that people gave stand beside the judge's, and
    canaries, which order the judge about, apart. The exit code is 1 when the instrument has moved.

    \b
    nightcheck judge anchors judge --day 2026-11-29
    """
    from pipelines.io.clock import now
    from pipelines.judging.anchors.run import judge_anchors
    from pipelines.night.run import alone

    opened = warehouse(settings())
    with alone(opened, day):
        night = judge_anchors(opened, day, _live_judge(name), now=now, again=again)
    if as_json:
        click.echo(json.dumps(_record(day, night), default=str))
    else:
        _tell(day, night)
    if night.drift is not None and night.drift.instrument_moved:
        raise SystemExit(1)


def _record(day: date, night: "AnchorNight") -> dict[str, object]:
    drift = night.drift
    chart = {"day": day, "share": None, "usual": None, "score": None} if drift is None else asdict(drift)
    rest = {name: what for name, what in asdict(night).items() if name not in {"asked", "drift"}}
    return chart | {"instrument_moved": drift is not None and drift.instrument_moved} | rest


def _tell(day: date, night: "AnchorNight") -> None:
    unanswered = {status: count for status, count in night.statuses.items() if status not in {"judged", "not_needed"}}
    if unanswered:
        click.echo("no answer: " + ", ".join(f"{count:,} {status}" for status, count in unanswered.items()))
    for name, found in night.in_words.items():
        click.echo(f"{name}: {found}")
    drift = night.drift
    if drift is None:
        click.echo("no earlier verdict on any anchor to compare with")
        return
    chance = "still learning what is usual" if drift.usual is None else f"usual is {drift.usual:.1%}"
    score = "" if drift.score is None else f", score {drift.score:.2f} of 180"
    click.echo(f"{day}: {drift.share:.1%} of the frozen grades moved ({chance}{score})")
    click.echo("THE INSTRUMENT HAS MOVED" if drift.instrument_moved else "the instrument has not moved")


@judge.command("noise")
@click.option("--day", type=DAY, required=True, help="The day whose sample is judged again, as YYYY-MM-DD.")
@click.option("--judge", "name", help="lexical or openai; default NIGHTCHECK_JUDGE.")
@click.option("--json", "as_json", is_flag=True, help="Print what moved as JSON lines, one an environment and rate.")
def noise(day: date, name: str | None, *, as_json: bool) -> None:
    """Judge a day's sample again, for the noise floor.

    That is how far the rate moves, past the store of verdicts.

    \b
    nightcheck judge noise --day 2026-11-29
    """
    from pipelines.io.clock import now
    from pipelines.judging.noise.run import measure_noise

    try:
        floors = measure_noise(warehouse(settings()), day, _live_judge(name), now=now)
    except KeyboardInterrupt as stopped:
        lost = "What it has cost is in the ledger; noise is measured in one go, so the next run asks for all of it"
        raise click.exceptions.Abort(lost) from stopped
    for environment, of_environment in floors.items():
        for floor in of_environment:
            if as_json:
                where = {"environment": environment, "difference": floor.difference}
                click.echo(json.dumps(asdict(floor) | where))
                continue
            moved = "" if floor.difference is None else f"; the rate moved by {floor.difference:+.4f}"
            error = "" if floor.standard_error is None else f" (standard error {floor.standard_error:.4f})"
            click.echo(
                f"{day}, {environment}, {floor.measure}: {floor.compared:,} of {floor.passages:,} passages have grades "
                f"both times, {floor.moved:,} another one{moved}{error}"
            )


def _live_judge(name: str | None) -> "Judge":
    """Return a judge that asks anew."""
    from pipelines.judging.choice.run import choose_judge

    chosen = settings()
    return choose_judge(
        name or chosen.judge,
        home=chosen.home,
        environment=os.environ,
        warn=lambda text: console.print(text, markup=False),
        anew=True,
    )
