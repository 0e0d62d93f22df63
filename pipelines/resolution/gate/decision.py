"""What the gate is asked and what it answers."""

from dataclasses import dataclass
from enum import StrEnum

import msgspec


class Decision(StrEnum):
    """What to do with a message before a search."""

    #: shorter than ten characters: no search, whatever else may be true of it
    SKIP = "skip"
    #: searched exactly as typed
    SUBSTANTIVE = "substantive"
    #: searched after the last substantive message
    FOLLOW_UP = "follow_up"
    #: rejects what was offered: never combined
    CORRECTION = "correction"
    #: asks for nothing that a search could find
    NO_NEED = "no_need"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One side's words earlier in the conversation, with the gate's decision where it is a visitor's and was kept."""

    role: str  # "user" or "assistant"
    text: str
    decision: Decision | None = None


class Resolution(msgspec.Struct, frozen=True, kw_only=True):
    """The gate's answer.

    `reason` is the name of the rule that decided. `query` is what to search: None when skipped, the message byte for
    byte when nothing was combined, else the earlier message, one space, and the message. `combined_with` is the index
    of that earlier message in the history, or None. A Struct, since a frozen dataclass takes six times as long to make.
    """

    decision: Decision
    reason: str
    query: str | None
    combined_with: int | None
    language: str
