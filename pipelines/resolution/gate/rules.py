"""The rules of the gate, in order. The first that holds decides, and its name is the reason that the decision carries.

A rule sees one message as it was read and what the conversation was before it. The words are in the vocabulary files.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from pipelines.resolution.gate.decision import Decision
from pipelines.resolution.gate.message import Message
from pipelines.resolution.gate.reading import read
from pipelines.resolution.gate.typed import is_address, is_identifier, is_nonsense, may_be_typed
from pipelines.resolution.vocabulary.lexicon import Kind, tokens_of

# plain integers: an IntFlag takes many times as long to combine
_CORRECTION, _REPAIR, _NOD, _CHOICE = int(Kind.CORRECTION), int(Kind.REPAIR), int(Kind.NOD), int(Kind.CHOICE)
_FRAME, _CONNECTIVE, _COMPARISON, _JOINING = (
    int(Kind.FRAME),
    int(Kind.CONNECTIVE),
    int(Kind.COMPARISON),
    int(Kind.JOINING),
)
_REFERENCE, _EDGE, _COMPANY, _CLAUSE = (
    int(Kind.REFERENCE),
    int(Kind.EDGE_REFERENCE),
    int(Kind.COMPANY),
    int(Kind.CLAUSE),
)
_GENERIC, _ASKING, _FILLER, _COURTESY = int(Kind.GENERIC), int(Kind.ASKING), int(Kind.FILLER), int(Kind.COURTESY)
_MARK = int(Kind.MARK)
_DEFINITE, _GRADING, _TWO_PLACE = int(Kind.DEFINITE), int(Kind.GRADING), int(Kind.TWO_PLACE)
_PREPOSITION = int(Kind.PREPOSITION)
_OPENING = _NOD | _FILLER | _COURTESY | _MARK
_PARTING = _FILLER | _COURTESY | _MARK | _CONNECTIVE
_BOUNDARY = _MARK | _CLAUSE
_RESUMPTIVE, _SUBJECTLESS, _QUESTION = int(Kind.RESUMPTIVE), int(Kind.SUBJECTLESS), int(Kind.QUESTION)
_DETERMINER = int(Kind.DETERMINER)
# what a resumptive pronoun may repeat: "les prix sont-ils …", "vos prix sont-ils …", "le produit a-t-il …"
_SUBJECT = _DETERMINER | _COMPANY
_POINTING = _REFERENCE | _EDGE | _RESUMPTIVE | _SUBJECTLESS
# what else is known of a message before any rule is asked, in bits that no word of a reading has; all of them below
# 2**30, above which a number takes several times as long to combine
_TYPED, _WORDLESS = int(Kind.TYPED), int(Kind.NONSENSE)
_TOPIC, _FIRST = 1 << len(Kind), 1 << len(Kind) + 1
_WORDS = ~(_MARK | _QUESTION)


def _is_address(message: Message) -> bool:
    """An e-mail address, a link or a telephone number."""
    return is_address(message.text, message.lexicon)


def _is_identifier(message: Message) -> bool:
    """An order number, a key."""
    return is_identifier(message.text, message.lexicon)


def _is_nonsense(message: Message) -> bool:
    """No word of any language."""
    return is_nonsense(message.text, message.tokens, message.lexicon)


def _is_first(_: Message) -> bool:
    """The visitor has said nothing before: there is nothing to resolve from."""
    return True


def _is_farewell(message: Message) -> bool:
    """Nothing but thanks, greetings and farewells, and what joins them ("goodbye and thank you")."""
    return all(kind & _PARTING for kind in message.reading.kinds)


def _is_correction(message: Message) -> bool:
    """A narrative that rejects what was offered, before the message comes to matters of its own."""
    kinds = message.reading.kinds
    place = next(place for place, kind in enumerate(kinds) if kind & _CORRECTION)
    if kinds[:place].count(0) > message.limits.rejection:
        return False
    ended = next((kind for kind in kinds[place + 1 :] if kind & _MARK), 0)
    return not (message.lexicon.told_by_tone and ended & _QUESTION)


def _is_repair(message: Message) -> bool:
    """Says again what was meant: "no, I meant …"."""
    for kind in message.reading.kinds:
        if kind & _REPAIR:
            return True
        if not kind & (_OPENING | _CONNECTIVE):
            return False
    return False


def _opening(kinds: list[int]) -> int:
    """Return how many of the first kinds only open the message ("ok, thanks. …")."""
    for place, kind in enumerate(kinds):
        if not kind & _OPENING:
            return place
    return len(kinds)


def _is_nod(message: Message) -> bool:
    """Yes, no, go on, good: every word agrees, declines or comments."""
    kinds = message.reading.kinds
    return _opening(kinds) == len(kinds)


def _is_choice(message: Message) -> bool:
    """Picks one of what was offered, or asks about it."""
    return message.reading.topics <= message.limits.choice


def _is_frame(message: Message) -> bool:
    """Asks of something else what was asked before: "what about …"."""
    kinds = message.reading.kinds
    return message.reading.topics <= message.limits.frame and any(
        kind & _FRAME and (not place or kinds[place - 1] & (_OPENING | _CONNECTIVE)) for place, kind in enumerate(kinds)
    )


def _points_back(message: Message) -> bool:
    """Say whether there is a pronoun or demonstrative for which no earlier clause of the message has a noun."""
    reading = message.reading
    if reading.topics > message.limits.reference:
        return False
    kinds = reading.kinds
    named = subject = False
    last = len(kinds) - 1
    for place, kind in enumerate(kinds):
        if not kind:
            named = subject = True
            continue
        if kind & _BOUNDARY:
            if named:
                return False
            subject = False
        if kind & _POINTING and (
            kind & _REFERENCE
            or (kind & _RESUMPTIVE and not subject)
            or (kind & _SUBJECTLESS and place == _opening(kinds))
            or (kind & _EDGE and (place in (0, last) or (kinds[place - 1] | kinds[place + 1]) & _MARK))
        ):
            return True
        if kind & _SUBJECT:
            subject = True
    return False


def _is_reference(message: Message) -> bool:
    """A pronoun or demonstrative that neither the message explains nor the company, which a search knows already."""
    return _points_back(message) and not _is_about_company(message)


def _is_about_company(message: Message) -> bool:
    """Say whether the last substantive message names the company and no other topic."""
    if message.before is None:
        return False
    tokens = tokens_of(message.before)
    if message.lexicon.company.isdisjoint(tokens):
        return False
    reading = read(tokens, message.lexicon)
    return not reading.topics and bool(reading.some & _COMPANY)


def _has_no_topic(_: Message) -> bool:
    """Not one word says what the message is about, nor does it name the company."""
    return True


def _is_open_comparison(message: Message) -> bool:
    """Compares one thing, and the other is not said."""
    words = [kind for kind in message.reading.kinds if not kind & _MARK]
    return bool(words[-1] & _COMPARISON) and not any(kind & _JOINING for kind in words)


def _names_a_name(message: Message) -> bool:
    """Say whether a capital or a digit after the first letter shows that something is called by its name."""
    rest = message.text.lstrip()[1:]
    return not rest.islower() or any(map(str.isdigit, rest))


def _is_definite(message: Message) -> bool:
    """An article singles out what only the conversation has named: "the test"."""
    reading = message.reading
    if not 0 < reading.topics <= message.limits.definite or reading.some & _COMPANY:
        return False
    kinds = reading.kinds
    topic = kinds.index(0)
    before = topic - 1
    if before > 0 and kinds[before] & _GENERIC and not kinds[before] & (_DEFINITE | _PREPOSITION | _CLAUSE):
        before -= 1
    if before < 0 or not kinds[before] & _DEFINITE:
        return False
    following = [kind for kind in kinds[topic + 1 :] if not kind & _MARK]
    if any(kind & _PREPOSITION for kind in following[:-1]):
        return False
    return not _names_a_name(message)


def _is_open_set(message: Message) -> bool:
    """Chooses from a set that is not named: "any festivals?", "the main layers"."""
    reading = message.reading
    return (
        0 < reading.topics <= message.limits.open_set
        and not reading.some & (_PREPOSITION | _COMPANY | _CONNECTIVE)
        and not _names_a_name(message)
    )


def _is_two_place(message: Message) -> bool:
    """Names one side of two: "the impact on …"."""
    kinds = message.reading.kinds
    if message.reading.topics > message.limits.two_place or _names_a_name(message):
        return False
    place = next(place for place, kind in enumerate(kinds) if kind & _TWO_PLACE)
    return 0 not in kinds[:place] and not any(kind & (_PREPOSITION | _JOINING | _CLAUSE) for kind in kinds[place + 1 :])


def _is_continuation(message: Message) -> bool:
    """Goes on from the turn before ("and …") with few words of its own."""
    if message.reading.topics > message.limits.connective:
        return False
    kinds = message.reading.kinds
    opening = _opening(kinds)
    return opening < len(kinds) and bool(kinds[opening] & _CONNECTIVE)


def _is_answer(message: Message) -> bool:
    """A few words that ask nothing, after a yes or no or after the assistant's question."""
    if message.text.rstrip().endswith("?"):
        return False
    kinds = message.reading.kinds
    opening = _opening(kinds)
    words = kinds[opening:]
    return (
        not words[0] & _ASKING
        and sum(not kind & _MARK for kind in words) <= message.limits.answer
        and (any(kind & _NOD for kind in kinds[:opening]) or message.answered.rstrip().endswith("?"))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A name, the decision it stands for, and when it holds.

    It is asked only of a message that has one of the kinds and facts of `needs` (0: needs none) and none of `lacks`.
    """

    name: str
    decision: Decision
    holds: Callable[[Message], bool]
    needs: int = 0
    lacks: int = 0


_NO_NEED, _FOLLOW_UP = Decision.NO_NEED, Decision.FOLLOW_UP
RULES: tuple[Rule, ...] = (
    Rule(name="address", decision=_NO_NEED, holds=_is_address, needs=_TYPED),
    Rule(name="identifier", decision=_NO_NEED, holds=_is_identifier, needs=_TYPED),
    Rule(name="nonsense", decision=_NO_NEED, holds=_is_nonsense, needs=_WORDLESS),
    Rule(name="farewell", decision=_NO_NEED, holds=_is_farewell, needs=_COURTESY),
    Rule(name="rejection", decision=Decision.CORRECTION, holds=_is_correction, needs=_CORRECTION),
    Rule(name="first_message", decision=Decision.SUBSTANTIVE, holds=_is_first, needs=_FIRST),
    Rule(name="repair", decision=_FOLLOW_UP, holds=_is_repair, needs=_REPAIR),
    Rule(name="nod", decision=_FOLLOW_UP, holds=_is_nod, needs=_OPENING, lacks=_TOPIC),
    Rule(name="choice", decision=_FOLLOW_UP, holds=_is_choice, needs=_CHOICE),
    Rule(name="frame", decision=_FOLLOW_UP, holds=_is_frame, needs=_FRAME),
    Rule(name="reference", decision=_FOLLOW_UP, holds=_is_reference, needs=_POINTING),
    Rule(name="no_topic", decision=_FOLLOW_UP, holds=_has_no_topic, lacks=_TOPIC | _COMPANY),
    Rule(name="open_comparison", decision=_FOLLOW_UP, holds=_is_open_comparison, needs=_COMPARISON),
    Rule(name="definite", decision=_FOLLOW_UP, holds=_is_definite, needs=_DEFINITE),
    Rule(name="open_set", decision=_FOLLOW_UP, holds=_is_open_set, needs=_GRADING),
    Rule(name="two_place", decision=_FOLLOW_UP, holds=_is_two_place, needs=_TWO_PLACE),
    Rule(name="continuation", decision=_FOLLOW_UP, holds=_is_continuation, needs=_CONNECTIVE),
    Rule(name="answer", decision=_FOLLOW_UP, holds=_is_answer),
)
#: the reasons of the two decisions that no rule of the list makes
TOO_SHORT = "too_short"
STANDALONE = "standalone"


_LOOKED_AT = 0
for _rule in RULES:
    _LOOKED_AT |= _rule.needs | _rule.lacks


def decide(message: Message, *, first: bool) -> tuple[Decision, str]:
    """Return the decision of the first rule that holds, and its name.

    Args:
        message: what the rules see.
        first: whether the visitor has said nothing before.
    """
    reading = message.reading
    facts = reading.some
    if reading.topics:
        facts |= _TOPIC
    if not reading.some & _WORDS:
        facts |= _WORDLESS
    if first:
        facts |= _FIRST
    if may_be_typed(message.text):
        facts |= _TYPED
    for holds, answer in _to_ask(facts & _LOOKED_AT):
        if holds(message):
            return answer
    return _ELSE


_ELSE = (Decision.SUBSTANTIVE, STANDALONE)


@lru_cache(maxsize=4096)
def _to_ask(facts: int) -> tuple[tuple[Callable[[Message], bool], tuple[Decision, str]], ...]:
    """Return the rules that can hold where these facts do: for most messages a few of them all."""
    return tuple(
        (rule.holds, (rule.decision, rule.name))
        for rule in RULES
        if (not rule.needs or facts & rule.needs) and not facts & rule.lacks
    )
