"""A conversation as the gate sees it, turn after turn, without keeping all of it; pure."""

from dataclasses import dataclass

from pipelines.resolution.gate import LOOK_BACK, Decision, Limits, Resolution, Turn, resolve
from pipelines.resolution.language import DEFAULT_LANGUAGE

_UNSKIPPED = Limits(skips=False)
#: earlier words are forgotten when there are more of them than this
_MANY = 4 * LOOK_BACK


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What the gate decides for one turn.

    `would_be` is the same without the ten-character skip. `combined_with` is the id of the earlier turn that the query
    begins with, or None.
    """

    resolution: Resolution
    would_be: Resolution
    combined_with: str | None


class Conversation:
    """The turns of one conversation, oldest first.

    Kept are the last substantive message and the last words, with their decisions; the gate decides by them as it would
    by all, and a turn costs the same however many there were.
    """

    def __init__(self) -> None:
        self._history: list[Turn] = []
        self._turn_ids: list[str] = []

    def take(self, turn_id: str, message: str, answer: str | None, *, language: str | None) -> Replay:
        """Decide the next turn and remember it with its answer.

        `language` is the one that the turn states; it decides where neither the message nor the conversation shows one.
        """
        stated = (language or DEFAULT_LANGUAGE).partition("-")[0].lower()
        resolution = would_be = resolve(message, self._history, default_language=stated)
        if resolution.decision is Decision.SKIP:
            would_be = resolve(message, self._history, default_language=stated, limits=_UNSKIPPED)
        before = resolution.combined_with
        combined_with = None if before is None else self._turn_ids[before]
        self._remember(turn_id, Turn(role="user", text=message, decision=resolution.decision))
        if answer:
            self._remember(turn_id, Turn(role="assistant", text=answer))
        return Replay(resolution=resolution, would_be=would_be, combined_with=combined_with)

    def _remember(self, turn_id: str, turn: Turn) -> None:
        self._history.append(turn)
        self._turn_ids.append(turn_id)
        if len(self._history) <= _MANY:
            return
        old = range(len(self._history) - LOOK_BACK)
        substantive = [place for place in old if self._history[place].decision is Decision.SUBSTANTIVE]
        kept = [*substantive[-1:], *range(len(self._history) - LOOK_BACK, len(self._history))]
        self._history = [self._history[place] for place in kept]
        self._turn_ids = [self._turn_ids[place] for place in kept]
