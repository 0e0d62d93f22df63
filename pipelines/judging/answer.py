"""Reads what a model answered: a verdict on exactly the passages that were asked about, or the reason why it is none.

The rule for text around the JSON: prose before and after is passed over, and so is one leading block of thoughts
(`<think>…</think>`), as long as the text holds exactly one JSON object. A second opening brace behind the object makes
the whole answer malformed, because nobody can say which of two verdicts was meant.
"""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import msgspec

from pipelines.judging.verdict import USEFUL

_THOUGHTS = re.compile(r"\s*<think>.*?</think>", re.DOTALL)
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-"})
_LONGEST_ANSWER = 100_000


class Graded(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    """What the model said of one passage."""

    id: str
    evidence: str
    query_grade: int
    need_grade: int


class Answer(msgspec.Struct, frozen=True):
    """What the model said of a set of passages."""

    need: str
    needs_retrieval: bool
    passages: tuple[Graded, ...]
    sufficient: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """Why a text is no verdict. The reason is ours: it holds no words of the model or of a passage."""

    reason: str
    #: whether the form was right all the same, and only the ids or grades in it were not
    in_form: bool = False


def read_answer(text: str, asked: Sequence[str]) -> Answer | Malformed:
    """Read the verdict on the passages with the ids in `asked`, each of which must occur exactly once."""
    try:
        answer = msgspec.convert(_one_object(text), Answer)
    except (ValueError, RecursionError) as error:
        return Malformed(
            reason=str(error) if isinstance(error, _NoVerdictError) else "the JSON does not fit the schema"
        )
    ids = [passage.id for passage in answer.passages]
    if sorted(ids) != sorted(asked):
        return Malformed(reason="not every passage id occurs exactly once", in_form=True)
    if any(grade not in range(4) for p in answer.passages for grade in (p.query_grade, p.need_grade)):
        return Malformed(reason="a grade is not one of 0, 1, 2, 3", in_form=True)
    return answer


def unfounded(answer: Answer, texts: Mapping[str, str]) -> frozenset[str]:
    """Return the ids of passages graded useful (2 or 3) on evidence that their own text does not contain.

    Compared after Unicode normalisation, in one case, with white space, quotation marks and invisible characters made
    alike, and without quotation marks or dots that the model put around its quotation.
    """
    return frozenset(
        passage.id
        for passage in answer.passages
        if max(passage.query_grade, passage.need_grade) >= USEFUL and not _holds(texts[passage.id], passage.evidence)
    )


def _holds(text: str, evidence: str) -> bool:
    quoted = plain(evidence).strip(" \"'.\u2026")
    return any(character.isalnum() for character in quoted) and quoted in plain(text)


def plain(text: str) -> str:
    """Return the text as evidence is compared: NFKC, one case, single spaces, no invisible characters."""
    if not text.isascii():
        composed = unicodedata.normalize("NFKC", text).translate(_QUOTES)
        text = "".join(c for c in composed if c.isascii() or unicodedata.category(c) != "Cf")
    return " ".join(text.casefold().split())


class _NoVerdictError(ValueError):
    """The text holds no verdict, for a reason that can be repeated to anyone."""


def _one_object(text: str) -> dict[str, Any]:
    if len(text) > _LONGEST_ANSWER:
        raise _NoVerdictError("the answer is too long")
    text = _THOUGHTS.sub("", text, count=1) if text.lstrip().startswith("<think>") else text
    start = text.find("{")
    if start < 0:
        raise _NoVerdictError("the answer holds no JSON object")
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise _NoVerdictError("the JSON is broken") from error
    if "{" in text[end:]:
        raise _NoVerdictError("the answer holds more than one JSON object")
    return dict(value)


def _refuse_constant(_name: str) -> NoReturn:
    raise _NoVerdictError("NaN and infinity are no JSON")


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # JSON can spell half a character, which is no text and cannot be stored.
    value = {key: v.encode("utf-8", "replace").decode() if isinstance(v, str) else v for key, v in pairs}
    if len(value) != len(pairs):
        raise _NoVerdictError("a key occurs twice in one JSON object")
    return value


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_read_object)
