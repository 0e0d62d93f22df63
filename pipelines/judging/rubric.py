"""What the model is told: the rubric, the form of the answer, and one retrieval laid out as data.

The instructions are data files with a version in their names. They come first and are the same bytes in every call, so
that an endpoint can cache them. What tells strategies apart never gets in: no rank, no score, no strategy, no tenant.
"""

import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from pipelines.judging.verdict import PassageToJudge, RetrievalToJudge

RELEVANCE = "relevance_v1"
SUFFICIENCY = "sufficiency_v1"
ANSWER_FORM = "answer_v1"
_FORMAT = "format_v1"
#: changes with any change to how a retrieval is laid out below
LAYOUT = "layout_v1"

#: characters of one passage, and of one utterance, that are shown; a longer text is cut and marked
PASSAGE_LIMIT = 8_000
UTTERANCE_LIMIT = 2_000
CUT = " [cut]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """The instructions that begin every call, the schema of the answer, and the names that go on verdicts."""

    instructions: str
    schema: Mapping[str, Any]
    version: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """One call's data: the document to send, and which passage each opaque id in it stands for."""

    document: str
    passages: Mapping[str, PassageToJudge]
    #: each passage's title and text as they were shown, in which evidence must be found
    shown: Mapping[str, str]


@cache
def load_rubric() -> Rubric:
    """Return the rubric that new verdicts are made by."""
    folder = files("pipelines.judging") / "prompts"
    schema_text = (folder / f"{ANSWER_FORM}.json").read_text("utf-8")
    parts = [(folder / f"{name}.md").read_text("utf-8") for name in (RELEVANCE, SUFFICIENCY, _FORMAT)]
    instructions = "\n".join([*parts, schema_text])
    return Rubric(
        instructions=instructions,
        schema=json.loads(schema_text),
        version=f"{RELEVANCE}+{SUFFICIENCY}",
        digest=hashlib.sha256(
            f"{LAYOUT}\x1f{PASSAGE_LIMIT}\x1f{UTTERANCE_LIMIT}\x1f{instructions}".encode()
        ).hexdigest(),
    )


def lay_out(retrieval: RetrievalToJudge, passages: Sequence[PassageToJudge]) -> Laid:
    """Lay some passages of a retrieval out as one JSON document.

    JSON strings are the delimiters: nothing that a passage contains can end its own string. The passages are shuffled
    by a hash of the content: their order says nothing of their rank, and the same content makes the same bytes.
    """
    shown = [_shown(passage.text or "", PASSAGE_LIMIT) for passage in passages]
    seed = "\x1f".join([retrieval.searched_query, retrieval.message, *shown])
    order = sorted(
        range(len(passages)), key=lambda index: hashlib.sha256(f"{index}\x1f{seed}".encode("utf-8", "replace")).digest()
    )
    ids = [f"p{place}" for place in range(1, len(order) + 1)]
    document = {
        "conversation": [
            {"role": said.role, "text": _shown(said.text, UTTERANCE_LIMIT)} for said in retrieval.conversation
        ],
        "message": _shown(retrieval.message, UTTERANCE_LIMIT),
        "searched_query": _shown(retrieval.searched_query, PASSAGE_LIMIT),
        "passages": [_described(ids[place], passages[index], shown[index]) for place, index in enumerate(order)],
    }
    return Laid(
        document=json.dumps(document, ensure_ascii=False, indent=1),
        passages={ids[place]: passages[index] for place, index in enumerate(order)},
        shown={ids[place]: f"{passages[index].title or ''} {shown[index]}" for place, index in enumerate(order)},
    )


def _described(opaque_id: str, passage: PassageToJudge, text: str) -> dict[str, str]:
    described = {"id": opaque_id, "kind": passage.kind}
    if passage.title:
        described["title"] = _shown(passage.title, UTTERANCE_LIMIT)
    if passage.source_date:
        described["date"] = _shown(passage.source_date, 100)
    return described | {"text": text}


def _shown(text: str, limit: int) -> str:
    """Return the text without characters that a reader cannot see, cut to a limit."""
    if not text.isascii():
        text = "".join(c for c in text if unicodedata.category(c) not in _INVISIBLE)
    return text if len(text) <= limit else text[:limit] + CUT


#: format characters (zero width, direction marks, tags) and lone surrogates
_INVISIBLE = frozenset({"Cf", "Cs"})
