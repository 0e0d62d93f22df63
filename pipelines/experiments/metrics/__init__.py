"""Scores of one item under one strategy: by known relevance and rank, and by a judge."""

from pipelines.experiments.metrics.judged import JUDGED, score_verdict, to_judge
from pipelines.experiments.metrics.ranked import RANKED, score_rankings

__all__ = ["JUDGED", "RANKED", "score_rankings", "score_verdict", "to_judge"]
