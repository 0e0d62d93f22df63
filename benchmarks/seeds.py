"""How often the interval from a sample of real traffic holds what the census of the same traffic says.

    .venv/bin/python -m benchmarks.seeds [--data ../shared/data/mtrag] [--seeds 100]

Retrievals with people's votes; a passage counts where they are unanimous. Each seed draws at several caps per tenant
and night, by the production allocation and hash, and estimates the windows of 28 nights at the start and at the end,
and all nights. Printed: passages judged, and of how many seeds the interval holds the census's rate of the same window.
"""

import argparse
import gzip
import hashlib
import json
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import numpy as np

from pipelines.sampling.allocate import allocate
from pipelines.sampling.rate import CellSums, Rate, estimate, sum_cells

Stratum = tuple[date, str, str]


@dataclass(frozen=True, slots=True)
class Judged:
    """A retrieval with its irrelevant and all its unanimous passages."""

    tenant: str
    retrieval_id: str
    irrelevant: int
    passages: int


def read(folder: Path) -> dict[Stratum, list[Judged]]:
    """Return the retrievals by day, tenant and position."""
    votes: dict[tuple[str, str], list[set[bool]]] = defaultdict(list)
    for line in (folder / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        votes[label["tenant"], label["retrieval_id"]].append(set(label["votes"].values()))
    with gzip.open(folder / "events.jsonl.gz", "rt", encoding="utf-8") as lines:
        events = [json.loads(line) for line in lines]
    index = {e["payload"]["turn_id"]: e["payload"]["turn_index"] for e in events if e["event_type"] == "turn"}
    strata: dict[Stratum, list[Judged]] = defaultdict(list)
    for event in events:
        if event["event_type"] != "retrieval":
            continue
        payload, tenant = event["payload"], event["tenant"]
        is_first = index.get(payload["turn_id"]) == 0
        later = "later_as_typed" if payload["resolution"] == "as_typed" else "combined"
        unanimous = [each for each in votes[tenant, payload["retrieval_id"]] if len(each) == 1]
        judged = Judged(tenant, payload["retrieval_id"], unanimous.count({False}), len(unanimous))
        strata[date.fromisoformat(event["occurred_at"][:10]), tenant, "first" if is_first else later].append(judged)
    return strata


def draw(strata: dict[Stratum, list[Judged]], cap: int, seed: str) -> tuple[list[Stratum], CellSums]:
    """Draw each night; return the cells and their sums."""
    by_night: dict[tuple[date, str], list[Stratum]] = defaultdict(list)
    for stratum in sorted(strata):
        by_night[stratum[:2]].append(stratum)
    cells: list[Stratum] = []
    cell, irrelevant, passages = list[int](), list[int](), list[int]()
    for night in by_night.values():
        for stratum, n in zip(night, allocate([len(strata[each]) for each in night], cap=cap), strict=True):
            key = {
                each: hashlib.sha256(f"{seed}\x1f{each.tenant}\x1f{each.retrieval_id}".encode()).digest()
                for each in strata[stratum]
            }
            for judged in sorted(strata[stratum], key=key.__getitem__)[:n]:
                cell.append(len(cells))
                irrelevant.append(judged.irrelevant)
                passages.append(judged.passages)
            cells.append(stratum)
    frame = np.array([len(strata[each]) for each in cells], dtype=float)
    y, m = np.array(irrelevant, dtype=float), np.array(passages, dtype=float)
    return cells, sum_cells(np.array(cell, dtype=np.int64), y, m, frame=frame)


def window(cells: list[Stratum], sums: CellSums, first: date, last: date) -> Rate:
    """Return the rate of a window of nights."""
    inside = np.array([i for i, (day, _, _) in enumerate(cells) if first <= day <= last], dtype=np.int64)
    return estimate(sums.take(inside), np.zeros(len(inside), dtype=np.int64), count=1).at(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[1] / "../shared/data/mtrag")
    parser.add_argument("--seeds", type=int, default=100)
    options = parser.parse_args()
    strata = read(options.data)
    days = sorted({day for day, _, _ in strata})
    first, last, month = days[0], days[-1], timedelta(days=27)
    windows = {"first 28": (first, first + month), "last 28": (last - month, last), "all": (first, last)}
    for cap in (40, 20, 10):
        for name, (start, end) in windows.items():
            truth = window(*draw(strata, 10**9, "census"), start, end)
            rates = [window(*draw(strata, cap, f"seed-{seed}"), start, end) for seed in range(options.seeds)]
            held = sum((rate.low or 0) <= (truth.rate or 0) <= (rate.high or 1) for rate in rates)
            judged = np.mean([rate.passages for rate in rates])
            print(
                f"cap {cap:3}  {name:9} census {truth.rate:.4f} of {truth.passages:5} passages; "
                f"{judged:6.0f} judged; the interval holds it in {held} of {options.seeds} seeds"
            )


if __name__ == "__main__":
    main()
