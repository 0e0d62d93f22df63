"""The night, step by step: what was drawn, what the judge said, which answers disclaim."""

import dagster as dg

from assets.days import days_of
from assets.partitions import DAYS, ONE_RUN
from assets.resources import Nightcheck
from pipelines.ingest.conflicts.run import settle
from pipelines.io.clock import now
from pipelines.judging.run import judge_sample
from pipelines.marts.catalog import tables_in
from pipelines.night.run import REPLAYED_AT_MOST, alone, draw, measure_disclaims, watch_judge
from pipelines.resolution.dated.run import measure_dates
from pipelines.resolution.gate import GATE_VERSION
from pipelines.resolution.replay.run import replay
from schemas import sql

_GROUP = "night"


def _table(name: str) -> dg.AssetKey:
    return dg.AssetKey(name)


def _stream(query: str) -> list[dg.AssetKey]:
    """Return the canonical tables that a query of the night reads."""
    return [dg.AssetKey(table.split(".")) for table in sorted(tables_in(sql.load(query))) if "canonical." in table]


@dg.asset(
    group_name=_GROUP,
    partitions_def=DAYS,
    backfill_policy=ONE_RUN,
    deps=_stream("night/frame.sql"),
    kinds={"duckdb"},
    pool="duckdb",
)
def sampled_retrievals(context: dg.AssetExecutionContext, nightcheck: Nightcheck) -> None:
    """Which retrievals of the day are judged, each with its inclusion probability.

    The draw is by a hash of the retrieval's id, so that drawing again gives the same sample.
    """
    warehouse, judge, plan = nightcheck.warehouse(), nightcheck.instrument(), nightcheck.plan()
    settle(warehouse)
    for day in days_of(context):
        with alone(warehouse, day):
            drawn = draw(warehouse, day, judge, plan)
        context.add_asset_metadata(
            {"drawn": drawn.sample_size, "of": drawn.frame_size, "dagster/partition_row_count": drawn.sample_size},
            partition_key=day.isoformat(),
        )


@dg.asset(
    group_name=_GROUP,
    partitions_def=DAYS,
    backfill_policy=ONE_RUN,
    deps=[sampled_retrievals],
    kinds={"duckdb"},
    pool="duckdb",
)
def anchor_verdicts(context: dg.AssetExecutionContext, nightcheck: Nightcheck) -> None:
    """The judge's grades of frozen passages, asked anew every night, to see whether the judge itself moves.

    Trouble with these calls is counted and stops nothing. Without imported anchors there is no call.
    """
    warehouse, judge = nightcheck.warehouse(), nightcheck.instrument()
    for day in days_of(context):
        with alone(warehouse, day):
            night = watch_judge(warehouse, day, judge, now=now)
        moved = {} if night.drift is None else {"share that moved": night.drift.share}
        context.add_asset_metadata(
            {"asked": night.asked, **moved}
            | night.in_words
            | {f"status {status}": count for status, count in night.statuses.items()},
            partition_key=day.isoformat(),
        )


@dg.asset(
    group_name=_GROUP,
    partitions_def=DAYS,
    backfill_policy=ONE_RUN,
    # the frozen passages first, so that a budget that ends leaves the instrument watched: it is few calls
    deps=[sampled_retrievals, anchor_verdicts, *_stream("night/to_judge.sql")],
    kinds={"duckdb"},
    pool="duckdb",
)
def relevance_verdicts(context: dg.AssetExecutionContext, nightcheck: Nightcheck) -> None:
    """The judge's grades of every passage drawn, against the searched query and against the visitor's need.

    Verdicts that are known are not asked for again. A missing verdict has a status and is never a zero.
    """
    warehouse, judge = nightcheck.warehouse(), nightcheck.instrument()
    for day in days_of(context):
        with alone(warehouse, day):
            judged = judge_sample(warehouse, day, judge, now=now)
        context.add_asset_metadata(
            {"asked": judged.asked, "known": judged.known, "judge": judge.identity.judge, "model": judge.identity.model}
            | {f"status {status}": count for status, count in judged.statuses.items()},
            partition_key=day.isoformat(),
        )


@dg.asset(
    group_name=_GROUP,
    partitions_def=DAYS,
    backfill_policy=ONE_RUN,
    deps=[sampled_retrievals, *_stream("night/answers.sql")],
    kinds={"duckdb"},
    pool="duckdb",
)
def answer_disclaims(context: dg.AssetExecutionContext, nightcheck: Nightcheck) -> None:
    """Which answers of the day say that they do not know; all of them are looked at, not a sample.

    Those beyond midnight that drawn searches of the day belong to are looked at with it.
    """
    warehouse, plan = nightcheck.warehouse(), nightcheck.plan()
    for day in days_of(context):
        with alone(warehouse, day):
            answers = measure_disclaims(warehouse, day, plan.environments)
        context.add_asset_metadata({"answers": answers}, partition_key=day.isoformat())


@dg.asset(
    group_name=_GROUP,
    partitions_def=DAYS,
    backfill_policy=ONE_RUN,
    deps=_stream("night/turns_to_replay.sql"),
    kinds={"duckdb"},
    pool="duckdb",
)
def replayed_decisions(context: dg.AssetExecutionContext, nightcheck: Nightcheck) -> None:
    """What this gate decides for the turns of the day, beside what the events report; of many, for a sample."""
    warehouse, plan = nightcheck.warehouse(), nightcheck.plan()
    for day in days_of(context):
        with alone(warehouse, day):
            turns = replay(warehouse, day, plan.environments, at_most=REPLAYED_AT_MOST)
        context.add_asset_metadata(
            {"turns": turns, "gate version": GATE_VERSION, "dagster/partition_row_count": turns},
            partition_key=day.isoformat(),
        )


@dg.asset(
    group_name=_GROUP,
    partitions_def=DAYS,
    backfill_policy=ONE_RUN,
    deps=_stream("night/questions.sql"),
    kinds={"duckdb"},
    pool="duckdb",
)
def dated_questions(context: dg.AssetExecutionContext, nightcheck: Nightcheck) -> None:
    """Which questions of the day name a time, and whether a window can be read from them."""
    warehouse, plan = nightcheck.warehouse(), nightcheck.plan()
    for day in days_of(context):
        with alone(warehouse, day):
            questions = measure_dates(warehouse, day, plan.environments)
        context.add_asset_metadata({"questions": questions}, partition_key=day.isoformat())


ASSETS = [
    sampled_retrievals,
    anchor_verdicts,
    relevance_verdicts,
    answer_disclaims,
    replayed_decisions,
    dated_questions,
]

#: which asset makes each table that the marts read; a table that is not here comes from the stream
MAKERS = {
    "night.nights": _table("sampled_retrievals"),
    "night.strata": _table("sampled_retrievals"),
    "night.sample": _table("sampled_retrievals"),
    "night.verdicts": _table("relevance_verdicts"),
    "night.passage_verdicts": _table("relevance_verdicts"),
    "night.disclaims": _table("answer_disclaims"),
    "night.replayed_decisions": _table("replayed_decisions"),
    "night.dated_questions": _table("dated_questions"),
}
