"""What the lexical judge is worth: its agreement with people on the MTRAG passages, and its speed.

    .venv/bin/python -m benchmarks.lexical_judge [--data ../shared/data/mtrag] [--choose]

Agreement is Cohen's kappa on "irrelevant" (grade 0 against people's unanimous "no"), with a 95 % interval from a
bootstrap that resamples whole conversations. The thresholds were chosen on one half of the conversations (`--choose`
prints that search); the table is of the other half. In this data set the rewritten queries were written by the people
who then judged the passages, so the resolution of a query alone nearly tells its label: the last rows show what is
left within each resolution, and what resolution alone would score.
"""

import argparse
import asyncio
import gzip
import hashlib
import json
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipelines.judging.lexical import NEED_THRESHOLDS, QUERY_THRESHOLDS, LexicalJudge
from pipelines.judging.verdict import PassageToJudge, RetrievalToJudge, Utterance

RESAMPLES = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    conversation: str
    resolution: str
    relevant: bool
    query_score: float
    need_score: float

    @property
    def held_out(self) -> bool:
        return hashlib.sha256(self.conversation.encode()).digest()[0] % 2 == 1


def read_retrievals(folder: Path) -> list[tuple[RetrievalToJudge, str, str]]:
    """Return each retrieval with its conversation and resolution."""
    with gzip.open(folder / "events.jsonl.gz") as lines:
        events = [json.loads(line) for line in lines]
    conversations: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        if event["event_type"] == "turn":
            conversations[event["conversation_id"]].append(event["payload"])
    retrievals = []
    for event in events:
        if event["event_type"] != "retrieval" or not event["payload"].get("passages"):
            continue
        payload = event["payload"]
        turns = sorted(conversations[event["conversation_id"]], key=lambda turn: int(turn["turn_index"]))
        this = next(turn for turn in turns if turn["turn_id"] == payload["turn_id"])
        said = [
            Utterance(role=role, text=text)
            for turn in turns
            if turn["turn_index"] < this["turn_index"]
            for role, text in (("visitor", turn["message"]), ("assistant", turn.get("answer") or ""))
        ]
        passages = tuple(
            PassageToJudge(
                rank=p["rank"], passage_id=p["passage_id"], kind=p["kind"], text=p["text"], title=p.get("title")
            )
            for p in payload["passages"]
        )
        retrieval = RetrievalToJudge(
            tenant=event["tenant"],
            retrieval_id=payload["retrieval_id"],
            searched_query=payload["searched_query"],
            message=this["message"],
            conversation=tuple(said),
            passages=passages,
        )
        retrievals.append((retrieval, event["conversation_id"], payload["resolution"]))
    return retrievals


def read_items(folder: Path) -> list[Item]:
    votes = {}
    for line in (folder / "labels.jsonl").read_text().splitlines():
        label = json.loads(line)
        votes[label["tenant"], label["retrieval_id"], label["passage_id"]] = set(label["votes"].values())
    judge = LexicalJudge()
    items = []
    for retrieval, conversation, resolution in read_retrievals(folder):
        wanted = judge.wanted(retrieval)
        for passage in retrieval.passages:
            said = votes.get((retrieval.tenant, retrieval.retrieval_id, passage.passage_id), set())
            if len(said) == 1:
                scores = judge.scores(passage, wanted)
                items.append(
                    Item(
                        conversation=conversation,
                        resolution=resolution,
                        relevant=said == {True},
                        query_score=scores[0],
                        need_score=scores[1],
                    )
                )
    return items


def kappa(predicted: np.ndarray, truth: np.ndarray) -> float:
    agreed = float((predicted == truth).mean())
    chance = float(predicted.mean() * truth.mean() + (1 - predicted.mean()) * (1 - truth.mean()))
    return (agreed - chance) / (1 - chance) if chance < 1 else 0.0


def interval(items: Sequence[Item], says: Callable[[Item], bool]) -> tuple[float, float, float]:
    """Return kappa and its percentile interval over resampled conversations."""
    predicted = np.array([says(item) for item in items])
    truth = np.array([item.relevant for item in items])
    members: dict[str, list[int]] = defaultdict(list)
    for index, item in enumerate(items):
        members[item.conversation].append(index)
    clusters = [np.array(indices) for _, indices in sorted(members.items())]
    rng = np.random.default_rng(20261130)
    draws = []
    for _ in range(RESAMPLES):
        chosen = np.concatenate([clusters[i] for i in rng.integers(len(clusters), size=len(clusters))])
        draws.append(kappa(predicted[chosen], truth[chosen]))
    low, high = np.quantile(draws, [0.025, 0.975])
    return kappa(predicted, truth), float(low), float(high)


def choose(items: Sequence[Item]) -> None:
    """Print the first threshold that agrees best on the chosen half, for each of the two scores."""
    half = [item for item in items if not item.held_out]
    truth = np.array([item.relevant for item in half])
    for name in ("query_score", "need_score"):
        scores = np.array([getattr(item, name) for item in half])
        grid = np.arange(0.05, 1.5, 0.05)
        best = max(grid, key=lambda threshold: kappa(scores >= threshold, truth))
        quantiles = np.quantile(scores, [0.1, 0.25, 0.5, 0.75, 0.9]).round(2)
        print(f"{name}: best first threshold {best:.2f}; deciles of the scores {quantiles}")
        for threshold in grid[3:20]:
            groups = {r: [i.resolution == r for i in half] for r in ("as_typed", "combined", "rewritten")}
            within = [kappa(scores[mask] >= threshold, truth[mask]) for mask in map(np.array, groups.values())]
            print(f"   {threshold:.2f} all {kappa(scores >= threshold, truth):.3f} within", np.round(within, 2))


def report(items: Sequence[Item]) -> None:
    held_out = [item for item in items if item.held_out]
    rows: list[tuple[str, Sequence[Item], Callable[[Item], bool]]] = [
        ("searched query", held_out, lambda item: item.query_score >= QUERY_THRESHOLDS[0]),
        ("need", held_out, lambda item: item.need_score >= NEED_THRESHOLDS[0]),
        ("resolution alone (control)", held_out, lambda item: item.resolution != "combined"),
    ]
    for resolution in ("as_typed", "combined", "rewritten"):
        within = [item for item in held_out if item.resolution == resolution]
        rows.append((f"searched query, {resolution}", within, rows[0][2]))
        rows.append((f"need, {resolution}", within, rows[1][2]))
    print(f"{'judged against':28} {'n':>5} {'irrelevant: people':>18} {'judge':>6} {'agree':>6}  kappa [95 %]")
    for name, group, says in rows:
        value, low, high = interval(group, says)
        people = np.mean([not item.relevant for item in group])
        judge = np.mean([not says(item) for item in group])
        agree = np.mean([says(item) == item.relevant for item in group])
        print(f"{name:28} {len(group):5} {people:18.3f} {judge:6.3f} {agree:6.3f}  {value:.2f} [{low:.2f}, {high:.2f}]")


def speed(folder: Path) -> None:
    retrievals = [retrieval for retrieval, _, _ in read_retrievals(folder)] * 10

    async def run() -> int:
        return sum([len(verdict.passages) async for verdict in LexicalJudge().judge(retrievals)])

    started = time.perf_counter()
    passages = asyncio.run(run())
    seconds = time.perf_counter() - started
    length = np.mean([len(p.text or "") for r in retrievals for p in r.passages])
    print(f"{passages:,} passages of {length:,.0f} characters in {seconds:.2f} s: {passages / seconds:,.0f} passages/s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[1] / "../shared/data/mtrag")
    parser.add_argument("--choose", action="store_true")
    arguments = parser.parse_args()
    items = read_items(arguments.data)
    if arguments.choose:
        choose(items)
    report(items)
    speed(arguments.data)


if __name__ == "__main__":
    main()
