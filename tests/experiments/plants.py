"""A small retrieval benchmark about plants, in the format that can be imported."""

import gzip
import json
from pathlib import Path

PLANTS = ("fern", "moss", "ivy", "oak", "elm", "ash", "yew", "hop")


def write_source(folder: Path) -> Path:
    """Write a benchmark of eight conversations of two turns; the second turn needs the first to be found."""
    folder.mkdir()
    turns, qrels, passages = [], {}, []
    for number, plant in enumerate(PLANTS):
        passages += [
            {"_id": f"{plant}-light", "title": "", "text": f"A {plant} wants light in the morning."},
            {"_id": f"{plant}-water", "title": "", "text": f"A {plant} wants water once a week."},
        ]
        first = f"How much light does a {plant} want?"
        second = "And how much water does it want?"
        said = [{"role": "user", "text": first}, {"role": "assistant", "text": "A little."}]
        for turn, message, history, relevant in ((1, first, [], "light"), (2, second, said, "water")):
            task = f"talk{number}<::>{turn}"
            turns.append(
                {
                    "task_id": task,
                    "domain": "plants",
                    "raw": message,
                    "history": history,
                    "label3": "standalone" if turn == 1 else "dependent",
                    "official_rewrite": f"How much {relevant} does a {plant} want?",
                }
            )
            qrels[task] = {f"{plant}-{relevant}": 1}
    (folder / "turns.jsonl").write_text("\n".join(json.dumps(turn) for turn in turns), encoding="utf-8")
    (folder / "qrels.json").write_text(json.dumps({"plants": qrels}), encoding="utf-8")
    packed = gzip.compress("\n".join(json.dumps(passage) for passage in passages).encode())
    (folder / "passages_plants.jsonl.gz").write_bytes(packed)
    return folder
