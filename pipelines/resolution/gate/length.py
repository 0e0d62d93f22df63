"""The ten-character skip: how long is a message as a person sees it?"""

import regex  # type: ignore[import-untyped]  # it has no types of its own

#: a message with fewer visible characters than this is not searched
SHORTEST = 10

#: what people do not see at either end of a message: white space, and marks without a shape of their own
_UNSEEN = r"[\s\p{Default_Ignorable_Code_Point}\p{Cc}]"
_BEFORE = regex.compile(rf"{_UNSEEN}*+")
_ENOUGH = regex.compile(rf"(?:(?:(?!\s){_UNSEEN})*+\X){{{SHORTEST}}}+")


def too_short(message: str) -> bool:
    r"""Say whether the message has fewer than ten characters after trimming, counted as grapheme clusters.

    An emoji of several code points, a letter with combining accents and a line end `\r\n` are one character each; marks
    that show nothing (zero-width spaces, directional marks) are none.
    """
    if message.isascii() and message.isprintable():
        return len(message.strip()) < SHORTEST
    trimmed = _BEFORE.sub("", message, count=1)
    end = len(trimmed)
    while end and _BEFORE.fullmatch(trimmed, end - 1, end):
        end -= 1
    return _ENOUGH.match(trimmed, 0, end) is None
