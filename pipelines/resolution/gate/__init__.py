"""The gate: the deterministic decision before a search."""

from pipelines.resolution.gate.decision import Decision, Resolution, Turn
from pipelines.resolution.gate.length import too_short
from pipelines.resolution.gate.message import Limits
from pipelines.resolution.gate.resolve import LOOK_BACK, resolve
from pipelines.resolution.gate.version import GATE_VERSION

__all__ = ["GATE_VERSION", "LOOK_BACK", "Decision", "Limits", "Resolution", "Turn", "resolve", "too_short"]
