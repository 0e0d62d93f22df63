"""From the options of `nightcheck experiment run` to a design and its doors."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from pipelines.cli.context import console, dataset_folder
from pipelines.experiments.datasets.item import Item
from pipelines.experiments.datasets.manifest import Threshold
from pipelines.experiments.datasets.run import load_usable
from pipelines.experiments.design import Design
from pipelines.experiments.models.run import model_chooser
from pipelines.experiments.retrievers.run import choose_retriever
from pipelines.experiments.run import Doors
from pipelines.experiments.strategies import STRATEGIES, choose, names_recorded
from pipelines.judging.choice.run import choose_judge
from pipelines.judging.verdict import Judge
from pipelines.settings import Settings

#: scored by people's relevance, without a judge
QRELS = "qrels"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was asked for on the command line."""

    dataset: str
    specs: tuple[str, ...]
    control: str
    retriever: str
    judge: str
    k: int
    repetitions: int
    at_once: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetUp:
    """An experiment ready to run, and the threshold that its set has."""

    design: Design
    doors: Doors
    threshold: Threshold | None


def set_up(asked: Asked, chosen: Settings) -> SetUp:
    """Return the experiment that was asked for; raises `NightcheckError` for what cannot be meant or used."""
    folder = dataset_folder(chosen.datasets, asked.dataset)
    dataset = load_usable(folder)
    model_of, opened = model_chooser(dataset.items, os.environ)
    retriever = choose_retriever(
        asked.retriever,
        folder=folder,
        dataset=dataset,
        environment=os.environ,
        cache=chosen.home / "embeddings.bin",
    )
    judge = _judge(asked.judge, chosen.home)
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


def _judge(name: str, home: Path) -> Judge | None:
    if name == QRELS:
        return None
    return choose_judge(name, home=home, environment=os.environ, warn=lambda text: console.print(text, style="yellow"))


def _judge_name(judge: Judge | None) -> str:
    if judge is None:
        return QRELS
    identity = judge.identity
    return f"{identity.judge} {identity.model} {identity.rubric_version} {identity.prompt_hash[:12]}"
