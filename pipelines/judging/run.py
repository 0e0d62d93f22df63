"""Judge the sample of a day: read it, let go of the warehouse, ask, and write what is answered in small steps."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import pyarrow as pa

from pipelines.io.registered import registered
from pipelines.io.warehouse import Warehouse
from pipelines.judging.key import verdict_key
from pipelines.judging.openai import OpenAIJudge
from pipelines.judging.spending.run import Purpose, store_spending, within_budget
from pipelines.judging.steps import MOST_AT_ONCE, SOON, in_steps, undisturbed
from pipelines.judging.verdict import Judge, PassageToJudge, RetrievalToJudge, RetrievalVerdict, Utterance
from schemas import sql

#: how many earlier turns the judge sees
CONVERSATION_TURNS = 6

_VERDICTS = pa.schema(
    [
        (name, pa.string())
        for name in ("tenant", "verdict_key", "judge", "model", "rubric_version", "prompt_hash", "status")
    ]
    + [("is_final", pa.bool_()), ("need", pa.string()), ("needs_retrieval", pa.bool_()), ("sufficient", pa.bool_())]
    + [("calls", pa.int32())]
    + [(name, pa.int64()) for name in ("prompt_tokens", "cached_tokens", "cache_write_tokens", "completion_tokens")]
    + [("response_model", pa.string()), ("detail", pa.string()), ("judged_at", pa.timestamp("us", tz="UTC"))]
)
_PASSAGE_VERDICTS = pa.schema(
    [
        ("tenant", pa.string()),
        ("verdict_key", pa.string()),
        ("ordinal", pa.int32()),
        ("passage_id", pa.string()),
        ("status", pa.string()),
        ("query_grade", pa.int8()),
        ("need_grade", pa.int8()),
        ("evidence", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What became of the sample: how many verdicts were known, how many were asked for, and with which statuses."""

    known: int
    asked: int
    statuses: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A drawn retrieval, and the key of this judge's verdict on it."""

    environment: str
    retrieval: RetrievalToJudge
    key: str


def judge_sample(
    warehouse: Warehouse,
    day: date,
    judge: Judge,
    *,
    now: Callable[[], datetime],
    on_verdict: Callable[[int, int], None] = lambda _done, _of: None,
) -> Judged:
    """Ask the judge for every drawn retrieval whose verdict is not known, and link all of them to the sample.

    `on_verdict` learns how many of how many are answered. The warehouse is not held while the judge works.
    """
    if isinstance(judge, OpenAIJudge):
        judge = judge.keeping(day.isoformat())
    asked = read_sample(warehouse, day, judge)
    with warehouse.write() as connection, registered(connection, {"asked": _keys(asked)}):
        connection.execute(sql.load("night/link_verdicts.sql"), {"day": day})
        connection.execute(sql.load("alerts/forget_sums.sql"), {"days": [day]})
    statuses: Counter[str] = Counter()
    known = to_ask = 0
    # one environment after the other: the ids of a retrieval are its tenant's within one environment only
    for environment in sorted({one.environment for one in asked}):
        known_here, open_ones = _known_and_open(
            warehouse, day, [one for one in asked if one.environment == environment]
        )
        known, to_ask = known + known_here, to_ask + len(open_ones)
        if open_ones:
            purpose = Purpose(day=day, what="verdicts", model=judge.identity.model, environment=environment)
            work = _Work(warehouse=warehouse, judge=within_budget(warehouse, day, judge), purpose=purpose, now=now)
            statuses += asyncio.run(_ask(work, open_ones, on_verdict))
    if isinstance(judge, OpenAIJudge):
        judge.forget_answers()
    return Judged(known=known, asked=to_ask, statuses=dict(sorted(statuses.items())))


def _known_and_open(warehouse: Warehouse, day: date, asked: Sequence[Asked]) -> tuple[int, list[Asked]]:
    """Return on how many the verdict is known by now, and those to ask about; what was taken out since is in neither.

    The same content in another environment may have been judged a moment ago: it is paid for once.
    """
    with warehouse.read() as connection, registered(connection, {"asked": _keys(asked)}):
        rows = connection.execute(sql.load("night/still_drawn.sql"), {"day": day}).fetchall()
    still_open = {tuple(place) for *place, is_known in rows if not is_known}
    open_ones = [
        one for one in asked if (one.environment, one.retrieval.tenant, one.retrieval.retrieval_id) in still_open
    ]
    return len(rows) - len(open_ones), open_ones


def read_sample(warehouse: Warehouse, day: date, judge: Judge) -> list[Asked]:
    """Return the retrievals that were drawn for a day, as this judge is given them."""
    with warehouse.read() as connection:
        rows = connection.execute(sql.load("night/to_judge.sql"), {"day": day, "turns": CONVERSATION_TURNS}).fetchall()
    asked = []
    for environment, tenant, retrieval_id, kind, position, searched_query, message, conversation, passages in rows:
        retrieval = RetrievalToJudge(
            tenant=tenant,
            retrieval_id=retrieval_id,
            searched_query=searched_query,
            message=message,
            conversation=tuple(_utterances(conversation)),
            passages=tuple(PassageToJudge(**passage) for passage in passages),
            stratum=f"{environment}/{kind}/{position}",
        )
        asked.append(Asked(environment=environment, retrieval=retrieval, key=verdict_key(judge.identity, retrieval)))
    return asked


def _utterances(turns: Sequence[dict[str, str | None]]) -> Iterator[Utterance]:
    for turn in turns:
        yield Utterance(role="visitor", text=turn["message"] or "")
        if turn["answer"]:
            yield Utterance(role="assistant", text=turn["answer"])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """What asking for one environment's verdicts takes, and where they go."""

    warehouse: Warehouse
    judge: Judge
    purpose: Purpose
    now: Callable[[], datetime]


async def _ask(work: _Work, asked: Sequence[Asked], on_verdict: Callable[[int, int], None]) -> Counter[str]:
    keys = {(one.retrieval.tenant, one.retrieval.retrieval_id): one.key for one in asked}
    unique = {one.key: one.retrieval for one in asked}
    statuses: Counter[str] = Counter()
    async for step in in_steps(work.judge.judge(list(unique.values())), most=MOST_AT_ONCE, seconds=SOON):
        await undisturbed(asyncio.to_thread(_store, work, keys, step))
        statuses.update(verdict.status.value for verdict in step)
        on_verdict(statuses.total(), len(unique))
    return statuses


def _store(work: _Work, keys: dict[tuple[str, str], str], verdicts: Sequence[RetrievalVerdict]) -> None:
    rows: list[dict[str, Any]] = []
    passage_rows: list[dict[str, Any]] = []
    identity, at = work.judge.identity, work.now()
    for verdict in verdicts:
        place = {"tenant": verdict.tenant, "verdict_key": keys[verdict.tenant, verdict.retrieval_id]}
        usage = verdict.usage
        rows.append(
            place
            | {name: getattr(identity, name) for name in ("judge", "model", "rubric_version", "prompt_hash")}
            | {
                name: getattr(verdict, name)
                for name in ("need", "needs_retrieval", "sufficient", "response_model", "detail")
            }
            | {name: getattr(usage, name) for name in usage.__slots__}
            | {"status": verdict.status.value, "is_final": verdict.status.final, "judged_at": at}
        )
        passage_rows += [
            place
            | {"ordinal": passage.rank, "passage_id": passage.passage_id, "status": passage.status.value}
            | {name: getattr(passage, name) for name in ("query_grade", "need_grade", "evidence")}
            for passage in verdict.passages
        ]
    with (
        work.warehouse.write() as connection,
        registered(connection, {"new_verdicts": pa.Table.from_pylist(rows, schema=_VERDICTS)}),
        registered(connection, {"new_passage_verdicts": pa.Table.from_pylist(passage_rows, schema=_PASSAGE_VERDICTS)}),
    ):
        drawn = {"day": work.purpose.day}
        connection.execute(sql.load("night/store_verdicts.sql"), drawn)
        connection.execute(sql.load("night/store_passage_verdicts.sql"), drawn)
        store_spending(connection, work.purpose, verdicts, at)


def _keys(asked: Sequence[Asked]) -> pa.Table:
    return pa.table(
        {
            "environment": pa.array([one.environment for one in asked], pa.string()),
            "tenant": pa.array([one.retrieval.tenant for one in asked], pa.string()),
            "retrieval_id": pa.array([one.retrieval.retrieval_id for one in asked], pa.string()),
            "verdict_key": pa.array([one.key for one in asked], pa.string()),
        }
    )
