"""Batches of stored turns in, rows of decisions out; pure."""

from typing import Any

import pyarrow as pa

from pipelines.resolution.replay.conversation import Conversation, Replay

_COLUMNS = (
    "environment",
    "tenant",
    "event_id",
    "decision",
    "reason",
    "would_be",
    "would_be_reason",
    "combined_with",
    "language",
)
_ROWS = pa.schema([(name, pa.string()) for name in _COLUMNS])


class Replayer:
    """Runs the gate over turns that come conversation by conversation, each in order, in batches of any size."""

    def __init__(self) -> None:
        self._of: tuple[str, str, str] | None = None
        self._conversation = Conversation()

    def decide(self, turns: pa.RecordBatch) -> pa.Table:
        """Return a row for each turn that is asked for; the others are what went before them.

        Takes the columns is_asked, environment, tenant, conversation_id, event_id, turn_id, message, answer and
        language; a turn that was reported by several events comes once.
        """
        columns: dict[str, list[str]] = {name: [] for name in _COLUMNS}
        for turn in turns.to_pylist():
            replay = self._take(turn)
            if turn["is_asked"]:
                for name, value in _row(turn, replay).items():
                    columns[name].append(value)
        return pa.Table.from_pydict(columns, schema=_ROWS)

    def _take(self, turn: dict[str, Any]) -> Replay:
        of = (turn["environment"], turn["tenant"], turn["conversation_id"])
        if of != self._of:
            self._of, self._conversation = of, Conversation()
        return self._conversation.take(turn["turn_id"], turn["message"], turn["answer"], language=turn["language"])


def _row(turn: dict[str, Any], replay: Replay) -> dict[str, Any]:
    return {
        "environment": turn["environment"],
        "tenant": turn["tenant"],
        "event_id": turn["event_id"],
        "decision": replay.resolution.decision.value,
        "reason": replay.resolution.reason,
        "would_be": replay.would_be.decision.value,
        "would_be_reason": replay.would_be.reason,
        "combined_with": replay.combined_with,
        "language": replay.resolution.language,
    }
