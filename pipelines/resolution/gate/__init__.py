"""The gate: the deterministic decision before a search."""

from pipelines.resolution.gate.decision import Decision, Resolution, Turn
from pipelines.resolution.gate.resolve import resolve

__all__ = ["Decision", "Resolution", "Turn", "resolve"]
