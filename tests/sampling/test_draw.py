"""Which retrievals are drawn."""

from typing import Any

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.sampling import permanent_number, plan
from schemas import sql


def a_frame(ids: list[str], *, tenant: str = "acme.example") -> pl.DataFrame:
    """Return a frame of one stratum."""
    return pl.DataFrame(
        {
            "environment": ["production"] * len(ids),
            "tenant": [tenant] * len(ids),
            "retrieval_id": ids,
            "kind": ["document"] * len(ids),
            "position": ["first"] * len(ids),
        },
        schema=dict.fromkeys(("environment", "tenant", "retrieval_id", "kind", "position"), pl.String),
    )


def a_mixed_frame(rows: int) -> pl.DataFrame:
    """Return a frame of several tenants and strata, every cell of another size."""
    number = pl.int_range(rows, eager=True)
    return pl.DataFrame({"number": number}).select(
        environment=pl.when(pl.col("number") % 11 == 0).then(pl.lit("staging")).otherwise(pl.lit("production")),
        tenant=pl.format("t{}.example", pl.col("number") % 3),
        retrieval_id=pl.format("r-{}", "number"),
        kind=pl.when(pl.col("number") % 5 == 0).then(pl.lit("mixed")).otherwise(pl.lit("conversation")),
        position=pl.when(pl.col("number") % 7 < 4).then(pl.lit("first")).otherwise(pl.lit("combined")),
    )


def test_the_reference_numbers_come_out(reference: dict[str, dict[str, Any]]) -> None:
    """A permanent random number is the first 64 bits of a hash, and its order is the order of drawing."""
    case = reference["hash_sample"]
    seed, tenant, ids = case["input"]["seed"], case["input"]["tenant"], case["input"]["ids"]

    numbers = {retrieval_id: permanent_number(seed, tenant, retrieval_id) for retrieval_id in ids}
    drawn = plan(a_frame(ids, tenant=tenant), seed=seed, cap=case["input"]["n"]).drawn["retrieval_id"].to_list()
    later = plan(a_frame([*ids, "r-011", "r-012"], tenant=tenant), seed=seed, cap=case["input"]["n"])

    assert numbers == pytest.approx(case["expected"]["u"], abs=case["abs_tol"])
    assert sorted(ids, key=lambda retrieval_id: numbers[retrieval_id]) == case["expected"]["order"]
    assert drawn == case["expected"]["sample"]
    assert later.drawn["retrieval_id"].to_list() == case["expected"]["sample_if_r011_r012_arrive_late"]


def test_a_plan_says_what_was_drawn_from_what() -> None:
    """The weights of what was drawn add up to the frame."""
    frame = a_mixed_frame(500)

    manifest = plan(frame, seed="s", cap=40, watermark=7)

    assert (manifest.frame_size, manifest.seed, manifest.cap, manifest.watermark) == (500, "s", 40, 7)
    assert manifest.strata["frame_size"].sum() == 500
    assert manifest.strata["sample_size"].sum() == manifest.drawn.height
    assert (1 / manifest.drawn["probability"]).sum() == pytest.approx(500)
    assert manifest.drawn.group_by("environment", "tenant").len()["len"].max() == 40


def test_the_order_of_the_frame_does_not_matter() -> None:
    """The same frame in another order gives the same manifest."""
    frame = a_mixed_frame(300)

    one, other = plan(frame, seed="s", cap=12), plan(frame.reverse(), seed="s", cap=12)

    assert one.frame_hash == other.frame_hash
    assert one.drawn.equals(other.drawn)
    assert one.strata.equals(other.strata)


def test_the_frame_hash_sees_ids_and_strata() -> None:
    """One id more, or one retrieval in another stratum, is another frame."""
    frame = a_mixed_frame(50)
    moved = frame.with_columns(
        pl.when(pl.col("retrieval_id") == "r-3").then(pl.lit("mixed")).otherwise("kind").alias("kind")
    )

    hashes = {plan(each, seed="s", cap=5).frame_hash for each in (frame, frame.head(49), moved, frame.clear())}

    assert len(hashes) == 4


def test_an_empty_frame_draws_nothing() -> None:
    """A day without retrievals has a manifest too."""
    manifest = plan(a_frame([]), seed="s", cap=40)

    assert (manifest.frame_size, manifest.drawn.height, manifest.strata.height) == (0, 0, 0)


@pytest.mark.property
@given(st.integers(1, 60), st.integers(1, 20), st.integers(1, 10))
def test_a_larger_cap_keeps_what_was_drawn(rows: int, cap: int, more: int) -> None:
    """Within a stratum a larger sample contains the smaller one, so judged retrievals are used again."""
    frame = a_frame([f"r-{i}" for i in range(rows)])

    fewer = set(plan(frame, seed="s", cap=cap).drawn["retrieval_id"])
    greater = set(plan(frame, seed="s", cap=cap + more).drawn["retrieval_id"])

    assert fewer <= greater


@pytest.mark.property
@given(st.integers(1, 60), st.integers(2, 20))
def test_a_late_retrieval_displaces_at_most_one(rows: int, cap: int) -> None:
    """What arrives late is drawn or not; at most one that was drawn has to leave."""
    ids = [f"r-{i}" for i in range(rows)]

    before = set(plan(a_frame(ids), seed="s", cap=cap).drawn["retrieval_id"])
    after = set(plan(a_frame([*ids, "late"]), seed="s", cap=cap).drawn["retrieval_id"])

    assert len(before - after) <= 1
    assert after - before <= {"late"}


def test_the_query_gives_the_same_numbers() -> None:
    """DuckDB computes each number exactly as Python does, to the last bit."""
    seed, tenant = "nightcheck", "bücher.example"
    ids = [f"r-{i}\x1f\N{GRINNING FACE}" for i in range(1000)]
    query = """
      select ('0x' || sha256($seed || chr(31) || $tenant || chr(31) || id)[1:16])::ubigint / 18446744073709551616.0
      from (select unnest($ids) as id)"""

    with duckdb.connect() as connection:
        numbers = connection.execute(query, {"seed": seed, "tenant": tenant, "ids": ids}).fetchall()

    assert [number for (number,) in numbers] == [permanent_number(seed, tenant, retrieval_id) for retrieval_id in ids]


def test_the_queries_of_the_night_draw_the_same() -> None:
    """Frame hash and drawn retrievals are those of the plan, whatever order DuckDB takes rows in."""
    manifest = plan(a_mixed_frame(2000), seed="nightcheck", cap=30)
    frame = a_mixed_frame(2000).sample(fraction=1, shuffle=True, seed=1).to_arrow()
    allocation = manifest.strata.to_arrow()

    with duckdb.connect() as connection:
        connection.register("rows_of_frame", frame)
        connection.register("allocation", allocation)
        connection.execute(
            """create temp table frame as select *, sha256('nightcheck' || chr(31) || tenant || chr(31) || retrieval_id) as draw,
              uuid() as event_id, retrieval_id as turn_id, 0 as turn_index, 'c' as conversation_id, null as visitor_id,
              'as_typed' as resolution from rows_of_frame"""
        )
        (frame_hash,) = connection.execute(sql.load("night/frame_hash.sql")).fetchone() or ("",)
        connection.execute(sql.load("night/sample/table.sql"))
        connection.execute(sql.load("night/draw.sql"), {"day": "2026-11-29"})
        drawn = connection.execute(
            "select environment, tenant, retrieval_id, u, probability from night.sample order by all"
        ).fetchall()

    assert frame_hash == manifest.frame_hash
    assert drawn == sorted(manifest.drawn.select("environment", "tenant", "retrieval_id", "u", "probability").rows())
