"""The line of a file of anchors: one retrieval, with the texts that the judge is to see; pure."""

from collections.abc import Iterable
from typing import Annotated

import msgspec

from pipelines.errors import NightcheckError
from pipelines.judging.verdict import PassageToJudge, RetrievalToJudge, Utterance

Grade = Annotated[int, msgspec.Meta(ge=0, le=3)]


class AnchorUtterance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side's words before the turn."""

    role: str
    text: str


class AnchorPassage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A frozen passage, with the grades that people gave it, where they did; no judge is told of them."""

    passage_id: str
    text: str
    kind: str = "document"
    title: str | None = None
    source_date: str | None = None
    query_grade: Grade | None = None
    need_grade: Grade | None = None


class Anchor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A frozen retrieval; a canary is one with a passage that orders the judge about, and no judge is told so."""

    tenant: str
    retrieval_id: str
    searched_query: str
    message: str
    passages: tuple[AnchorPassage, ...]
    conversation: tuple[AnchorUtterance, ...] = ()
    canary: bool = False

    def to_judge(self) -> RetrievalToJudge:
        """Return it as what a judge is given."""
        return RetrievalToJudge(
            tenant=self.tenant,
            retrieval_id=self.retrieval_id,
            searched_query=self.searched_query,
            message=self.message,
            conversation=tuple(Utterance(role=said.role, text=said.text) for said in self.conversation),
            passages=tuple(
                PassageToJudge(
                    rank=rank,
                    passage_id=passage.passage_id,
                    kind=passage.kind,
                    text=passage.text,
                    title=passage.title,
                    source_date=passage.source_date,
                )
                for rank, passage in enumerate(self.passages, start=1)
            ),
        )


class BadAnchorError(NightcheckError):
    """A line of a file of anchors is none; carries its number."""

    def __init__(self, source: str, line: int, reason: str) -> None:
        super().__init__(
            f"{source}, line {line}",
            reason,
            'Each line must read {"tenant": …, "retrieval_id": …, "searched_query": …, "message": …, "passages": '
            '[{"passage_id": …, "text": …}]}; it may also have "conversation" and "canary", and a passage "kind", '
            '"title", "source_date", "query_grade" and "need_grade"',
        )
        self.line = line


def read_anchors(lines: Iterable[bytes], source: str) -> list[Anchor]:
    """Read a file of anchors; empty lines are passed over.

    Raises:
        BadAnchorError: a line is no anchor, has a field that none has, no passage with text, or repeats an id.
    """
    decoder = msgspec.json.Decoder(Anchor)
    anchors: dict[tuple[str, str], Anchor] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            anchor = decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BadAnchorError(source, number, str(error)) from error
        if not any(passage.text.strip() for passage in anchor.passages):
            raise BadAnchorError(source, number, "it has no passage with a text")
        if (anchor.tenant, anchor.retrieval_id) in anchors:
            raise BadAnchorError(source, number, f"{anchor.retrieval_id!r} is there twice")
        anchors[anchor.tenant, anchor.retrieval_id] = anchor
    return list(anchors.values())
