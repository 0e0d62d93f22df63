"""Carry an experiment out: plan, search and score every item under every strategy, and keep what completed."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, replace

from pipelines.errors import NightcheckError
from pipelines.experiments.datasets.item import Item
from pipelines.experiments.design import Design
from pipelines.experiments.metrics import score_rankings, score_verdict, to_judge
from pipelines.experiments.metrics.display import DisplayGuard
from pipelines.experiments.result import Cell, Result, input_hash
from pipelines.experiments.retrievers import Ranked, Retriever, reciprocal_rank_fusion
from pipelines.experiments.retrievers.fusion import DEPTH
from pipelines.experiments.strategies import Ask, Plan, Strategy
from pipelines.experiments.strategies.plan import as_typed
from pipelines.judging.verdict import Judge, RetrievalToJudge, RetrievalVerdict

#: what the judge sees of an item and its passages
Display = Callable[[Item, Sequence[Ranked]], RetrievalToJudge]
#: the retriever of a tenant; the repetition lets a cached one be asked afresh
RetrieverOf = Callable[[str, int], Retriever]

_NO_QRELS = "nobody said what is relevant"
_NO_NEED = "needs no retrieval"


class DeclinedButChangedError(NightcheckError):
    """A strategy says that it changed nothing and searches something else: its control would be none."""

    def __init__(self, strategy: str, item_id: str) -> None:
        super().__init__(
            f"strategy {strategy}, item {item_id}",
            "it says that it declined, and its query is not the message byte for byte",
            "Let the strategy say that it fired",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """All that an experiment needs of the world. Without a judge, items are scored by their known relevance."""

    retriever_of: RetrieverOf
    clock: Callable[[], float]
    judge: Judge | None = None
    display: Display = to_judge
    at_once: int = 8
    #: what is opened before the first search and closed after the last
    opened: tuple[AbstractAsyncContextManager[object], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Searched:
    result: Result
    passages: tuple[Ranked, ...] = ()


def execute(
    design: Design,
    doors: Doors,
    *,
    known: Mapping[Cell, Result],
    keep: Callable[[Sequence[Result]], None],
    advance: Callable[[int], None] = lambda _count: None,
) -> dict[Cell, Result]:
    """Return a result for every cell of the design, those that are known and completed taken over unpaid.

    `keep` is given the new results of each pass, failed ones too; `advance` how many cells are done. An item that
    raises is a result with an error and stops nothing. Raises `AnnotatedDisplayError` if the judge would be shown what
    tells strategies apart.
    """

    async def within() -> dict[Cell, Result]:
        async with AsyncExitStack() as stack:
            for door in doors.opened:
                await stack.enter_async_context(door)
            return await _execute(design, doors, known, keep, advance)

    return asyncio.run(within())


async def _execute(
    design: Design,
    doors: Doors,
    known: Mapping[Cell, Result],
    keep: Callable[[Sequence[Result]], None],
    advance: Callable[[int], None],
) -> dict[Cell, Result]:
    guard = DisplayGuard()
    gate = asyncio.Semaphore(doors.at_once)

    async def search(strategy: Strategy, item: Item, repetition: int) -> tuple[Item, _Searched]:
        async with gate:
            found = await _guarded(strategy, item, repetition, _search(design, doors, strategy, item, repetition))
        advance(1)
        return item, found

    done: dict[Cell, Result] = {}
    for strategy, repetition in design.passes():
        missing = []
        for item in design.items:
            before = known.get((strategy.name, item.item_id, repetition))
            if before is not None and before.error is None:
                done[before.cell] = before
            else:
                missing.append(item)
        advance(len(design.items) - len(missing))
        if not missing:
            continue
        searched = await asyncio.gather(*(search(strategy, item, repetition) for item in missing))
        found = await _score(design, doors, guard, searched)
        keep(found)
        done |= {each.cell: each for each in found}
    return done


async def _guarded(strategy: Strategy, item: Item, repetition: int, work: Awaitable[_Searched]) -> _Searched:
    try:
        return await work
    except Exception as error:  # noqa: BLE001 - whatever an item raises fails the run and must name the item
        reason = str(error) if isinstance(error, NightcheckError) else f"{type(error).__name__}: {error}"
        return _Searched(
            result=Result(strategy=strategy.name, item_id=item.item_id, repetition=repetition, error=reason)
        )


async def _search(design: Design, doors: Doors, strategy: Strategy, item: Item, repetition: int) -> _Searched:
    ask = Ask(model=strategy.model, item=item)
    began = doors.clock()
    plan = await strategy.resolve(item, ask)
    planned = (doors.clock() - began) * 1000
    searched = input_hash(plan.queries)
    if not plan.fired and searched != input_hash(as_typed(item).queries):
        raise DeclinedButChangedError(strategy.name, item.item_id)
    passages = await _retrieve(plan, doors.retriever_of(item.tenant, repetition), design.k)
    return _Searched(
        passages=passages,
        result=Result(
            strategy=strategy.name,
            item_id=item.item_id,
            repetition=repetition,
            input_hash=searched,
            fired=plan.fired,
            skipped=not plan.queries,
            passage_ids=tuple(each.passage_id for each in passages),
            findings=tuple(dict.fromkeys(finding.value for finding in (*plan.findings, *ask.findings))),
            calls=ask.calls,
            prompt_tokens=ask.prompt_tokens,
            completion_tokens=ask.completion_tokens,
            latency_ms=ask.latency_ms if ask.calls else planned,
        ),
    )


async def _retrieve(plan: Plan, retriever: Retriever, k: int) -> tuple[Ranked, ...]:
    if not plan.queries:
        return ()
    if len(plan.queries) == 1:
        return tuple(await retriever.search(plan.queries[0], k))
    rankings = [await retriever.search(query, max(k, DEPTH)) for query in plan.queries]
    return reciprocal_rank_fusion(rankings, k)


async def _score(
    design: Design, doors: Doors, guard: DisplayGuard, searched: Sequence[tuple[Item, _Searched]]
) -> list[Result]:
    completed = [(item, each) for item, each in searched if each.result.error is None]
    failed = [each.result for _, each in searched if each.result.error is not None]
    if doors.judge is None:
        return failed + _score_by_relevance(completed)
    return failed + await _score_by_judge(design, doors, doors.judge, guard, completed)


def _score_by_relevance(searched: Sequence[tuple[Item, _Searched]]) -> list[Result]:
    scores = score_rankings(
        {item.item_id: each.result.passage_ids for item, each in searched},
        {item.item_id: item.qrels or {} for item, _ in searched},
    )
    return [
        replace(
            each.result,
            scores=scores.get(item.item_id, {}),
            unscored=None if item.item_id in scores else _NO_QRELS,
        )
        for item, each in searched
    ]


async def _score_by_judge(
    design: Design, doors: Doors, judge: Judge, guard: DisplayGuard, searched: Sequence[tuple[Item, _Searched]]
) -> list[Result]:
    shown: dict[tuple[str, str], _Searched] = {}
    ready: list[Result] = []
    to_ask: list[RetrievalToJudge] = []
    for item, each in searched:
        if not each.passages:  # nothing was shown, so nothing helps; that is known without a judge
            ready.append(
                replace(each.result, scores={"useful": 0.0, "useful_rr": 0.0, "grade": 0.0, "sufficient": 0.0})
            )
            continue
        display = doors.display(item, each.passages)
        guard.check(each.result.strategy, display)
        shown[display.tenant, display.retrieval_id] = each
        to_ask.append(display)
    async for verdict in judge.judge(to_ask):
        each = shown.pop((verdict.tenant, verdict.retrieval_id))
        ready.append(_with_verdict(each.result, verdict, design.k))
    return ready + [replace(each.result, error="the judge gave no verdict") for each in shown.values()]


def _with_verdict(result: Result, verdict: RetrievalVerdict, k: int) -> Result:
    if verdict.needs_retrieval is False:
        return replace(result, unscored=_NO_NEED)
    scores = score_verdict(verdict, k)
    if isinstance(scores, str):
        return replace(result, error=scores)
    return replace(result, scores=scores)
