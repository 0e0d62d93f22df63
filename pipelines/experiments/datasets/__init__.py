"""Labelled sets of turns: a folder of items and a manifest, drawn from real traffic without personal data."""

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.datasets.manifest import Manifest, Provenance, Split, Threshold

__all__ = ["Item", "Manifest", "Provenance", "Split", "Threshold"]
