"""Read a message once: its words and phrases by kind. Knows the vocabulary, decides nothing."""

from dataclasses import dataclass

from pipelines.resolution.vocabulary import Lexicon
from pipelines.resolution.vocabulary.lexicon import Kind

_STEM = 3
_REFERENCE = int(Kind.REFERENCE)
_SKIPPED_IN_PHRASES = ","


@dataclass(slots=True)
class Reading:
    """A message as the rules see it.

    `kinds` holds the kinds of each word or phrase in order (0 for a topic word), `some` their union, `topics` the number
    of topic words. Not frozen: one is made for each message, and a frozen one takes twice as long to make.
    """

    kinds: list[int]
    some: int
    topics: int


def read(tokens: list[str], lexicon: Lexicon) -> Reading:
    """Return the reading of a message's tokens: at each word the longest phrase of the vocabulary that begins there.

    A comma may stand between the words of a phrase ("no, not that one").
    """
    first, endings = lexicon.first, lexicon.endings
    kinds: list[int] = []
    some = topics = place = 0
    length = len(tokens)
    while place < length:
        token = tokens[place]
        place += 1
        node = first.get(token)
        if node is None:
            topics += 1
            found = _REFERENCE if endings and len(token) > _STEM and token[_STEM:].endswith(endings) else 0
        else:
            found = node.kinds
            ahead = place
            while node.after and ahead < length:
                word = tokens[ahead]
                ahead += 1
                after = node.after.get(word)
                if after is None:
                    if word == _SKIPPED_IN_PHRASES:
                        continue
                    break
                node = after
                if node.kinds:
                    found, place = node.kinds, ahead
            if not found:
                topics += 1
        kinds.append(found)
        some |= found
    return Reading(kinds, some, topics)
