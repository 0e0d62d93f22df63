"""The gate: what to search for a message, decided by its words and the conversation before it, without a model."""

from collections.abc import Sequence
from functools import lru_cache

from pipelines.resolution.gate.decision import Decision, Resolution, Turn
from pipelines.resolution.gate.length import too_short
from pipelines.resolution.gate.message import Limits, Message
from pipelines.resolution.gate.reading import read
from pipelines.resolution.gate.rules import TOO_SHORT, decide
from pipelines.resolution.language import DEFAULT_LANGUAGE, evident_language
from pipelines.resolution.vocabulary import Lexicon, languages, lexicon_of
from pipelines.resolution.vocabulary.lexicon import tokens_of

_USER = "user"
#: turns that are looked back through for a language when the message itself shows none
LOOK_BACK = 8
_SHIPPED = Limits()
# names of the module's own: looking a member up in its class takes longer than comparing with it
_SKIP, _SUBSTANTIVE, _FOLLOW_UP = Decision.SKIP, Decision.SUBSTANTIVE, Decision.FOLLOW_UP


def resolve(
    message: str, history: Sequence[Turn] = (), *, default_language: str = DEFAULT_LANGUAGE, limits: Limits = _SHIPPED
) -> Resolution:
    """Decide what to search for a message. The same input gives the same answer, anywhere.

    Args:
        message: exactly as typed.
        history: the turns before it, oldest first. A visitor's turn without a decision gets the one that this gate
            would have made; keep decisions to spare that work.
        default_language: where neither the message nor the conversation shows its language.
        limits: other limits than the shipped ones, for measuring.
    """
    before: int | None = None
    first = True
    place = len(history)
    while place:
        place -= 1
        turn = history[place]
        if turn.role == _USER:
            first = False
            if turn.decision is _SUBSTANTIVE:
                before = place
                break
            if turn.decision is None:
                before = _last_substantive(history, default_language, limits)
                break
    return _resolve(
        message,
        history,
        place=len(history),
        before=before,
        first=first,
        default_language=default_language,
        limits=limits,
    )


def _last_substantive(history: Sequence[Turn], default_language: str, limits: Limits) -> int | None:
    """Return the place of the last substantive message; the decisions that are missing are made in order."""
    before: int | None = None
    first = True
    for place, turn in enumerate(history):
        if turn.role == _USER:
            decision = turn.decision
            if decision is None:
                decision = _resolve(
                    turn.text,
                    history,
                    place=place,
                    before=before,
                    first=first,
                    default_language=default_language,
                    limits=limits,
                ).decision
            if decision is _SUBSTANTIVE:
                before = place
            first = False
    return before


def _resolve(
    text: str,
    history: Sequence[Turn],
    *,
    place: int,
    before: int | None,
    first: bool,
    default_language: str,
    limits: Limits,
) -> Resolution:
    """Resolve the text as the turn at that place of the history; `before` is the last substantive message's."""
    tokens = tokens_of(text)
    language = evident_language(text, tokens) or _conversation_language(history, place) or default_language
    if limits.skips and too_short(text):
        return Resolution(decision=_SKIP, reason=TOO_SHORT, query=None, combined_with=None, language=language)
    lexicon = _lexicon_for(language)
    earlier = None if before is None else history[before].text
    answered = ""
    if place:
        last = history[place - 1]
        if last.role != _USER:
            answered = last.text
    message = Message(text, tokens, lexicon, read(tokens, lexicon), answered, earlier, limits)
    decision, reason = decide(message, first=first)
    if decision is _FOLLOW_UP and earlier is not None:
        return Resolution(
            decision=decision, reason=reason, query=f"{earlier} {text}", combined_with=before, language=language
        )
    return Resolution(decision=decision, reason=reason, query=text, combined_with=None, language=language)


@lru_cache(maxsize=64)
def _lexicon_for(language: str) -> Lexicon:
    """Return the words of the language, or of the default one where it has none."""
    return lexicon_of(language if language in languages() else DEFAULT_LANGUAGE)


def _conversation_language(history: Sequence[Turn], place: int) -> str | None:
    for turn in reversed(history[max(place - LOOK_BACK, 0) : place]):
        language = evident_language(turn.text, tokens_of(turn.text[:1000]))
        if language is not None:
            return language
    return None
