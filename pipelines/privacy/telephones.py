"""Where a text holds a telephone number.

Candidates are runs of digits as people group them. phonenumbers says which are valid in one of the regions; a number
that is valid nowhere (mistyped, local, without its area code) is still one where the words around it or its grouping
say so. A date, an IP address, a span of years, a payment card and a counted thousand are not.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import phonenumbers

from pipelines.privacy.fold import Folded
from pipelines.privacy.span import Kind, Span

#: the regions whose national spellings are read; a number with its country code is read wherever it is from
REGIONS = ("US", "GB", "FR", "ES", "IT", "DE", "CH", "BE", "AU", "NL", "MX")

#: digits with what people put between them; longer than one number where several stand side by side
_RUN = re.compile(r"\+?\(?\d(?:[ \t./()-]{0,3}[+(]?\d)*+")
_PIECE = re.compile(r"[^ \t/]+")
_NO_START = re.compile(r"(?:[\w.$€£#]|\d,|\w-)\Z")
_NO_END = re.compile(r"[\w%€$£]|[.,:]\d|[ \t]?[€$£%]")
_EXTENSION = re.compile(r"[ \t]{0,2}(?:x|ext\.?)[ \t]{0,2}\d{1,6}(?!\w)", re.IGNORECASE)
_CUE_BEFORE = re.compile(
    r"\b(?:phones?|telephones?|tels?|mobiles?|cell(?:phone)?|call(?:ed|ing)?|text(?:ed)?|fax|whats ?app|sms|dial|ring|"
    r"reach|hotline|landline|desk|messages? to|portable|appel\w{0,4}|rappel\w{0,4}|joindre|joignable|fixe|telefonos?|"
    r"movil|celular|llam\w{0,6}|cellulare|chiam\w{0,6}|recapito)\b",
    re.IGNORECASE,
)
_CUE_AFTER = re.compile(
    r"[ \t]{0,3}[-(]?[ \t]?(?:office|mobile|fax|home|work|cell|desk|portable|movil|cellulare|casa|ufficio)\b",
    re.IGNORECASE,
)
_NO_CUE = re.compile(
    r"\b(?:order|card|account|invoice|tracking|serial|ticket|case|iban|ssn|isbn|commande|pedido|ordine)\b"
    r"[^.!?\n]{0,24}\Z",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:(?:1[89]|20)\d\d[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./](?:1[89]|20)?\d\d)(?:[ \t]+\d{1,2})?"
)
_YEARS = re.compile(r"(?:1\d|20)\d\d[ \t]?[-/]{1,2}[ \t]?(?:1\d|20)\d\d")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[ .]\d{3}){1,5}")
_DECIMAL = re.compile(r"\d+\.\d+")
_LOCAL = re.compile(r"\d{3}-\d{4}|\d{2}(?:-\d{2}){3,4}")
_GROUP = re.compile(r"\d+")
_LOOK_BEFORE = 40
_FEWEST_DIGITS, _MOST_DIGITS = 6, 16
_MOST_PIECES = 6
#: a text with more groups of digits than this is taken for one that holds a number, rather than searched for seconds
_MOST_LOOKS = 2_000


@dataclass(frozen=True, slots=True)
class _Written:
    """A stretch of a text that may be one number: where it stands, how it is written, and its digits."""

    start: int
    end: int
    number: str
    extension: bool

    @property
    def groups(self) -> list[str]:
        return _GROUP.findall(self.number)

    @property
    def digits(self) -> str:
        return "".join(self.groups)


def find_telephones(
    folded: Folded, *, masked: Sequence[Span] = (), regions: Sequence[str] = REGIONS
) -> tuple[Span, ...]:
    """Return the telephone numbers in the order of the text, none that touches one of the `masked` spans."""
    spans = []
    covered = [(span.start, span.end) for span in masked]
    looks = place = 0
    for run in _RUN.finditer(folded.text):
        if run.end() - run.start() < _FEWEST_DIGITS:
            continue
        start, end = folded.span(run.start(), run.end())
        while place < len(covered) and covered[place][1] <= start:
            place += 1
        if place < len(covered) and covered[place][0] < end:
            continue
        found, used = _in_run(folded.text, run, regions, _MOST_LOOKS - looks)
        looks += used
        for written, rule in found:
            start, end = folded.span(written.start, written.end)
            spans.append(Span(kind=Kind.TELEPHONE, start=start, end=end, rule=rule))
    return tuple(spans)


def _in_run(
    text: str, run: re.Match[str], regions: Sequence[str], looks: int
) -> tuple[list[tuple[_Written, str]], int]:
    """Return the numbers in a run, each with its rule, and how many stretches were looked at.

    From each piece on the longest stretch that is a number is taken. With `looks` used up, the rest is one find.
    """
    pieces = [piece.span() for piece in _PIECE.finditer(text, run.start(), run.end())]
    whole = _Written(run.start(), run.end(), run[0], extension=False)
    if len(pieces) <= _MOST_PIECES and not run[0].startswith("+") and _is_other(whole.number, whole.groups):
        return [], 1
    found: list[tuple[_Written, str]] = []
    first = used = 0
    if _NO_START.search(text, max(0, run.start() - 2), run.start()):
        first = 1
    while first < len(pieces):
        if used > looks:
            return [*found, (_Written(pieces[first][0], run.end(), "", extension=False), "too many digits")], used
        following = first + 1
        for last, written in _stretches(text, pieces, first):
            used += 1
            rule = _rule(text, written, regions)
            if rule is not None:
                found.append((written, rule))
                following = last + 1
                break
        first = following
    return found, used


def _stretches(text: str, pieces: Sequence[tuple[int, int]], first: int) -> Iterator[tuple[int, _Written]]:
    """Yield the stretches from one piece on that have as many digits as a number, the longest first."""
    for last in range(min(first + _MOST_PIECES, len(pieces)) - 1, first - 1, -1):
        start, end = pieces[first][0], pieces[last][1]
        if end - start > 3 * _MOST_DIGITS:
            continue
        digits = sum(map(str.isdigit, text[start:end]))
        if not _FEWEST_DIGITS <= digits <= _MOST_DIGITS:
            continue
        extension = _EXTENSION.match(text, end)
        if extension is not None:
            yield last, _Written(start, extension.end(), text[start:end], extension=True)
        elif not _NO_END.match(text, end):
            yield last, _Written(start, end, text[start:end], extension=False)


def _rule(text: str, written: _Written, regions: Sequence[str]) -> str | None:
    """Return the rule by which a stretch is a telephone number, or None where it is something else."""
    number, groups, digits = written.number, written.groups, written.digits
    international = number.startswith("+") or (digits.startswith("00") and len(digits) >= 9)
    if international:
        return "international"
    if _is_other(number, groups):
        return None
    if _is_called_otherwise(text, written):
        return None
    if _has_cue(text, written):
        return "cue"
    if _THOUSANDS.fullmatch(number) and len(digits) < 9:
        return None
    return "valid" if _valid_somewhere(number, digits, regions) else _by_grouping(written)


def _is_other(number: str, groups: Sequence[str]) -> bool:
    bare = number.strip("()")
    if any(pattern.fullmatch(bare) for pattern in (_DATE, _YEARS, _DECIMAL)):
        return True
    is_address = number.count(".") == 3 == len(groups) - 1 and all(int(group) <= 255 for group in groups)
    thousands = _THOUSANDS.fullmatch(number) is not None and number.endswith("000")
    return is_address or thousands or _is_payment_card("".join(groups))


def _is_payment_card(digits: str) -> bool:
    """Whether the digits are as many as a payment card's and pass its check sum (ISO/IEC 7812-1, Luhn)."""
    if not 12 <= len(digits) <= 19:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 * (value > 9)
    return total % 10 == 0


def _is_called_otherwise(text: str, written: _Written) -> bool:
    """Whether the words before an unbroken run of digits call it something else, such as an order's number."""
    if len(written.groups) > 1 or written.digits.startswith("0"):
        return False
    return _NO_CUE.search(text[max(0, written.start - _LOOK_BEFORE) : written.start]) is not None


def _has_cue(text: str, written: _Written) -> bool:
    before = text[max(0, written.start - _LOOK_BEFORE) : written.start]
    return _CUE_BEFORE.search(before) is not None or _CUE_AFTER.match(text, written.end) is not None


def _valid_somewhere(number: str, digits: str, regions: Sequence[str]) -> bool:
    if not 8 <= len(digits) <= 15:
        return False
    for region in regions:
        try:
            parsed = phonenumbers.parse(number, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(parsed):
            return True
    return False


def _by_grouping(written: _Written) -> str | None:
    """Return the rule for a number that is valid nowhere but is written as only telephone numbers are."""
    groups, digits = written.groups, written.digits
    area_code = written.number.startswith("(") and len(digits) >= 7
    trunk = digits.startswith("0") and len(groups) >= 3 and 9 <= len(digits) <= 12
    extension = written.extension and len(groups) >= 2 and len(digits) >= 7
    american = [len(group) for group in groups] in ([3, 3, 4], [1, 3, 3, 4])
    return "grouping" if area_code or trunk or extension or american or _LOCAL.fullmatch(written.number) else None
