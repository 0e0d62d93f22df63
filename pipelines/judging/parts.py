"""Cuts a retrieval into the calls that it takes, and puts its verdict together from what came back.

It takes one call, but for two cases: passages that speak to a judge are asked about alone, and more than ten are asked
about in several calls. Passages with nothing to judge are in none.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pipelines.judging.answer import Answer
from pipelines.judging.rubric import Laid, lay_out
from pipelines.judging.suspicion import speaks_to_a_judge
from pipelines.judging.verdict import (
    PassageToJudge,
    PassageVerdict,
    RetrievalToJudge,
    RetrievalVerdict,
    Status,
    Usage,
    hidden_status,
    status_of_set,
)

MOST_PASSAGES = 10
_LONGEST_EVIDENCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one call asks about; `alone` where its only passage was kept away from the others."""

    laid: Laid
    alone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PartVerdict:
    """What came of one call and its retries: an answer, or the status that says why there is none."""

    status: Status
    usage: Usage
    answer: Answer | None = None
    #: ids of passages whose grade has no evidence in their text
    unfounded: frozenset[str] = frozenset()
    model: str | None = None
    #: the provider's name for the configuration that answered, where it gives one
    fingerprint: str | None = None
    detail: str | None = None


def parts_of(retrieval: RetrievalToJudge) -> tuple[Part, ...]:
    """Return the calls that a retrieval takes; none where all its passages are empty or hidden."""
    open_ones = [passage for passage in retrieval.passages if hidden_status(passage) is None]
    suspects = [p for p in open_ones if speaks_to_a_judge(f"{p.title or ''}\n{p.text or ''}")]
    others = [passage for passage in open_ones if passage not in suspects]
    groups = [others[start : start + MOST_PASSAGES] for start in range(0, len(others), MOST_PASSAGES)]
    together = [Part(laid=lay_out(retrieval, group)) for group in groups]
    return (*together, *(Part(laid=lay_out(retrieval, [suspect]), alone=True) for suspect in suspects))


def verdict_of(
    retrieval: RetrievalToJudge, parts: Sequence[Part], verdicts: Sequence[PartVerdict], *, form: str
) -> RetrievalVerdict:
    """Put the verdict on a retrieval together. `form` says how the answer was asked for.

    Whether anything had to be looked up is decided once for all its calls: it had to, if any of them says so. Then each
    call's grades count, also of those that saw no need, since the instructions have passages graded alike in any case;
    a need that one call found is not to be lost to the others. Calls about single passages that were kept apart have no
    say, unless there are no others.
    """
    pairs = list(zip(parts, verdicts, strict=True))
    trusted = [v.answer for p, v in pairs if v.answer is not None and not p.alone]
    answers = trusted or [verdict.answer for verdict in verdicts if verdict.answer is not None]
    needed = any(answer.needs_retrieval for answer in answers)
    by_rank = {passage.rank: passage for part, verdict in pairs for passage in _graded(part, verdict, needed=needed)}
    passages = tuple(by_rank.get(passage.rank) or _hidden(passage) for passage in retrieval.passages)
    return RetrievalVerdict(
        tenant=retrieval.tenant,
        retrieval_id=retrieval.retrieval_id,
        status=status_of_set(passages),
        passages=passages,
        need=next((answer.need for answer in answers if answer.needs_retrieval == needed), None),
        needs_retrieval=needed if answers else None,
        sufficient=_sufficient(parts, verdicts),
        usage=total([verdict.usage for verdict in verdicts]),
        response_model=next((verdict.model for verdict in verdicts if verdict.model), None),
        detail=_detail(parts, verdicts, form),
    )


def total(usages: Sequence[Usage]) -> Usage:
    """Add usages up."""
    return Usage(
        calls=sum(usage.calls for usage in usages),
        prompt_tokens=sum(usage.prompt_tokens for usage in usages),
        cached_tokens=sum(usage.cached_tokens for usage in usages),
        cache_write_tokens=sum(usage.cache_write_tokens for usage in usages),
        completion_tokens=sum(usage.completion_tokens for usage in usages),
        cost=sum(usage.cost for usage in usages),
    )


def _graded(part: Part, verdict: PartVerdict, *, needed: bool) -> list[PassageVerdict]:
    """Return the verdicts on a part's passages, which are none where nothing `needed` to be looked up."""
    if verdict.answer is None:
        return [
            PassageVerdict(rank=passage.rank, passage_id=passage.passage_id, status=verdict.status)
            for passage in part.laid.passages.values()
        ]
    graded = []
    for said in verdict.answer.passages:
        passage = part.laid.passages[said.id]
        if not needed or said.id in verdict.unfounded:
            status = Status.MALFORMED if needed else Status.NOT_NEEDED
            graded.append(PassageVerdict(rank=passage.rank, passage_id=passage.passage_id, status=status))
            continue
        graded.append(
            PassageVerdict(
                rank=passage.rank,
                passage_id=passage.passage_id,
                status=Status.JUDGED,
                query_grade=said.query_grade,
                need_grade=said.need_grade,
                evidence=said.evidence[:_LONGEST_EVIDENCE],
            )
        )
    return graded


def _hidden(passage: PassageToJudge) -> PassageVerdict:
    status = hidden_status(passage) or Status.UNAVAILABLE
    return PassageVerdict(rank=passage.rank, passage_id=passage.passage_id, status=status)


def _sufficient(parts: Sequence[Part], verdicts: Sequence[PartVerdict]) -> bool | None:
    """Say whether the set suffices, as far as calls that saw only a part of it can tell.

    A part that suffices makes the whole sufficient; parts that do not, apart, may do together, so then nobody knows.
    The word of a passage that was asked about alone does not count: it was kept apart because it might have given it.
    """
    said = [v.answer.sufficient for p, v in zip(parts, verdicts, strict=True) if v.answer is not None and not p.alone]
    if any(said):
        return True
    return False if said and len(parts) == 1 else None


def _detail(parts: Sequence[Part], verdicts: Sequence[PartVerdict], form: str) -> str:
    notes = [f"asked as {form}"]
    alone = sum(part.alone for part in parts)
    if alone:
        notes.append(f"{alone} asked alone")
    notes += [verdict.detail for verdict in verdicts if verdict.detail]
    notes += [f"fingerprint {verdict.fingerprint}" for verdict in verdicts if verdict.fingerprint]
    return "; ".join(dict.fromkeys(notes))
