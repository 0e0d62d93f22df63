"""Keeps frozen retrievals in the warehouse and judges them anew, night by night."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from functools import partial

import msgspec
import pyarrow as pa

from pipelines.io.registered import registered
from pipelines.io.warehouse import Connection, Warehouse
from pipelines.judging.anchors.drift import Drift, Instrument, instruments
from pipelines.judging.anchors.labels import BesideLabels, Said, beside_labels
from pipelines.judging.anchors.line import Anchor
from pipelines.judging.openai import OpenAIJudge
from pipelines.judging.spending.run import Purpose, store_spending, within_budget
from pipelines.judging.steps import MOST_AT_ONCE, SOON, in_steps, undisturbed
from pipelines.judging.verdict import (
    Judge,
    JudgeIdentity,
    PassageVerdict,
    RetrievalToJudge,
    RetrievalVerdict,
    Status,
)
from schemas import sql

#: in place of an environment: what people did about the judge, which judges all of them
ALL_ENVIRONMENTS = "*"

_ANCHORS = pa.schema(
    [
        ("tenant", pa.string()),
        ("retrieval_id", pa.string()),
        ("content", pa.string()),
        ("passages", pa.int32()),
        ("imported_at", pa.timestamp("us", tz="UTC")),
    ]
)
_VERDICTS = pa.schema(
    [("day", pa.date32())]
    + [(name, pa.string()) for name in ("judge", "model", "rubric_version", "prompt_hash", "tenant", "retrieval_id")]
    + [("ordinal", pa.int32()), ("status", pa.string()), ("query_grade", pa.int8()), ("need_grade", pa.int8())]
    + [("judged_at", pa.timestamp("us", tz="UTC"))]
)


def import_anchors(warehouse: Warehouse, anchors: Sequence[Anchor], at: datetime) -> int:
    """Add anchors and return how many are new. One that is there already stays as it was: it is frozen."""
    rows = [
        {
            "tenant": anchor.tenant,
            "retrieval_id": anchor.retrieval_id,
            "content": msgspec.json.encode(anchor).decode(),
            "passages": len(anchor.passages),
            "imported_at": at,
        }
        for anchor in anchors
    ]
    with warehouse.write() as connection:
        before = len(connection.execute(sql.load("night/read_anchors.sql")).fetchall())
        with registered(connection, {"new_anchors": pa.Table.from_pylist(rows, schema=_ANCHORS)}):
            connection.execute(sql.load("night/store_anchors.sql"))
        after = len(connection.execute(sql.load("night/read_anchors.sql")).fetchall())
    return after - before


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorNight:
    """What came of asking about the frozen passages: how many were asked about, how that ended, what the chart says.

    `drift` is None where there is nothing to compare with yet. `ordinary` and `canaries` say how the night's grades
    stand to those that people gave, whichever run asked for them; None where this night asked about none of them.
    """

    asked: int
    statuses: dict[str, int]
    drift: Drift | None
    ordinary: BesideLabels | None = None
    canaries: BesideLabels | None = None

    @property
    def in_words(self) -> dict[str, str]:
        """Return what is to be said of labelled passages and of canaries, by which of them it is."""
        labelled = self.ordinary if self.ordinary is not None and self.ordinary.labelled else None
        both = {"labelled passages": labelled, "canaries": self.canaries}
        return {name: str(found) for name, found in both.items() if found is not None}


def judge_anchors(
    warehouse: Warehouse, day: date, judge: Judge, *, now: Callable[[], datetime], again: bool = False
) -> AnchorNight:
    """Judge all anchors, past the store of verdicts, and return what came of it. Without anchors there is no call.

    Without `again` those that this judge answered for this very night are left alone, so that a night that is run
    again, or that was killed among them, pays for nothing twice. Trouble with the judge, of whatever kind, is a status
    and no error: what watches the instrument must not stop the night.
    """
    if isinstance(judge, OpenAIJudge):
        judge = judge.keeping(f"anchors-{day}")
    retrievals = _to_ask(warehouse, day, judge, again=again)
    statuses: Counter[str] = Counter()
    if retrievals:
        asked = within_budget(warehouse, day, judge)
        statuses = asyncio.run(_ask(asked, retrievals, partial(_store, warehouse, day, asked, now)))
    if isinstance(judge, OpenAIJudge):
        judge.forget_answers()
    drifts = drift_until(warehouse, day, judge.identity)
    ordinary, canaries = (_beside_labels(warehouse, day, judge.identity, canary=canary) for canary in (False, True))
    return AnchorNight(
        asked=sum(len(retrieval.passages) for retrieval in retrievals),
        statuses=dict(sorted(statuses.items())),
        drift=drifts[-1] if drifts else None,
        ordinary=ordinary,
        canaries=canaries,
    )


def _beside_labels(warehouse: Warehouse, day: date, identity: JudgeIdentity, *, canary: bool) -> BesideLabels | None:
    with warehouse.read() as connection:
        anchors = [anchor for anchor in _anchors(connection) if anchor.canary == canary]
        rows = connection.execute(sql.load("night/anchors_of_a_night.sql"), asdict(identity) | {"day": day}).fetchall()
    said = {
        (tenant, retrieval_id, rank): Said(query_grade=query_grade, need_grade=need_grade, moved=moved)
        for tenant, retrieval_id, rank, query_grade, need_grade, moved in rows
    }
    found = beside_labels(anchors, said)
    return found if found.passages else None


def _anchors(connection: Connection) -> list[Anchor]:
    contents = connection.execute(sql.load("night/read_anchors.sql")).fetchall()
    return [msgspec.json.decode(content, type=Anchor) for (content,) in contents]


def _to_ask(warehouse: Warehouse, day: date, judge: Judge, *, again: bool) -> list[RetrievalToJudge]:
    with warehouse.read() as connection:
        anchors = _anchors(connection)
        not_final = [status.value for status in Status if not status.final]
        parameters = asdict(judge.identity) | {"day": day, "not_final": not_final}
        answered = set(connection.execute(sql.load("night/anchors_answered.sql"), parameters).fetchall())
    retrievals = [anchor.to_judge() for anchor in anchors]
    return [each for each in retrievals if again or (each.tenant, each.retrieval_id) not in answered]


async def _ask(
    judge: Judge, retrievals: Sequence[RetrievalToJudge], store: Callable[[Sequence[RetrievalVerdict]], None]
) -> Counter[str]:
    """Have each step of verdicts stored as it comes; return how many passages have which status."""
    statuses: Counter[str] = Counter()
    async for step in _verdicts_or_statuses(judge, retrievals):
        await undisturbed(asyncio.to_thread(store, step))
        statuses.update(passage.status.value for verdict in step for passage in verdict.passages)
    return statuses


async def _verdicts_or_statuses(
    judge: Judge, retrievals: Sequence[RetrievalToJudge]
) -> AsyncIterator[list[RetrievalVerdict]]:
    """Yield a verdict on every retrieval: where the judge gave up half-way, those that it left are unavailable."""
    left = {(each.tenant, each.retrieval_id): each for each in retrievals}
    detail = None
    try:
        async for step in in_steps(judge.judge(retrievals), most=MOST_AT_ONCE, seconds=SOON):
            for verdict in step:
                left.pop((verdict.tenant, verdict.retrieval_id), None)
            yield step
    except Exception as error:  # noqa: BLE001 - whatever it is, the night goes on, and it is stored and counted
        detail = type(error).__name__
    if left:
        yield [_unavailable(each, detail) for each in left.values()]


def _unavailable(retrieval: RetrievalToJudge, detail: str | None) -> RetrievalVerdict:
    return RetrievalVerdict(
        tenant=retrieval.tenant,
        retrieval_id=retrieval.retrieval_id,
        status=Status.UNAVAILABLE,
        passages=tuple(
            PassageVerdict(rank=passage.rank, passage_id=passage.passage_id, status=Status.UNAVAILABLE)
            for passage in retrieval.passages
        ),
        detail=detail,
    )


def _store(
    warehouse: Warehouse, day: date, judge: Judge, now: Callable[[], datetime], verdicts: Sequence[RetrievalVerdict]
) -> None:
    at = now()
    rows = [
        {
            **asdict(judge.identity),
            "day": day,
            "tenant": verdict.tenant,
            "retrieval_id": verdict.retrieval_id,
            "ordinal": passage.rank,
            "status": passage.status.value,
            "query_grade": passage.query_grade,
            "need_grade": passage.need_grade,
            "judged_at": at,
        }
        for verdict in verdicts
        for passage in verdict.passages
    ]
    verdicts_of_night = pa.Table.from_pylist(rows, schema=_VERDICTS)
    with warehouse.write() as connection, registered(connection, {"new_anchor_verdicts": verdicts_of_night}):
        connection.execute(sql.load("night/store_anchor_verdicts.sql"))
        store_spending(connection, Purpose(day=day, what="anchors", model=judge.identity.model), verdicts, at)


def known_instruments(connection: Connection) -> dict[str, Instrument]:
    """Return the charts of all judges that were asked about the frozen passages, by name (as `instrument_name`).

    Where somebody accepted the judge as it was, its chart starts anew; a baseline of one environment is not that.
    """
    acts = connection.execute(sql.load("alerts/acts.sql")).fetchall()
    accepted = sorted(day for where, day, what, _ in acts if (where, what) == (ALL_ENVIRONMENTS, "baseline"))
    return instruments(connection.execute(sql.load("night/anchor_nights.sql")).fetchall(), accepted)


def instrument_name(identity: JudgeIdentity) -> str:
    """Return the name under which nights and charts know a judge."""
    return f"{identity.judge} {identity.model} {identity.rubric_version} {identity.prompt_hash}"


def drift_until(warehouse: Warehouse, day: date, identity: JudgeIdentity) -> list[Drift]:
    """Return one judge's chart up to a day, oldest night first."""
    with warehouse.read() as connection:
        known = known_instruments(connection)
    instrument = known.get(instrument_name(identity))
    return [drift for drift in instrument.drifts if drift.day <= day] if instrument else []
