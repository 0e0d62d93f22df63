"""`nightcheck judge`: the instrument itself."""

import json
import os
from dataclasses import asdict

import click

from pipelines.cli.context import console, settings


@click.group("judge")
def judge() -> None:
    """The judge as an instrument: what its endpoint can do, how noisy it is, whether it has moved."""


@judge.command("probe")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as JSON.")
def probe(*, as_json: bool) -> None:
    r"""Find out what the endpoint of NIGHTCHECK_JUDGE_BASE_URL can do with NIGHTCHECK_JUDGE_MODEL, and remember it.

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
