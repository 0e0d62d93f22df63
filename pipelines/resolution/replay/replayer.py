"""Batches of stored turns in, rows of decisions out; pure."""

from typing import Any

import pyarrow as pa

from pipelines.resolution.replay.conversation import Conversation, Replay

_KEY = ("environment", "tenant", "event_id")
_DECIDED = ("decision", "reason", "would_be", "would_be_reason", "combined_with", "language")
_ROWS = pa.schema([(name, pa.string()) for name in (*_KEY, *_DECIDED)])


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
        replays = [(turn["is_asked"], self._take(turn)) for turn in turns.to_pylist()]
        decided = [_row(replay) for is_asked, replay in replays if is_asked]
        asked = turns.filter(turns.column("is_asked"))
        keys = [asked.column(name).cast(pa.string()) for name in _KEY]
        columns = zip(*decided, strict=True) if decided else [()] * len(_DECIDED)
        return pa.Table.from_arrays([*keys, *(pa.array(each, pa.string()) for each in columns)], schema=_ROWS)

    def _take(self, turn: dict[str, Any]) -> Replay:
        of = (turn["environment"], turn["tenant"], turn["conversation_id"])
        if of != self._of:
            self._of, self._conversation = of, Conversation()
        return self._conversation.take(turn["turn_id"], turn["message"], turn["answer"], language=turn["language"])


def _row(replay: Replay) -> tuple[str | None, ...]:
    decided, would_be = replay.resolution, replay.would_be
    decision, otherwise = decided.decision.value, would_be.decision.value
    return decision, decided.reason, otherwise, would_be.reason, replay.combined_with, decided.language
