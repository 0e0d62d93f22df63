"""Batches of stored turns in, rows of decisions out; pure."""

from itertools import compress

import pyarrow as pa

from pipelines.resolution.replay.conversation import Conversation, Replay

_KEY = ("environment", "tenant", "event_id")
_SAID = ("environment", "tenant", "conversation_id", "turn_id", "language", "message", "answer")
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
        said = (turns.column(name).to_pylist() for name in _SAID)
        replays = [
            self._conversation_of((environment, tenant, conversation_id)).take(turn_id, *words, language=language)
            for environment, tenant, conversation_id, turn_id, language, *words in zip(*said, strict=True)
        ]
        is_asked = turns.column("is_asked")
        decided = [_row(replay) for replay in compress(replays, is_asked.to_pylist())]
        asked = turns.filter(is_asked)
        keys = [asked.column(name).cast(pa.string()) for name in _KEY]
        columns = zip(*decided, strict=True) if decided else [()] * len(_DECIDED)
        return pa.Table.from_arrays([*keys, *(pa.array(each, pa.string()) for each in columns)], schema=_ROWS)

    def _conversation_of(self, of: tuple[str, str, str]) -> Conversation:
        if of != self._of:
            self._of, self._conversation = of, Conversation()
        return self._conversation


def _row(replay: Replay) -> tuple[str | None, ...]:
    decided, would_be = replay.resolution, replay.would_be
    decision, otherwise = decided.decision.value, would_be.decision.value
    return decision, decided.reason, otherwise, would_be.reason, replay.combined_with, decided.language
