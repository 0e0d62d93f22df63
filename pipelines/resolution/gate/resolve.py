"""The gate: what to search for a message, decided by its words and the conversation before it, without a model."""

from collections.abc import Sequence
from dataclasses import replace

from pipelines.resolution.gate.decision import Decision, Resolution, Turn
from pipelines.resolution.gate.length import too_short
from pipelines.resolution.gate.reading import read
from pipelines.resolution.gate.rules import RULES, STANDALONE, TOO_SHORT, Limits, Message, opening_of
from pipelines.resolution.language import DEFAULT_LANGUAGE, evident_language
from pipelines.resolution.vocabulary import languages, lexicon_of
from pipelines.resolution.vocabulary.lexicon import tokens_of

_USER = "user"
#: turns that are looked back through for a language when the message itself shows none
LOOK_BACK = 8
_SHIPPED = Limits()
#: the rules unpacked once, not for each message
_ORDER = tuple((rule.needs, rule.holds, rule.decision, rule.name) for rule in RULES)


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
    known = _with_decisions(history, default_language, limits)
    return _resolve(message, known, default_language, limits)


def _with_decisions(history: Sequence[Turn], default_language: str, limits: Limits) -> Sequence[Turn]:
    for turn in history:
        if turn.decision is None and turn.role == _USER:
            break
    else:
        return history
    known: list[Turn] = []
    for turn in history:
        if turn.role == _USER and turn.decision is None:
            decision = _resolve(turn.text, known, default_language, limits).decision
            known.append(replace(turn, decision=decision))
        else:
            known.append(turn)
    return known


def _resolve(text: str, history: Sequence[Turn], default_language: str, limits: Limits) -> Resolution:
    tokens = tokens_of(text)
    language = evident_language(text, tokens) or _conversation_language(history) or default_language
    if limits.skips and too_short(text):
        return Resolution(decision=Decision.SKIP, reason=TOO_SHORT, query=None, combined_with=None, language=language)
    lexicon = lexicon_of(language if language in languages() else DEFAULT_LANGUAGE)
    reading = read(tokens, lexicon)
    before, first = _last_substantive(history)
    message = Message(
        text,
        tokens,
        lexicon,
        reading,
        opening_of(reading.kinds),
        first,
        bool(history) and history[-1].role != _USER and history[-1].text.rstrip().endswith("?"),
        None if before is None else history[before].text,
        limits,
    )
    decision, reason = _decide(message)
    if decision is Decision.FOLLOW_UP and before is not None:
        return Resolution(
            decision=decision,
            reason=reason,
            query=f"{history[before].text} {text}",
            combined_with=before,
            language=language,
        )
    return Resolution(decision=decision, reason=reason, query=text, combined_with=None, language=language)


def _decide(message: Message) -> tuple[Decision, str]:
    some = message.reading.some
    for needs, holds, decision, name in _ORDER:
        if (not needs or some & needs) and holds(message):
            return decision, name
    return Decision.SUBSTANTIVE, STANDALONE


def _last_substantive(history: Sequence[Turn]) -> tuple[int | None, bool]:
    """Return the place of the last substantive message, and whether the visitor has said nothing at all."""
    first = True
    for place in range(len(history) - 1, -1, -1):
        turn = history[place]
        if turn.role == _USER:
            first = False
            if turn.decision is Decision.SUBSTANTIVE:
                return place, False
    return None, first


def _conversation_language(history: Sequence[Turn]) -> str | None:
    for turn in reversed(history[-LOOK_BACK:]):
        language = evident_language(turn.text, tokens_of(turn.text[:1000]))
        if language is not None:
            return language
    return None
