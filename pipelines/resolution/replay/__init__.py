"""The gate run over stored turns: what it would have decided, had it been asked."""

from pipelines.resolution.replay.conversation import Conversation
from pipelines.resolution.replay.replayer import Replayer

__all__ = ["Conversation", "Replayer"]
