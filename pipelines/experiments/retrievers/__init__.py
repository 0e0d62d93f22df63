"""Retrievers behind one protocol: a query in, ranked passages out."""

from pipelines.experiments.retrievers.bm25 import Bm25
from pipelines.experiments.retrievers.dense import Dense
from pipelines.experiments.retrievers.fusion import Fused, reciprocal_rank_fusion
from pipelines.experiments.retrievers.query import Keywords, Query, Ranked, Retriever
from pipelines.experiments.retrievers.two_channels import Displacement, TwoChannels, displacement

__all__ = [
    "Bm25",
    "Dense",
    "Displacement",
    "Fused",
    "Keywords",
    "Query",
    "Ranked",
    "Retriever",
    "TwoChannels",
    "displacement",
    "reciprocal_rank_fusion",
]
