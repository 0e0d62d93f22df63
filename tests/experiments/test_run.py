"""An experiment from design to results: what completes, what fails and is named, what is refused."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest

from pipelines.errors import UsageError
from pipelines.experiments.datasets.item import Item
from pipelines.experiments.design import Design
from pipelines.experiments.metrics import to_judge
from pipelines.experiments.metrics.display import AnnotatedDisplayError
from pipelines.experiments.result import Cell, Result
from pipelines.experiments.retrievers import Query, Ranked, Retriever
from pipelines.experiments.run import Display, Doors, execute
from pipelines.experiments.strategies import Ask, Plan, Strategy, choose
from pipelines.judging.verdict import (
    JudgeIdentity,
    PassageVerdict,
    RetrievalToJudge,
    RetrievalVerdict,
    Status,
)
from tests.experiments.build import FixedRetriever, SaysModel, item

ITEMS = (
    item("i1", "What does the team plan cost per month?", qrels={"p1": 1}),
    item("i2", "And the other one?", said=("Which plans are there?", "Team and Company."), qrels={"p2": 1}),
)


class FixedJudge:
    """Gives every passage the same grade, and remembers what it was shown."""

    def __init__(self, grade: int = 3, *, status: Status = Status.JUDGED, needs: bool = True) -> None:
        self.grade = grade
        self.status = status
        self.needs = needs
        self.shown: list[RetrievalToJudge] = []

    @property
    def identity(self) -> JudgeIdentity:
        """Return a name."""
        return JudgeIdentity(judge="fixed", model="none", rubric_version="1", prompt_hash="x")

    async def judge(self, retrievals: Sequence[RetrievalToJudge]) -> AsyncIterator[RetrievalVerdict]:
        """Answer the last first: the order of verdicts is not that of the questions."""
        for each in reversed(retrievals):
            self.shown.append(each)
            grade = self.grade if self.status is Status.JUDGED else None
            yield RetrievalVerdict(
                tenant=each.tenant,
                retrieval_id=each.retrieval_id,
                status=self.status,
                passages=tuple(
                    PassageVerdict(
                        rank=passage.rank,
                        passage_id=passage.passage_id,
                        status=self.status,
                        query_grade=grade,
                        need_grade=grade,
                    )
                    for passage in each.passages
                ),
                sufficient=True,
                needs_retrieval=self.needs,
            )


def design(*specs: str, items: Sequence[Item] = ITEMS, floor: bool = False, repetitions: int = 1) -> Design:
    """Return a design over the strategies named."""
    return Design(
        dataset="set",
        dataset_hash="hash",
        items=tuple(items),
        strategies=tuple(choose(spec, lambda _name: SaysModel("price of Company")) for spec in specs),
        control="raw",
        retriever="fixed",
        judge="qrels",
        k=3,
        floor=floor,
        repetitions=repetitions,
    )


def run(
    made: Design,
    retriever: Retriever,
    *,
    judge: FixedJudge | None = None,
    known: dict[Cell, Result] | None = None,
    display: Display = to_judge,
    kept: list[Result] | None = None,
) -> dict[Cell, Result]:
    """Execute with a clock that stands still."""
    doors = Doors(retriever_of=lambda _tenant, _again: retriever, clock=lambda: 0.0, judge=judge, display=display)
    return execute(made, doors, known=known or {}, keep=(kept if kept is not None else []).extend)


def test_every_item_is_searched_scored_and_kept_under_every_strategy() -> None:
    """The control's query is the message; each result says what it found and cost."""
    retriever = FixedRetriever({"price of Company": ["p2"]}, ["p1"])
    kept: list[Result] = []

    results = run(design("raw", "rewrite@m"), retriever, kept=kept)

    assert len(results) == 4
    assert {each.cell for each in kept} == set(results)
    assert results["raw", "i1", 0].scores["RR@10"] == 1.0
    assert results["raw", "i2", 0].scores["RR@10"] == 0.0
    rewritten = results["rewrite@m", "i2", 0]
    assert rewritten.scores["RR@10"] == 1.0
    assert (rewritten.calls, rewritten.prompt_tokens, rewritten.completion_tokens, rewritten.latency_ms) == (
        1,
        10,
        2,
        5.0,
    )
    assert rewritten.fired


def test_the_control_runs_again_for_the_noise_floor() -> None:
    """With the floor the control has a second repetition, the others have one."""
    results = run(design("raw", "always_combine", floor=True), FixedRetriever({}, ["p1"]))

    assert {cell[2] for cell in results if cell[0] == "raw"} == {0, 1}
    assert {cell[2] for cell in results if cell[0] != "raw"} == {0}
    assert len(results) == design("raw", "always_combine", floor=True).expected


def test_one_item_that_raises_is_a_failed_result_and_stops_nothing() -> None:
    """The error names what happened; everything else completes."""
    retriever = FixedRetriever({ITEMS[1].message: RuntimeError("index is gone")}, ["p1"])

    results = run(design("raw", "always_combine"), retriever)

    failed = [each for each in results.values() if each.error]
    assert [(each.cell, each.error) for each in failed] == [(("raw", "i2", 0), "RuntimeError: index is gone")]
    assert len(results) == 4


def test_only_what_is_missing_is_paid_for_again() -> None:
    """Completed results are taken over; the failed one alone is searched and judged."""
    broken = FixedRetriever({ITEMS[1].message: RuntimeError("index is gone")}, ["p1"])
    first = run(design("raw"), broken, judge=FixedJudge())
    mended, judge = FixedRetriever({}, ["p1"]), FixedJudge()

    second = run(design("raw"), mended, judge=judge, known=first)

    assert [query.text for query in mended.asked] == [ITEMS[1].message]
    assert [each.retrieval_id for each in judge.shown] == ["i2"]
    assert all(each.error is None for each in second.values())
    assert second["raw", "i1", 0] == first["raw", "i1", 0]


def test_a_skipped_search_is_not_an_empty_one_and_finds_nothing() -> None:
    """No query is sent; what there was to find was not found."""
    short = item("i3", "ok", said=("Which plans are there?", "Team and Company."), qrels={"p1": 1})
    retriever = FixedRetriever({}, ["p1"])

    results = run(design("raw", "gated_combine", items=[short]), retriever)

    skipped, control = results["gated_combine", "i3", 0], results["raw", "i3", 0]
    assert (skipped.skipped, skipped.scores["nDCG@5"]) == (True, 0.0)
    assert (control.skipped, control.scores["nDCG@5"]) == (False, 1.0)
    assert [query.text for query in retriever.asked] == ["ok"]


def test_items_without_known_relevance_complete_without_scores() -> None:
    """They are counted and say why; they are no zeros."""
    results = run(design("raw", items=[item("i9", "Is it raining today?")]), FixedRetriever({}, ["p1"]))

    assert results["raw", "i9", 0].scores == {}
    assert results["raw", "i9", 0].unscored == "nobody said what is relevant"
    assert results["raw", "i9", 0].error is None


def test_several_queries_are_fused_by_rank() -> None:
    """Second in both rankings beats first in one."""
    retriever = FixedRetriever({ITEMS[1].message: ["a", "b"], f"Which plans are there? {ITEMS[1].message}": ["c", "b"]})

    results = run(design("raw", "raw+always_combine", items=ITEMS[1:]), retriever)

    assert results["raw+always_combine", "i2", 0].passage_ids == ("b", "a", "c")


async def _liar(item: Item, _ask: Ask) -> Plan:
    return Plan(queries=(Query(text=f"{item.message} and more"),), fired=False)


def test_a_strategy_that_declines_and_changes_the_query_is_refused() -> None:
    """Else the control built into the run would be none."""
    made = design("raw")
    lying = Strategy(name="liar", summary="says it declined", resolve=_liar, made_of=())

    results = run(replace(made, strategies=(*made.strategies, lying)), FixedRetriever({}, ["p1"]))

    assert "says that it declined" in (results["liar", "i1", 0].error or "")
    assert results["raw", "i1", 0].error is None


def test_a_judge_scores_whatever_order_its_verdicts_come_in() -> None:
    """Each verdict goes to its own item, and useful is a share of k."""
    results = run(design("raw"), FixedRetriever({ITEMS[0].message: ["a"]}, ["b", "c"]), judge=FixedJudge())

    assert results["raw", "i1", 0].scores["useful"] == pytest.approx(1 / 3)
    assert results["raw", "i2", 0].scores["useful"] == pytest.approx(2 / 3)
    assert results["raw", "i2", 0].scores["sufficient"] == 1.0


def test_the_judge_sees_the_same_for_every_strategy() -> None:
    """Strategies that return the same passages are shown byte for byte alike; no query, name or keyword shows."""
    judge = FixedJudge()
    says = '{"low_level": ["Company plan"]}'
    specs = ("raw", "always_combine", "whole_history", "keywords@m", "keywords_appended@m", "rewrite@m", "two_call@m")
    made = replace(design("raw"), strategies=tuple(choose(spec, lambda _name: SaysModel(says)) for spec in specs))

    run(made, FixedRetriever({}, ["p1", "p2"]), judge=judge)

    for turn in ITEMS:
        shown = [each for each in judge.shown if each.retrieval_id == turn.item_id]
        assert len(shown) == len(specs)
        assert all(each == to_judge(turn, each_ranked(shown[0])) for each in shown)


def each_ranked(shown: RetrievalToJudge) -> tuple[Ranked, ...]:
    """Return the passages of a display as a retriever returned them."""
    return tuple(Ranked(passage_id=each.passage_id, text=each.text or "", score=0.0) for each in shown.passages)


def test_a_judge_that_would_be_shown_an_annotation_is_refused() -> None:
    """Keywords beside the query, for one strategy and not for the control, end the run with a clear message."""

    class Annotating(FixedRetriever):
        async def search(self, query: Query, k: int) -> Sequence[Ranked]:
            found = await super().search(query, k)
            return [replace(each, text=f"{each.text} [{query.text}]") for each in found]

    with pytest.raises(AnnotatedDisplayError, match="strategy always_combine, item i2: the judge would be shown"):
        run(design("raw", "always_combine"), Annotating({}, ["p1"]), judge=FixedJudge())


def test_a_missing_verdict_fails_the_item_and_a_turn_without_need_is_its_own_class() -> None:
    """Neither is a zero."""
    refused = run(design("raw"), FixedRetriever({}, ["p1"]), judge=FixedJudge(status=Status.REFUSED))
    needless = run(design("raw"), FixedRetriever({}, ["p1"]), judge=FixedJudge(needs=False))

    assert {each.error for each in refused.values()} == {"no verdict (refused)"}
    assert {(each.error, each.unscored) for each in needless.values()} == {(None, "needs no retrieval")}


def test_nothing_found_needs_no_judge() -> None:
    """An empty answer is insufficient, and costs no call."""
    judge = FixedJudge()

    results = run(design("raw"), FixedRetriever({}), judge=judge)

    assert judge.shown == []
    assert {each.scores["sufficient"] for each in results.values()} == {0.0}


def test_a_design_that_means_nothing_is_refused() -> None:
    """The control must be among the strategies, each once, and there must be items."""
    with pytest.raises(UsageError, match="control 'raw' is not among"):
        design("always_combine")
    with pytest.raises(UsageError, match="named twice"):
        design("raw", "raw")
    with pytest.raises(UsageError, match="items must be there"):
        design("raw", items=[])


def test_the_harness_version_follows_all_that_measures() -> None:
    """Another judge, retriever, depth or set is another harness; another strategy is not."""
    made = design("raw")

    assert design("raw", "always_combine").harness_version == made.harness_version
    for change in ({"judge": "x"}, {"retriever": "x"}, {"k": 4}, {"dataset_hash": "x"}):
        assert replace(made, **change).harness_version != made.harness_version
    assert design("raw", "always_combine").digest != made.digest


def test_asking_without_a_model_is_a_mistake_of_the_program() -> None:
    """A strategy that asks is given a model by the registry."""
    with pytest.raises(ValueError, match="given no model"):
        asyncio.run(Ask(model=None, item=ITEMS[0])("rewrite", "Rewrite."))
