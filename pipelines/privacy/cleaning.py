"""Text without personal data, or the reason why there can be none. Fails closed.

Every text is looked at again after cleaning; whatever is still found there, and whatever a detector raises, is an error
that ends the work on the whole set.
"""

from collections.abc import Callable
from dataclasses import dataclass

from pipelines.errors import NightcheckError
from pipelines.privacy.detect import find_personal_data
from pipelines.privacy.span import Kind, Span
from pipelines.privacy.substitution import Substitution

#: an address typed next to another may only be seen when that one was replaced
_PASSES = 5


class PersonalDataLeftError(NightcheckError):
    """Something personal is in a text that was to hold none. The message says where, never what."""

    def __init__(self, where: str, spans: tuple[Span, ...]) -> None:
        places = ", ".join(f"{span.kind} at {span.start}-{span.end}" for span in spans[:5])
        super().__init__(where, f"personal data is left ({places})", "Remove the text by hand; nothing was written")
        self.spans = spans


class DetectorFailedError(NightcheckError):
    """A detector raised; what it would have found is unknown, so nothing may be written."""

    def __init__(self, where: str, error: Exception) -> None:
        super().__init__(where, f"a detector of personal data failed ({type(error).__name__})", "Nothing was written")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """A text in which nothing personal is detected but synthetic addresses."""

    text: str
    replaced: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Why a text cannot be cleaned: it discloses what no substitute can stand for."""

    kinds: tuple[Kind, ...]


def clean(text: str, substitution: Substitution, *, where: str = "a text") -> Cleaned | Dropped:
    """Return `text` with synthetic e-mail addresses, or why it must be dropped (a telephone number, an age).

    Raises `PersonalDataLeftError` or `DetectorFailedError`, which name `where` and never quote the text.
    """
    replaced = 0
    for _ in range(_PASSES):
        spans = _find(text, where)
        kinds = {span.kind for span in spans} - {Kind.EMAIL}
        if kinds:
            return Dropped(kinds=tuple(sorted(kinds)))
        real = tuple(span for span in spans if not substitution.issued(text[span.start : span.end]))
        if not real:
            return Cleaned(text=text, replaced=replaced)
        text = _replace(text, real, substitution)
        replaced += len(real)
    require_clean(text, substitution.issued, where=where)
    return Cleaned(text=text, replaced=replaced)


def require_clean(text: str, may_stand: Callable[[str], bool], *, where: str) -> None:
    """Raise `PersonalDataLeftError` unless all that is detected in `text` is e-mail addresses that `may_stand`."""
    left = tuple(
        span for span in _find(text, where) if span.kind != Kind.EMAIL or not may_stand(text[span.start : span.end])
    )
    if left:
        raise PersonalDataLeftError(where, left)


def _find(text: str, where: str) -> tuple[Span, ...]:
    try:
        return find_personal_data(text)
    except Exception as error:
        raise DetectorFailedError(where, error) from error


def _replace(text: str, spans: tuple[Span, ...], substitution: Substitution) -> str:
    pieces = []
    done = 0
    for span in spans:
        pieces += [text[done : span.start], substitution.address_for(text[span.start : span.end])]
        done = span.end
    return "".join([*pieces, text[done:]])
