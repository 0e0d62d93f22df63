"""The rules of the gate, in order. The first that holds decides, and its name is the reason that the decision carries.

A rule sees one message as it was read and what the conversation was before it. The words are in the vocabulary files.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pipelines.resolution.gate.decision import Decision
from pipelines.resolution.gate.reading import Reading
from pipelines.resolution.gate.typed import is_address, is_identifier, is_nonsense
from pipelines.resolution.vocabulary import Lexicon
from pipelines.resolution.vocabulary.lexicon import Kind

# plain integers: an IntFlag takes many times as long to combine
_CORRECTION, _REPAIR, _NOD, _CHOICE = int(Kind.CORRECTION), int(Kind.REPAIR), int(Kind.NOD), int(Kind.CHOICE)
_FRAME, _CONNECTIVE, _COMPARISON, _JOINING = int(Kind.FRAME), int(Kind.CONNECTIVE), int(Kind.COMPARISON), int(Kind.JOINING)
_REFERENCE, _EDGE, _COMPANY, _CLAUSE = int(Kind.REFERENCE), int(Kind.EDGE_REFERENCE), int(Kind.COMPANY), int(Kind.CLAUSE)
_GENERIC, _ASKING, _FILLER, _COURTESY = int(Kind.GENERIC), int(Kind.ASKING), int(Kind.FILLER), int(Kind.COURTESY)
_MARK = int(Kind.MARK)
_DEFINITE, _GRADING, _TWO_PLACE = int(Kind.DEFINITE), int(Kind.GRADING), int(Kind.TWO_PLACE)
_PREPOSITION = int(Kind.PREPOSITION)
_OPENING = _NOD | _FILLER | _COURTESY | _MARK
_CLOSING = _FILLER | _COURTESY | _MARK
_BOUNDARY = _MARK | _CLAUSE


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """From how many topic words on a message is searched as typed although it points back, rule by rule.

    Words of their own make a message searchable, and a wrong combination costs more than a missed one.
    """

    choice: int = 99
    frame: int = 99
    reference: int = 99
    connective: int = 2
    answer: int = 4
    definite: int = 2
    open_set: int = 2
    two_place: int = 3


@dataclass(slots=True)
class Message:
    """A message and what the rules may know of its conversation. Not frozen, for speed; no rule changes it."""

    text: str
    tokens: list[str]
    lexicon: Lexicon
    reading: Reading
    #: how many of the first kinds only open the message ("ok, thanks. …")
    opening: int
    first: bool
    asked: bool
    #: whether all that the conversation is about is the company, which a search knows already
    about_company: bool
    limits: Limits


def _is_farewell(message: Message) -> bool:
    """Nothing but thanks, greetings and farewells."""
    return bool(message.reading.some & _COURTESY) and all(kind & _CLOSING for kind in message.reading.kinds)


def _is_correction(message: Message) -> bool:
    """A narrative that rejects what was offered."""
    return bool(message.reading.some & _CORRECTION)


def _is_repair(message: Message) -> bool:
    """Says again what was meant: "no, I meant …"."""
    if not message.reading.some & _REPAIR:
        return False
    for kind in message.reading.kinds:
        if kind & _REPAIR:
            return True
        if not kind & (_OPENING | _CONNECTIVE):
            return False
    return False


def _is_nod(message: Message) -> bool:
    """Yes, no, go on, good: every word agrees, declines or comments."""
    return message.opening == len(message.reading.kinds)


def _is_choice(message: Message) -> bool:
    """Picks one of what was offered, or asks about it."""
    return bool(message.reading.some & _CHOICE) and message.reading.topics < message.limits.choice


def _is_frame(message: Message) -> bool:
    """ "What about …": the question is the one before."""
    kinds = message.reading.kinds
    return (
        bool(message.reading.some & _FRAME)
        and message.reading.topics < message.limits.frame
        and any(kind & _FRAME and (not place or kinds[place - 1] & (_OPENING | _CONNECTIVE)) for place, kind in enumerate(kinds))
    )


def _is_reference(message: Message) -> bool:
    """A pronoun or demonstrative for which the message itself names nothing in an earlier clause."""
    reading = message.reading
    if not reading.some & (_REFERENCE | _EDGE) or reading.topics >= message.limits.reference or message.about_company:
        return False
    kinds = reading.kinds
    named = naming = False
    last = len(kinds) - 1
    for place, kind in enumerate(kinds):
        if kind & _BOUNDARY:
            named = named or naming
            naming = False
        if not named and (kind & _REFERENCE or (kind & _EDGE and (not place or place == last or (kinds[place - 1] | kinds[place + 1]) & _MARK))):
            return True
        if not kind:
            naming = True
    return False


def _has_no_topic(message: Message) -> bool:
    """Not one word says what the message is about, nor does it name the company."""
    return not message.reading.topics and not message.reading.some & _COMPANY


def _is_open_comparison(message: Message) -> bool:
    """Compares one thing, and the other is not said."""
    if not message.reading.some & _COMPARISON:
        return False
    words = [kind for kind in message.reading.kinds if not kind & _MARK]
    return bool(words[-1] & _COMPARISON) and not any(kind & _JOINING for kind in words)


def _names_a_name(message: Message) -> bool:
    """Say whether a capital or a digit after the first letter shows that something is called by its name."""
    rest = message.text.lstrip()[1:]
    return not rest.islower() or any(map(str.isdigit, rest))


def _is_definite(message: Message) -> bool:
    """ "The test": an article singles out what only the conversation has named."""
    reading = message.reading
    if not reading.some & _DEFINITE or not 0 < reading.topics <= message.limits.definite or reading.some & _COMPANY:
        return False
    kinds = reading.kinds
    topic = kinds.index(0)
    before = topic - 1
    if before > 0 and kinds[before] & _GENERIC and not kinds[before] & (_DEFINITE | _PREPOSITION | _CLAUSE):
        before -= 1
    if before < 0 or not kinds[before] & _DEFINITE:
        return False
    if any(kind & _PREPOSITION for kind in kinds[topic:-2]):
        return False
    return not _names_a_name(message)


def _is_open_set(message: Message) -> bool:
    """ "Any festivals?", "the main layers": chooses from a set that is not named."""
    reading = message.reading
    return (
        bool(reading.some & _GRADING)
        and 0 < reading.topics <= message.limits.open_set
        and not reading.some & (_PREPOSITION | _COMPANY)
        and not _names_a_name(message)
    )


def _is_two_place(message: Message) -> bool:
    """ "The impact on …": one of two sides is not named."""
    kinds = message.reading.kinds
    if not message.reading.some & _TWO_PLACE or message.reading.topics > message.limits.two_place or _names_a_name(message):
        return False
    place = next(place for place, kind in enumerate(kinds) if kind & _TWO_PLACE)
    return 0 not in kinds[:place] and not any(
        kind & (_PREPOSITION | _JOINING | _CLAUSE) for kind in kinds[place + 1 :]
    )


def _is_continuation(message: Message) -> bool:
    """Goes on from the turn before ("and …") with few words of its own."""
    kinds = message.reading.kinds
    return (
        bool(message.reading.some & _CONNECTIVE)
        and message.reading.topics <= message.limits.connective
        and message.opening < len(kinds)
        and bool(kinds[message.opening] & _CONNECTIVE)
    )


def _is_answer(message: Message) -> bool:
    """A few words that ask nothing, after a yes or no or after the assistant's question."""
    kinds = message.reading.kinds
    words = kinds[message.opening :]
    nodded = any(kind & _NOD for kind in kinds[: message.opening])
    return (
        (nodded or message.asked)
        and not message.text.rstrip().endswith("?")
        and sum(not kind & _MARK for kind in words) <= message.limits.answer
        and not (words[0] & _ASKING)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A name, the decision it stands for, and when it holds."""

    name: str
    decision: Decision
    holds: Callable[[Message], bool]


RULES: tuple[Rule, ...] = (
    Rule(name="address", decision=Decision.NO_NEED, holds=lambda m: is_address(m.text, m.lexicon)),
    Rule(name="identifier", decision=Decision.NO_NEED, holds=lambda m: is_identifier(m.text, m.lexicon)),
    Rule(name="nonsense", decision=Decision.NO_NEED, holds=lambda m: is_nonsense(m.text, m.tokens, m.lexicon)),
    Rule(name="farewell", decision=Decision.NO_NEED, holds=_is_farewell),
    Rule(name="rejection", decision=Decision.CORRECTION, holds=_is_correction),
    Rule(name="first_message", decision=Decision.SUBSTANTIVE, holds=lambda m: m.first),
    Rule(name="repair", decision=Decision.FOLLOW_UP, holds=_is_repair),
    Rule(name="nod", decision=Decision.FOLLOW_UP, holds=_is_nod),
    Rule(name="choice", decision=Decision.FOLLOW_UP, holds=_is_choice),
    Rule(name="frame", decision=Decision.FOLLOW_UP, holds=_is_frame),
    Rule(name="reference", decision=Decision.FOLLOW_UP, holds=_is_reference),
    Rule(name="no_topic", decision=Decision.FOLLOW_UP, holds=_has_no_topic),
    Rule(name="open_comparison", decision=Decision.FOLLOW_UP, holds=_is_open_comparison),
    Rule(name="definite", decision=Decision.FOLLOW_UP, holds=_is_definite),
    Rule(name="open_set", decision=Decision.FOLLOW_UP, holds=_is_open_set),
    Rule(name="two_place", decision=Decision.FOLLOW_UP, holds=_is_two_place),
    Rule(name="continuation", decision=Decision.FOLLOW_UP, holds=_is_continuation),
    Rule(name="answer", decision=Decision.FOLLOW_UP, holds=_is_answer),
)
#: the reasons of the two decisions that no rule of the list makes
TOO_SHORT = "too_short"
STANDALONE = "standalone"


def opening_of(kinds: list[int]) -> int:
    """Return how many of the first kinds only open the message."""
    for place, kind in enumerate(kinds):
        if not kind & _OPENING:
            return place
    return len(kinds)


def names_only_company(reading: Reading) -> bool:
    """Say whether a message names the company and has no other topic."""
    return not reading.topics and bool(reading.some & _COMPANY)
