"""Make the experiment that was asked for by names: its design, and the doors to the world that it needs."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.datasets.manifest import Threshold
from pipelines.experiments.datasets.run import folder_of, load_usable
from pipelines.experiments.design import Design
from pipelines.experiments.models.run import model_chooser
from pipelines.experiments.retrievers.run import choose_retriever
from pipelines.experiments.run import Doors
from pipelines.experiments.strategies import CONTROL, STRATEGIES, choose, names_recorded
from pipelines.judging.choice.run import choose_judge
from pipelines.judging.verdict import Judge
from pipelines.settings import Settings

#: scored by people's relevance, without a judge
QRELS = "qrels"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked for. Without `specs`, all that costs nothing is compared."""

    dataset: str
    specs: tuple[str, ...] = ()
    control: str = CONTROL
    retriever: str = "bm25"
    judge: str = QRELS
    k: int = 10
    repetitions: int = 1
    at_once: int = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp:
    """An experiment ready to run, and the threshold that its set has."""

    design: Design
    doors: Doors
    threshold: Threshold | None


def set_up(asked: Asked, chosen: Settings, *, environment: Mapping[str, str], warn: Callable[[str], None]) -> SetUp:
    """Return the experiment that was asked for; raises `NightcheckError` for what cannot be meant or used."""
    folder = folder_of(chosen, asked.dataset)
    dataset = load_usable(folder)
    model_of, opened = model_chooser(dataset.items, environment)
    retriever = choose_retriever(
        asked.retriever,
        folder=folder,
        dataset=dataset,
        environment=environment,
        cache=chosen.embeddings,
    )
    judge = (
        None
        if asked.judge == QRELS
        else choose_judge(asked.judge, home=chosen.home, environment=environment, warn=warn)
    )
    specs = asked.specs or default_specs(dataset.items)
    design = Design(
        dataset=dataset.manifest.name,
        dataset_hash=dataset.manifest.content_hash,
        items=dataset.items,
        strategies=tuple(choose(spec, model_of) for spec in dict.fromkeys((asked.control, *specs))),
        control=asked.control,
        retriever=retriever.identity,
        judge=_judge_name(judge),
        k=asked.k,
        repetitions=asked.repetitions,
    )
    doors = Doors(
        retriever_of=retriever.retriever_of,
        clock=time.perf_counter,
        judge=judge,
        at_once=asked.at_once,
        opened=(*opened, *retriever.opened),
    )
    return SetUp(design=design, doors=doors, threshold=dataset.manifest.threshold)


def default_specs(items: tuple[Item, ...]) -> tuple[str, ...]:
    """Return what is compared where nothing was named: all that costs nothing."""
    alone = tuple(name for name, each in STRATEGIES.items() if not each.asks)
    return (*alone, "raw+gated_combine", *(f"rewrite@{name}" for name in names_recorded(items)))


def _judge_name(judge: Judge | None) -> str:
    if judge is None:
        return QRELS
    identity = judge.identity
    return f"{identity.judge} {identity.model} {identity.rubric_version} {identity.prompt_hash[:12]}"
