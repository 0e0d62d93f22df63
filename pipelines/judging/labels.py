"""The judge that repeats what people said: verdicts read from lines of votes.

A line is one JSON object for one passage of one retrieval, `{"tenant": …, "retrieval_id": …, "passage_id": …,
"votes": {"<voter>": true}}`, where true says relevant. Knows nothing of where the lines come from.
"""

import hashlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence

import msgspec

from pipelines.errors import NightcheckError
from pipelines.judging.verdict import (
    IRRELEVANT,
    JudgeIdentity,
    PassageVerdict,
    RetrievalToJudge,
    RetrievalVerdict,
    Status,
    status_of_set,
)

#: what a passage is worth that all its voters call relevant
ANSWERS = 3


class _Line(msgspec.Struct, frozen=True):
    tenant: str
    retrieval_id: str
    passage_id: str
    votes: dict[str, bool]


class BadLabelsError(NightcheckError):
    """A line of a labels file is no label; carries its number."""

    def __init__(self, source: str, line: int, reason: str) -> None:
        super().__init__(
            f"{source}, line {line}",
            reason,
            'Each line must read {"tenant": …, "retrieval_id": …, "passage_id": …, "votes": {"voter": true|false}}',
        )
        self.line = line


class LabelsJudge:
    """Grades 3 where every voter called a passage relevant and 0 where none did, against query and need alike.

    One vote counts against both because people were asked one question. Voters who disagree make a passage `disputed`,
    nobody's vote makes it `unlabelled`: both are final, and neither is a grade.
    """

    def __init__(self, votes: Mapping[tuple[str, str, str], frozenset[bool]], digest: str) -> None:
        self._votes = votes
        self._identity = JudgeIdentity(
            judge="labels", model=f"people-{digest[:12]}", rubric_version="labels-v1", prompt_hash=digest
        )

    @classmethod
    def from_lines(cls, lines: Iterable[bytes], source: str) -> "LabelsJudge":
        """Read labels from the lines of a file called `source`; empty lines are passed over.

        Several lines for one passage add up their votes.

        Raises:
            BadLabelsError: a line is not UTF-8, no JSON object, or lacks a field or a vote of the right type.
        """
        decoder = msgspec.json.Decoder(_Line)
        votes: dict[tuple[str, str, str], frozenset[bool]] = {}
        digest = hashlib.sha256()
        for number, line in enumerate(lines, start=1):
            digest.update(line)
            if not line.strip():
                continue
            try:
                label = decoder.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise BadLabelsError(source, number, str(error)) from error
            key = (label.tenant, label.retrieval_id, label.passage_id)
            votes[key] = votes.get(key, frozenset()) | frozenset(label.votes.values())
        return cls(votes, digest.hexdigest())

    @property
    def identity(self) -> JudgeIdentity:
        """Return what goes on every verdict; its hash is that of the labels, so that other labels are another judge."""
        return self._identity

    async def judge(self, retrievals: Sequence[RetrievalToJudge]) -> AsyncIterator[RetrievalVerdict]:
        """Look each retrieval up, in the order given."""
        for retrieval in retrievals:
            yield self.look_up(retrieval)

    def look_up(self, retrieval: RetrievalToJudge) -> RetrievalVerdict:
        """Return what people said of one retrieval's passages.."""
        passages = tuple(self._verdict(retrieval, passage.rank, passage.passage_id) for passage in retrieval.passages)
        return RetrievalVerdict(
            tenant=retrieval.tenant,
            retrieval_id=retrieval.retrieval_id,
            status=status_of_set(passages),
            passages=passages,
        )

    def _verdict(self, retrieval: RetrievalToJudge, rank: int, passage_id: str) -> PassageVerdict:
        votes = self._votes.get((retrieval.tenant, retrieval.retrieval_id, passage_id), frozenset())
        if len(votes) != 1:
            status = Status.DISPUTED if votes else Status.UNLABELLED
            return PassageVerdict(rank=rank, passage_id=passage_id, status=status)
        grade = ANSWERS if True in votes else IRRELEVANT
        return PassageVerdict(
            rank=rank, passage_id=passage_id, status=Status.JUDGED, query_grade=grade, need_grade=grade
        )
