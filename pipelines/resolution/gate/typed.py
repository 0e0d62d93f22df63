"""Messages that are typed into a form rather than said: addresses, identifiers, and what a hand on a keyboard makes.

Everything here works on whitespace-separated pieces by counting characters, so it is linear in the message.
"""

import re
from collections.abc import Iterable

from pipelines.resolution.vocabulary import Lexicon
from pipelines.resolution.vocabulary.lexicon import Kind, normalise

_TYPED = int(Kind.TYPED)
_NONSENSE = int(Kind.NONSENSE)

#: an address or identifier with more words around it than this is said, not typed
_MOST_PIECES = 10
_EDGES = ".,;:!?()[]<>\"'«»“”¿¡#"

#: the fewest digits of a telephone number and of an identifier; each character is looked at once
_PHONE_DIGITS = re.compile(r"(?:\D*+\d){7}")
_CODE_DIGITS = re.compile(r"(?:\D*+\d){4}")
_LONGEST_LETTERS = 4
_PHONE = re.compile(r"[+\d][\d\s().\-/]*")
_LETTERS = re.compile(r"[^\W\d_]+")
_HEX = re.compile(r"[0-9a-f\-]{12,}", re.IGNORECASE)

_MOST_NONSENSE = 4
_SHORTEST_MASH = 5
_LAST_LATIN = "\u024f"
_VOWELS = frozenset("aeiouyàáâãäåèéêëìíîïòóôõöùúûüýæœø")
#: fewer vowels than this and nobody can say it ("Schwarzschild" has two of thirteen)
_FEWEST_VOWELS = 0.13
_REPEATS = re.compile(r"(.)\1{4}")
_RUN = 4
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm", "azertyuiop", "qsdfghjklm", "wxcvbn")
#: parts of a keyboard row that words have, too ("property")
_IN_WORDS = frozenset({"wert", "erty", "trew", "azer"})
_ROW_PARTS = (
    frozenset(
        way[start : start + _RUN] for row in _ROWS for way in (row, row[::-1]) for start in range(len(way) - _RUN + 1)
    )
    - _IN_WORDS
)
#: letters that no word of the four languages has side by side
_MASH_PAIRS = frozenset(
    one + other
    for one, others in {"f": "jk", "j": "fkhlgdqxv", "k": "jqxd", "h": "jf", "g": "jf", "x": "kzj", "q": "jkvb"}.items()
    for other in others
)
_FEWEST_MASH_PAIRS = 2

_COMMON_ENDINGS = frozenset(
    {"com", "org", "net", "io", "co", "eu", "fr", "es", "it", "de", "uk", "us", "info", "dev", "app", "ai", "ch"}
)


def may_be_typed(message: str) -> bool:
    """Say whether there is anything at all of an address or identifier: most messages are done with here."""
    return "@" in message or message.find(".", 0, -1) >= 0 or _CODE_DIGITS.match(message) is not None


def is_address(message: str, lexicon: Lexicon) -> bool:
    """Say whether the message is an e-mail address, a link or a telephone number, with at most a few words round it."""
    pieces = message.split(None, _MOST_PIECES + 1)
    if len(pieces) > _MOST_PIECES:
        return False
    rest = [piece for piece in pieces if not _is_mail(piece) and not _is_link(piece)]
    if len(rest) < len(pieces):
        return _only_typed(rest, lexicon)
    spoken = [piece for piece in pieces if not _PHONE.fullmatch(piece.strip(",;:"))]
    digits = " ".join(piece for piece in pieces if _PHONE.fullmatch(piece.strip(",;:")))
    return bool(_PHONE_DIGITS.match(digits)) and _only_typed(spoken, lexicon)


def is_identifier(message: str, lexicon: Lexicon) -> bool:
    """Say whether the message is an order number, a key or the like, with at most a few words round it."""
    if not _CODE_DIGITS.match(message):
        return False
    pieces = message.split(None, _MOST_PIECES + 1)
    if len(pieces) > _MOST_PIECES:
        return False
    found = False
    for piece in pieces:
        if _is_code(piece.strip(_EDGES)):
            found = True
        elif not _only_typed((piece,), lexicon):  # of most messages with a number, the first word
            return False
    return found


def is_nonsense(message: str, tokens: list[str], lexicon: Lexicon) -> bool:
    """Say whether the message has no word at all, or a few that are none in any language."""
    words = [token for token in tokens if token[0].isalnum()]
    if not words:
        return True
    if len(words) > _MOST_NONSENSE or message.isupper():
        return False
    return all(_is_mash(word, lexicon) for word in words)


def _is_mash(word: str, lexicon: Lexicon) -> bool:
    node = lexicon.first.get(word)
    if node is not None and node.kinds:
        return bool(node.kinds & _NONSENSE)
    if len(word) < _SHORTEST_MASH or not word.isalpha() or max(word) > _LAST_LATIN:
        return False
    if _REPEATS.search(word) or any(word[start : start + _RUN] in _ROW_PARTS for start in range(len(word) - _RUN + 1)):
        return True
    vowels = sum(letter in _VOWELS for letter in word)
    pairs = sum(word[start : start + 2] in _MASH_PAIRS for start in range(len(word) - 1))
    return vowels < _FEWEST_VOWELS * len(word) or pairs >= _FEWEST_MASH_PAIRS


def _is_mail(piece: str) -> bool:
    local, at, domain = piece.strip(_EDGES).rpartition("@")
    return bool(local and at) and "." in domain.strip(".") and not domain.startswith(".")


def _is_link(piece: str) -> bool:
    text = piece.strip(_EDGES).lower()
    if text.startswith(("http://", "https://", "www.")):
        return True
    host, _, _ = text.partition("/")
    labels = host.split(".")
    return len(labels) > 1 and all(labels) and labels[-1] in _COMMON_ENDINGS and host.isascii()


def _is_code(piece: str) -> bool:
    if not piece.isascii() or not _CODE_DIGITS.match(piece):
        return False
    if _HEX.fullmatch(piece):
        return True
    return max(map(len, _LETTERS.findall(piece)), default=0) <= _LONGEST_LETTERS


def _only_typed(pieces: Iterable[str], lexicon: Lexicon) -> bool:
    for piece in pieces:
        for word in re.findall(r"\w+", normalise(piece)):
            node = lexicon.first.get(word)
            if node is None or not node.kinds & _TYPED:
                return False
    return True
