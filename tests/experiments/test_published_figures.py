"""On public data the whole path lands where others landed."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from pipelines.experiments.datasets.run import import_retrieval, load_passages, load_usable
from pipelines.experiments.metrics import score_rankings
from pipelines.experiments.retrievers import Bm25
from pipelines.experiments.strategies import Ask, Recorded, choose

#: R@5 and nDCG@5 of a plain BM25 over the same tasks, as published with the data
PUBLISHED = {"raw": (0.197, 0.173), "rewrite@official_rewrite": (0.230, 0.203)}


@pytest.mark.integration
def test_bm25_lands_where_it_was_published(shared_data: Path, tmp_path: Path) -> None:
    """Raw and rewritten queries over 22,614 passages: within 0.02 of the published figures."""
    dataset = import_retrieval(shared_data / "retrieval", tmp_path / "set", now=datetime(2026, 11, 30, tzinfo=UTC))
    assert load_usable(tmp_path / "set") == dataset
    retrievers = {
        tenant: Bm25(load_passages(tmp_path / "set", dataset, tenant)) for tenant in dataset.manifest.collections
    }
    qrels = {item.item_id: item.qrels or {} for item in dataset.items}

    async def rankings(spec: str) -> dict[str, list[str]]:
        strategy = choose(spec, lambda name: Recorded([name]))
        found = {}
        for item in dataset.items:
            plan = await strategy.resolve(item, Ask(model=strategy.model, item=item))
            (query,) = plan.queries
            found[item.item_id] = [each.passage_id for each in await retrievers[item.tenant].search(query, 5)]
        return found

    assert len(dataset.items) == 429
    for spec, (recall, gain) in PUBLISHED.items():
        scores = score_rankings(asyncio.run(rankings(spec)), qrels, measures=("R@5", "nDCG@5"))
        assert len(scores) == 396
        assert np.mean([each["R@5"] or 0.0 for each in scores.values()]) == pytest.approx(recall, abs=0.02)
        assert np.mean([each["nDCG@5"] or 0.0 for each in scores.values()]) == pytest.approx(gain, abs=0.02)
