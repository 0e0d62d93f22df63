"""Read a message once: its words and phrases by kind. Knows the vocabulary, decides nothing."""

from dataclasses import dataclass

from pipelines.resolution.vocabulary import Lexicon
from pipelines.resolution.vocabulary.lexicon import Kind

_SHORTEST_WITH_ENDING = 5
_REFERENCE = int(Kind.REFERENCE)
_SKIPPED_IN_PHRASES = ","


@dataclass(slots=True)
class Reading:
    """A message as the rules see it.

    `kinds` holds the kinds of each word or phrase in order (0 for a topic word), `some` their union, `topics` the
    number of topic words. Not frozen: one is made for each message, and a frozen one takes twice as long to make.
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
            found = _REFERENCE if endings and len(token) >= _SHORTEST_WITH_ENDING and token.endswith(endings) else 0
        else:
            after = node.after
            ahead = place
            while after and ahead < length:
                word = tokens[ahead]
                ahead += 1
                following = after.get(word)
                if following is None:
                    if word == _SKIPPED_IN_PHRASES:
                        continue
                    break
                after = following.after
                if following.kinds:
                    node, place = following, ahead
            found = node.spoken
            if not found:
                topics += 1
        kinds.append(found)
        some |= found
    return Reading(kinds, some, topics)
