"""Short ways to write a conversation."""

from pipelines.resolution.gate import Decision, Resolution, Turn, resolve
from tests.resolution.gate.minimal_pairs import CONVERSATIONS


def said(*texts: str) -> list[Turn]:
    """Return a history in which visitor and assistant take turns, the visitor first."""
    return [Turn(role="assistant" if place % 2 else "user", text=text) for place, text in enumerate(texts)]


def after(message: str, language: str = "en") -> Resolution:
    """Resolve a message after a question about a price and its answer, in the language."""
    return resolve(message, said(*CONVERSATIONS[language]))


def decision_after(message: str, language: str = "en") -> Decision:
    """Return the decision on such a message."""
    return after(message, language).decision
