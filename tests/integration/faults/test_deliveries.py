"""Deliveries that come twice, in another order, interleaved and cut: the result is that of one calm delivery."""

import random
from pathlib import Path

import pytest

from pipelines.ingest.run import ingest
from pipelines.io.clock import now
from pipelines.io.files import FileSource
from pipelines.io.spool import SpoolSource, SpoolWriter
from pipelines.io.warehouse import Warehouse
from schemas.sources import BatchLimits
from tests.integration.faults.small_disk import SmallDisk
from tests.streaming.laws import assert_laws, undisturbed
from tests.streaming.traffic import records

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("seed", range(6))
def test_duplicated_reordered_and_interleaved(warehouse: Warehouse, tmp_path: Path, seed: int) -> None:
    """Each event comes one to three times, at any place, from several files."""
    rng = random.Random(seed)
    sent = records(400, seed=seed)
    delivered = [record for record in sent for _ in range(rng.choice([1, 1, 2, 3]))]
    rng.shuffle(delivered)
    files = []
    for number in range(4):
        files.append(tmp_path / f"{number}.jsonl")
        files[-1].write_bytes(b"\n".join(delivered[number::4]))

    for file in files:
        ingest(FileSource([file]), warehouse, now=now, limits=BatchLimits(rows=rng.choice([1000, 37, 120])))

    assert_laws(warehouse, undisturbed(tmp_path / "calm", sent), stored=400)


def test_a_full_disk_under_the_spool(warehouse: Warehouse, tmp_path: Path, small_disk: SmallDisk) -> None:
    """What was acknowledged is there once; what was refused left no trace and can be sent again."""
    sent = records(24_000)
    batches = [sent[start : start + 100] for start in range(0, len(sent), 100)]
    taken: list[bytes] = []
    refused = 0
    with SpoolWriter(small_disk.folder / "spool", segment_bytes=1_000_000) as writer:
        for batch in batches:
            try:
                writer.append(batch)
            except OSError:
                refused += 1
            else:
                taken += batch
        small_disk.grow("64m")
        there = set(taken)
        again = [record for record in sent if record not in there][:200]
        writer.append(again)

    counts = ingest(SpoolSource(small_disk.folder / "spool"), warehouse, now=now)

    assert refused > 0
    assert counts.quarantined == 0
    assert_laws(warehouse, undisturbed(tmp_path / "calm", taken + again), stored=len(taken) + 200)
