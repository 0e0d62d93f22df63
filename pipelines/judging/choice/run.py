"""Makes the judge that a text names, with everything it needs from the outside: files, environment, network, clock."""

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import numpy as np

from pipelines.errors import UsageError
from pipelines.io import judge_files, llm
from pipelines.judging.asking import Endpoint, Manner
from pipelines.judging.budget import FREE, Price, UnpricedModelError, read_prices
from pipelines.judging.capabilities import AnswerForm, Capabilities, assumed
from pipelines.judging.families import family_of
from pipelines.judging.labels import LabelsJudge
from pipelines.judging.lexical import LexicalJudge
from pipelines.judging.openai import OpenAIJudge
from pipelines.judging.rubric import load_rubric
from pipelines.judging.settings import JudgeSettings, concerns, read_settings
from pipelines.judging.verdict import Judge

CHOICES = "lexical (offline, by shared words), openai (a language model), labels:FILE (people's votes)"


def choose_judge(
    text: str,
    *,
    home: Path,
    environment: Mapping[str, str],
    warn: Callable[[str], None],
    spent: Mapping[str, float] | None = None,
) -> Judge:
    """Return the judge that a text names: `lexical`, `openai` or `labels:FILE`.

    `home` is where probes are stored; `warn` is told what a person should hear of; `spent` is what this night has cost
    each tenant so far.

    Raises:
        UsageError: the text names no judge, or a setting is missing, or the model has no price.
        NightcheckError: a file cannot be read.
    """
    kind, _, rest = text.strip().partition(":")
    if kind == "lexical" and not rest:
        return LexicalJudge()
    if kind == "labels" and rest:
        return LabelsJudge.from_lines(judge_files.read_lines(Path(rest)), rest)
    if kind == "openai" and not rest:
        return openai_judge(read_settings(environment), home=home, warn=warn, spent=spent)
    raise UsageError(
        thing=f"judge {text!r}", reason="there is none of that name", next_step=f"Choose one of: {CHOICES}"
    )


def openai_judge(
    settings: JudgeSettings,
    *,
    home: Path,
    warn: Callable[[str], None],
    spent: Mapping[str, float] | None = None,
) -> OpenAIJudge:
    """Return the judge that asks a language model under these settings."""
    for concern in concerns(settings.model, llm.announced_shutdowns()):
        warn(concern)
    return OpenAIJudge(
        connect=connection(settings),
        manner=manner_of(settings, capabilities_of(settings, home=home, warn=warn)),
        limits=settings.limits,
        ceiling=settings.ceiling,
        # The jitter of waiting times is all that is random; it changes no verdict.
        rng=np.random.default_rng(),
        monotonic=time.monotonic,
        sleep=asyncio.sleep,
        spent=spent,
    )


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
