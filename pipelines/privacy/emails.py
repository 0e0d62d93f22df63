"""Where a text holds an e-mail address, in whatever spelling people give it.

A scanner, not a validator: it goes from each at sign outwards, so that an address which no mail server would take is
found too, because it may still name a person. Each character is looked at a bounded number of times.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from pipelines.privacy.fold import Folded
from pipelines.privacy.span import Kind, Span
from pipelines.privacy.words import NO_LOCAL_PART, TOP_LEVEL_DOMAINS

_AT = re.compile(
    r"(?P<bracketed>[ \t]{0,3}[\[({<][ \t]{0,2}(?:at|@|arobase|arroba|chiocciola)[ \t]{0,2}[\])}>][ \t]{0,3})"
    r"|(?P<sign>@|%40|&#0{0,4}64;|&#x40;|&commat;)"
    r"|(?P<named>[ \t]{1,3}(?:arobase|arroba|chiocciola|_at_)[ \t]{1,3})"
    r"|(?P<word>[ \t]{1,3}at[ \t]{1,3})",
    re.IGNORECASE,
)
_ATOM_PUNCTUATION = frozenset("!#$%&'*+-/=?^_`{|}~.")
#: what stands before an address in a link or an assignment rather than in its local part
_BOUNDARY = frozenset("=/?&")
_LEADING = "'*~`|!#$%^{}."
_QUOTED_LIMIT = 130
_COMMENT = r"(?:\([^()@\n]{0,64}\))?"
_LITERAL = re.compile(rf"{_COMMENT}\[[^\[\]\s]{{2,64}}(?: [^\[\]\s]{{1,32}}){{0,3}}\]")
_HOST = re.compile(rf"{_COMMENT}[ \t]{{0,3}}\.{{0,2}}([^\W_][\w-]*+(?:\.[\w-]++)*+)", re.UNICODE)
_SPACED_TAIL = re.compile(r"(?:[ \t]{1,2}\.[ \t]{0,2}|\.[ \t]{1,2})([^\W\d_]{2,24})\b")
_DOT = (
    r"(?:[ \t]{0,3}[\[({<][ \t]{0,2}(?:dot|point|punto|\.)[ \t]{0,2}[\])}>][ \t]{0,3}"
    r"|[ \t]{1,3}(?:dot|point|punto)[ \t]{1,3})"
)
_LABEL = r"[^\W_][\w-]{0,62}"
_SPELLED_HOST = re.compile(rf"({_LABEL}(?:\.{_LABEL}){{0,3}}(?:{_DOT}{_LABEL}){{1,4}})", re.IGNORECASE)
_SPELLED_TAIL = re.compile(r"(?:dot|point|punto|\.)[ \t]{0,2}[\])}>]?[ \t]{0,3}([^\W\d_]{2,24})\Z", re.IGNORECASE)
_SPELLED_DOT = re.compile(_DOT, re.IGNORECASE)
_DOT_BEFORE = re.compile(rf"{_DOT}\Z", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Range:
    start: int
    end: int
    rule: str


def find_emails(folded: Folded) -> tuple[Span, ...]:
    """Return the e-mail addresses in the order of the text; they don't overlap."""
    spans = []
    for found in _scan(folded.text):
        start, end = folded.span(found.start, found.end)
        spans.append(Span(kind=Kind.EMAIL, start=start, end=end, rule=found.rule))
    return tuple(spans)


def split_address(written: str) -> tuple[str, str]:
    """Return local part and host of an address as it was found in a text, spelled-out signs put back."""
    compatible = unicodedata.normalize("NFKC", written)
    visible = "".join(character for character in compatible if unicodedata.category(character) != "Cf")
    signs = list(_AT.finditer(visible))
    if not signs:
        return visible, ""
    sign = signs[-1]
    local = visible[: sign.start()].strip()
    if not local.endswith('"'):
        local = "".join(_SPELLED_DOT.sub(".", local).split())
    host = re.sub(_COMMENT, "", visible[sign.end() :])
    return local, "".join(_SPELLED_DOT.sub(".", host).split())


def _scan(text: str) -> Iterator[_Range]:
    floor = free = 0  # a local part reaches back to the last sign at most, a quoted one to the last address
    for at in _AT.finditer(text):
        if at.start() < free:
            continue
        found = _around_sign(text, at, floor, free) if at.lastgroup == "sign" else _around_word(text, at, floor)
        floor = at.end()
        if found is not None:
            yield found
            floor = free = found.end


def _around_sign(text: str, at: re.Match[str], floor: int, free: int) -> _Range | None:
    end, shape = _host_after(text, at.end())
    if end is None:
        return None
    local_end = at.start()
    while local_end > max(floor, at.start() - 3) and text[local_end - 1] in " \t":
        local_end -= 1
    start, rule = _local_before(text, local_end, floor, free)
    spaced = local_end < at.start() or text[at.end()] in " \t"
    if start is None or (spaced and shape != "dotted"):
        return None
    return _Range(start, end, "spaced" if spaced else rule)


def _local_before(text: str, end: int, floor: int, free: int) -> tuple[int | None, str]:
    """Return where the local part that ends before `end` begins, or None, and which rule says so."""
    if end > free and text[end - 1] == '"':
        opening = _opening_quote(text, end - 1, free)
        if opening is not None:
            dotted = opening > floor and text[opening - 1] == "."
            return _atoms_before(text, opening, floor) if dotted else opening, "quoted"
        half = _atoms_before(text, end - 1, floor) if end > floor else end
        return (half if half < end - 1 else None), "half quoted"
    start = _atoms_before(text, end, floor)
    return (None if start == end else start), "address"


def _atoms_before(text: str, end: int, floor: int) -> int:
    start = end
    while start > floor and (text[start - 1].isalnum() or text[start - 1] in _ATOM_PUNCTUATION):
        start -= 1
    run = text[start:end]
    cut = max(map(run.rfind, _BOUNDARY)) + 1
    kept = run[cut:].lstrip(_LEADING)
    return end - len(kept) if kept else start


def _opening_quote(text: str, closing: int, free: int) -> int | None:
    for index in range(closing - 1, max(free, closing - _QUOTED_LIMIT) - 1, -1):
        if text[index] == '"' and text[index - 1 : index] != "\\":
            return index
    return None


def _host_after(text: str, start: int) -> tuple[int | None, str]:
    """Return where the host that begins at `start` ends, or None, and what kind of host it is."""
    literal = _LITERAL.match(text, start)
    if literal is not None:
        return literal.end(), "literal"
    host = _HOST.match(text, start)
    if host is None:
        return None, "none"
    name = host[1].rstrip("-_.")
    labels = name.split(".")
    end = host.start(1) + len(name)
    tail = _SPACED_TAIL.match(text, end)
    if len(labels) == 1 and tail is not None and tail[1].lower() in TOP_LEVEL_DOMAINS:
        return tail.end(), "dotted"
    if all(label.isdigit() for label in labels):
        return (end, "literal") if len(labels) == 4 else (None, "version")
    if len(labels) == 1:
        return (end, "single") if len(name) > 1 and name[0].isalpha() else (None, "none")
    return end, "dotted" if len(labels[-1]) > 1 and labels[-1].isalpha() else "odd"


def _around_word(text: str, at: re.Match[str], floor: int) -> _Range | None:
    start = _atoms_before(text, at.start(), floor)
    if start == at.start():
        return None
    for _ in range(3):
        dot = _DOT_BEFORE.search(text, max(floor, start - 14), start)
        before = start if dot is None else _atoms_before(text, dot.start(), floor)
        if dot is None or before == dot.start():
            break
        start = before
    spelled = _SPELLED_HOST.match(text, at.end())
    if spelled is not None:
        return _spelled(text, at, start, spelled)
    end, shape = _host_after(text, at.end())
    if end is None or shape != "dotted" or at.lastgroup == "word":
        return None
    return _Range(start, end, "spelled")


def _spelled(text: str, at: re.Match[str], start: int, spelled: re.Match[str]) -> _Range | None:
    tail = _SPELLED_TAIL.search(spelled[1])
    if tail is None or tail[1].lower() not in TOP_LEVEL_DOMAINS:
        return None
    if at.lastgroup == "word" and text[start : at.start()].lower() in NO_LOCAL_PART:
        return None
    return _Range(start, spelled.end(), "spelled")
