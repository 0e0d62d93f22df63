"""Strategies: ways to turn a conversation into what is searched. A new one is one module and one line here."""

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

from pipelines.errors import UsageError
from pipelines.experiments.fingerprint import fingerprint
from pipelines.experiments.strategies import (
    always_combine,
    gated_combine,
    gated_unskipped,
    hygiene_rewrite,
    hypothetical_answer,
    keywords,
    keywords_appended,
    multi_query,
    previous_answer,
    raw,
    rewrite,
    telegraphic,
    two_call,
    whole_history,
)
from pipelines.experiments.strategies.fused import fuse
from pipelines.experiments.strategies.plan import Ask, Completion, Model, Plan, Prompt, Strategy
from pipelines.experiments.strategies.recorded import Recorded, names_recorded, require_recorded

__all__ = [
    "CONTROL",
    "STRATEGIES",
    "Ask",
    "Completion",
    "Model",
    "Plan",
    "Prompt",
    "Recorded",
    "Strategy",
    "choose",
    "names_recorded",
    "require_recorded",
]

CONTROL = "raw"

STRATEGIES = MappingProxyType(
    {
        each.name: each
        for each in (
            raw.STRATEGY,
            gated_combine.STRATEGY,
            gated_unskipped.STRATEGY,
            always_combine.STRATEGY,
            whole_history.STRATEGY,
            previous_answer.STRATEGY,
            rewrite.STRATEGY,
            hygiene_rewrite.STRATEGY,
            telegraphic.STRATEGY,
            hypothetical_answer.STRATEGY,
            keywords.STRATEGY,
            keywords_appended.STRATEGY,
            two_call.STRATEGY,
            multi_query.STRATEGY,
        )
    }
)

_SHARED = ("pipelines.experiments.strategies.plan", "pipelines.resolution.clean")


def choose(spec: str, model_of: Callable[[str], Model]) -> Strategy:
    """Return the strategy that a line names: `raw`, `rewrite@MODEL`, or several joined by `+`, which are fused.

    `model_of` gives the model called MODEL. Raises `UsageError` for a name that is not known, for a strategy that asks
    a model and is given none, and for one that is given a model and asks none.
    """
    parts = [_one(part.strip(), model_of) for part in spec.split("+")]
    chosen = parts[0] if len(parts) == 1 else fuse(parts)
    models = [each.model.name for each in parts if each.model is not None]
    return replace(chosen, version=fingerprint((*chosen.made_of, *_SHARED), *models))


def _one(part: str, model_of: Callable[[str], Model]) -> Strategy:
    name, _, model_name = part.partition("@")
    strategy = STRATEGIES.get(name)
    if strategy is None:
        raise UsageError(f"strategy {name!r}", "there is none of that name", f"There are: {', '.join(STRATEGIES)}")
    if strategy.asks and not model_name:
        raise UsageError(f"strategy {name}", "it asks a model and none is named", f"Write {name}@MODEL")
    if model_name and not strategy.asks:
        raise UsageError(f"strategy {part}", f"{name} asks no model", f"Write {name}")
    if not model_name:
        return strategy
    return replace(strategy, name=part, model=model_of(model_name))
