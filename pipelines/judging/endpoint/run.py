"""Makes the judge that asks a language model, and probes its endpoint; network, files and clock come in here."""

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import partial
from pathlib import Path

import numpy as np

from pipelines.io import judge_files, llm
from pipelines.io.clock import now
from pipelines.judging.asking import Endpoint, Manner
from pipelines.judging.batch import Batches
from pipelines.judging.budget import FREE, Price, UnpricedModelError, read_prices
from pipelines.judging.capabilities import AnswerForm, Capabilities, assumed
from pipelines.judging.families import family_of
from pipelines.judging.openai import OpenAIJudge
from pipelines.judging.probe import Probe, probe
from pipelines.judging.rubric import load_rubric
from pipelines.judging.settings import JudgeSettings, Mode, concerns

#: in mode `auto`, fewer calls than this are not worth the wait
_WORTH_A_BATCH = 100


def openai_judge(
    settings: JudgeSettings,
    *,
    home: Path,
    warn: Callable[[str], None],
) -> OpenAIJudge:
    """Return the judge that asks a language model under these settings."""
    for concern in concerns(settings.model, llm.announced_shutdowns()):
        warn(concern)
    capabilities = capabilities_of(settings, home=home, warn=warn)
    return OpenAIJudge(
        connect=connection(settings),
        manner=manner_of(settings, capabilities),
        batches=_batches(settings, capabilities, home=home, warn=warn),
        answers_of=partial(judge_files.AnswerJournal, home),
        limits=settings.limits,
        ceiling=settings.ceiling,
        # The jitter of waiting times is all that is random; it changes no verdict.
        rng=np.random.default_rng(),
        monotonic=time.monotonic,
        sleep=asyncio.sleep,
    )


def _batches(
    settings: JudgeSettings, capabilities: Capabilities, *, home: Path, warn: Callable[[str], None]
) -> Batches | None:
    """Return what batches need, or None where all is to be asked live."""
    if settings.mode is Mode.LIVE:
        return None
    if not capabilities.batches:
        if settings.mode is Mode.BATCH:
            warn(f"{settings.base_url} is not known to have batches, so all is asked live; probe it to find out")
        return None
    return Batches(
        journal=judge_files.BatchJournal(home),
        now=now,
        patience=settings.batch_hours * 3600,
        from_calls=_WORTH_A_BATCH if settings.mode is Mode.AUTO else 1,
    )


async def probe_endpoint(settings: JudgeSettings, home: Path) -> tuple[Probe, Path]:
    """Find out what the endpoint can do with the model and store it; return that, and the file it is stored in.

    Raises:
        EndpointRefusesError: the key, the address or the model is wrong.
        ProbeFailedError: the endpoint does not answer.
    """
    async with connection(settings)() as endpoint:
        found = await probe(
            endpoint,
            model=settings.model,
            family=family_of(settings.model),
            effort=settings.effort,
            output_limit=settings.output_limit,
        )
    stored = judge_files.StoredProbe(
        form=found.capabilities.form.value,
        refused=tuple(sorted(found.capabilities.refused)),
        batches=found.capabilities.batches,
        probed_at=now().isoformat(timespec="seconds"),
    )
    return found, judge_files.write_capabilities(home, settings.base_url, settings.model, stored)


def connection(settings: JudgeSettings) -> Callable[[], AbstractAsyncContextManager[Endpoint]]:
    """Return what opens a connection to the endpoint."""
    return lambda: llm.ChatEndpoint(
        base_url=settings.base_url, api_key=settings.api_key or "none", timeout=settings.timeout
    )


def manner_of(settings: JudgeSettings, capabilities: Capabilities) -> Manner:
    """Return how the model is asked."""
    return Manner(
        model=settings.model,
        family=family_of(settings.model),
        capabilities=capabilities,
        rubric=load_rubric(),
        effort=settings.effort,
        output_limit=settings.output_limit,
        price=_price(settings),
    )


def capabilities_of(settings: JudgeSettings, *, home: Path, warn: Callable[[str], None]) -> Capabilities:
    """Return what the endpoint was found to be able to do, or, where it was never probed, what can be counted on."""
    stored = judge_files.read_capabilities(home, settings.base_url, settings.model)
    if stored is not None:
        return Capabilities(form=AnswerForm(stored.form), refused=frozenset(stored.refused), batches=stored.batches)
    if not settings.official:
        warn(
            f"{settings.base_url} was never probed, so answers are asked for in plain text; "
            "`nightcheck judge probe` finds a better way"
        )
    return assumed(family_of(settings.model), official=settings.official)


def _price(settings: JudgeSettings) -> Price:
    prices: dict[str, Price] = {}
    if settings.prices_file is not None:
        prices = read_prices(judge_files.read_bytes(Path(settings.prices_file)), settings.prices_file)
    price = prices.get(settings.model, FREE if settings.on_this_machine else None)
    if price is None:
        raise UnpricedModelError(settings.model)
    return price
