"""The gate keeps its promise on turns that people labelled; `benchmarks/gate.py` shows the figures."""

import gzip
import json
from pathlib import Path

import pytest

from pipelines.resolution.gate import Decision, Turn, resolve

SHORT = 8


@pytest.mark.parametrize(
    ("name", "recall", "wrong"),
    [("cast2019.jsonl", 0.70, 0.39), ("cast2020.jsonl", 0.69, 0.50), ("ikat2023.jsonl.gz", 0.76, 0.79)],
)
def test_no_less_recall_than_a_plain_baseline_at_half_its_wrong_firings(
    gate_data: Path, name: str, recall: float, wrong: float
) -> None:
    """Recall is of dependent turns under eight words; wrong is firing on a later turn that stands alone."""
    content = (gate_data / name).read_bytes()
    rows = [json.loads(line) for line in (gzip.decompress(content) if name.endswith(".gz") else content).splitlines()]
    fired: dict[str, list[bool]] = {"dependent": [], "standalone": []}

    for row in rows:
        short = len(row["utterance"].split()) < SHORT
        if not row["first_turn"] and (row["label3"] == "standalone" or (row["label3"] == "dependent" and short)):
            history = [Turn(role=said["role"], text=said["text"]) for said in row["history"]]
            fired[row["label3"]].append(resolve(row["utterance"], history).decision is Decision.FOLLOW_UP)

    assert sum(fired["dependent"]) / len(fired["dependent"]) >= recall
    assert sum(fired["standalone"]) / len(fired["standalone"]) <= wrong / 2
