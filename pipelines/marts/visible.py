"""Text of strangers, safe to look at: nothing in it moves a cursor, sets a title or turns a line round; pure."""

import re

#: C0 and C1 controls but tab and line feed, DEL, and the marks that change the direction of text
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """Return the text with every control character shown as U+FFFD."""
    return _HIDDEN.sub("\ufffd", text)
