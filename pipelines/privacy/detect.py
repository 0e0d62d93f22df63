"""All detectors over one text, in the order in which they need each other."""

from collections.abc import Iterable, Sequence

from pipelines.privacy.ages import find_ages
from pipelines.privacy.emails import find_emails
from pipelines.privacy.fold import fold
from pipelines.privacy.names import find_names, vocabulary
from pipelines.privacy.span import Span
from pipelines.privacy.telephones import REGIONS, find_telephones

#: goes up when a rule changes what is found; written into every dataset that was cleaned by it
DETECTOR_VERSION = "1"


def find_personal_data(text: str, *, regions: Sequence[str] = REGIONS) -> tuple[Span, ...]:
    """Return the e-mail addresses, telephone numbers and ages in `text`, in the order of the text.

    Digits inside an e-mail address are part of it and no telephone number. Spans of different kinds may overlap.
    """
    folded = fold(text)
    emails = find_emails(folded)
    return _in_order(
        [*emails, *find_telephones(folded, masked=emails, regions=regions), *outside(find_ages(folded), emails)]
    )


def find_possible_names(text: str, *, ordinary: frozenset[str] = frozenset()) -> tuple[Span, ...]:
    """Return what may be names of people in `text`, outside e-mail addresses. `ordinary` are words known to be none."""
    folded = fold(text)
    return outside(find_names(folded, ordinary), find_emails(folded))


def ordinary_words(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that any of the texts writes in small letters, to be told to `find_possible_names`."""
    return vocabulary(fold(text) for text in texts)


def outside(spans: Sequence[Span], covered: Sequence[Span]) -> tuple[Span, ...]:
    """Return the spans that touch none of the `covered` ones; both come in the order of the text."""
    kept = []
    place = 0
    for span in spans:
        while place < len(covered) and covered[place].end <= span.start:
            place += 1
        if place == len(covered) or covered[place].start >= span.end:
            kept.append(span)
    return tuple(kept)


def _in_order(spans: Sequence[Span]) -> tuple[Span, ...]:
    return tuple(sorted(spans, key=lambda span: (span.start, span.end, span.kind)))
