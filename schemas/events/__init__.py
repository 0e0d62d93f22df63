"""The wire: one event type per module, a closed union of them, an envelope. The contract's version is 1.

An event type is added by a module here and its name in the union; the type checker then points at the one other
place that must know it.
"""

from schemas.events.conversion import Conversion
from schemas.events.envelope import Envelope
from schemas.events.exposure import Exposure
from schemas.events.interaction import Interaction
from schemas.events.model_call import ModelCall
from schemas.events.page_view import PageView
from schemas.events.retrieval import REDACTED, Passage, Retrieval
from schemas.events.turn import Turn

Event = Turn | Retrieval | ModelCall | PageView | Interaction | Conversion | Exposure

SCHEMA_VERSION = 1

__all__ = [
    "REDACTED",
    "SCHEMA_VERSION",
    "Conversion",
    "Envelope",
    "Event",
    "Exposure",
    "Interaction",
    "ModelCall",
    "PageView",
    "Passage",
    "Retrieval",
    "Turn",
]
