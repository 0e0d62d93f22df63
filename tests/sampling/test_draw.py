"""Which retrievals are drawn: the queries of the night, over frames written by hand."""

import hashlib
from collections.abc import Sequence
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas import sql

FRAME = """
create or replace temp table frame as
select 'production' as environment, $tenant as tenant, id as retrieval_id, uuid() as event_id, 0 as turn_index,
  'document' as kind, 'first' as position, sha256($seed || chr(31) || $tenant || chr(31) || id) as draw
from (select unnest($ids::varchar[]) as id)
"""
RETRIEVALS = """
insert into canonical.retrievals by name
select $day::date as day, tenant, environment, event_id, $day::timestamptz as occurred_at, 'c' as conversation_id, retrieval_id,
  retrieval_id as turn_id, 'searched' as outcome, 'as_typed' as resolution, [] as channels, [] as pins, 1 as passage_count
from frame
"""
DAY = {"day": "2026-11-29"}


def draw(
    ids: Sequence[str], n: int, *, seed: str = "s", tenant: str = "acme.example"
) -> dict[str, tuple[float, float]]:
    """Draw n of one stratum; return the permanent random number and the probability of each, in the order of drawing."""
    n = min(n, len(ids))
    allocation = pa.table(
        {"environment": ["production"], "tenant": [tenant], "kind": ["document"], "position": ["first"]}
        | {"frame_size": [len(ids)], "sample_size": [n]}
    )
    with duckdb.connect() as connection:
        connection.execute(FRAME, {"tenant": tenant, "seed": seed, "ids": list(ids)})
        connection.register("allocation", allocation)
        for table in ("night/sample", "projections/retrievals"):
            connection.execute(sql.load(f"{table}/table.sql"))
        connection.execute(RETRIEVALS, DAY)
        connection.execute(sql.load("night/draw.sql"), DAY)
        rows = connection.execute("select retrieval_id, u, probability from night.sample order by u").fetchall()
    return {retrieval_id: (u, probability) for retrieval_id, u, probability in rows}


def permanent_number(seed: str, tenant: str, retrieval_id: str) -> float:
    """Return the first 64 bits of the hash as a share of 2^64."""
    digest = hashlib.sha256(f"{seed}\x1f{tenant}\x1f{retrieval_id}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


@pytest.mark.parametrize("n", [1, 2, 40, 999, 1000])
def test_the_smallest_are_drawn(n: int) -> None:
    """Of many, those with the smallest permanent numbers are drawn, however far their hashes reach."""
    ids = [f"r{i}" for i in range(1000)]

    drawn = draw(ids, n)

    assert set(drawn) == set(sorted(ids, key=lambda each: permanent_number("s", "acme.example", each))[:n])


def test_the_reference_numbers_come_out(reference: dict[str, dict[str, Any]]) -> None:
    """A permanent random number is the first 64 bits of a hash, and its order is the order of drawing."""
    case = reference["hash_sample"]
    seed, tenant, ids = case["input"]["seed"], case["input"]["tenant"], case["input"]["ids"]
    n = case["input"]["n"]

    all_drawn = draw(ids, len(ids), seed=seed, tenant=tenant)
    sample = draw(ids, n, seed=seed, tenant=tenant)
    later = draw([*ids, "r-011", "r-012"], n, seed=seed, tenant=tenant)

    assert {each: u for each, (u, _) in all_drawn.items()} == pytest.approx(case["expected"]["u"], abs=case["abs_tol"])
    assert list(all_drawn) == case["expected"]["order"]
    assert list(sample) == case["expected"]["sample"]
    assert list(later) == case["expected"]["sample_if_r011_r012_arrive_late"]
    assert {probability for _, probability in sample.values()} == {0.3}


def test_the_query_computes_numbers_to_the_last_bit() -> None:
    """DuckDB and Python agree exactly, whatever is in an id."""
    tenant = "bücher.example"
    ids = [f"r-{i}\x1f\N{GRINNING FACE}" for i in range(500)]

    drawn = draw(ids, len(ids), tenant=tenant)

    assert {each: u for each, (u, _) in drawn.items()} == {each: permanent_number("s", tenant, each) for each in ids}


def test_another_tenant_or_seed_draws_others() -> None:
    """The same ids under another tenant are other retrievals."""
    ids = [f"r-{i}" for i in range(100)]

    samples = {
        tuple(draw(ids, 10, seed=seed, tenant=tenant)) for seed in ("s", "z") for tenant in ("a.example", "b.example")
    }

    assert len(samples) == 4


@pytest.mark.property
@settings(deadline=None, max_examples=40)  # each opens a database
@given(st.integers(1, 40), st.integers(1, 20), st.integers(1, 10))
def test_a_larger_sample_keeps_the_smaller_one(rows: int, n: int, more: int) -> None:
    """So what was judged is used again when the cap rises."""
    ids = [f"r-{i}" for i in range(rows)]

    assert set(draw(ids, n)) <= set(draw(ids, n + more))


@pytest.mark.property
@settings(deadline=None, max_examples=40)  # each opens a database
@given(st.integers(1, 40), st.integers(1, 20))
def test_a_late_retrieval_displaces_at_most_one(rows: int, n: int) -> None:
    """What arrives late is drawn or not; at most one that was drawn has to leave."""
    ids = [f"r-{i}" for i in range(rows)]

    before, after = set(draw(ids, n)), set(draw([*ids, "late"], n))

    assert len(before - after) <= 1
    assert after - before <= {"late"}


def test_the_frame_hash_sees_ids_and_strata_and_not_their_order() -> None:
    """One id more, or one retrieval in another stratum, is another frame; another order of rows is not."""
    ids = [f"r-{i}" for i in range(50)]

    def frame_hash(ids: Sequence[str], change: str = "select 1") -> str:
        with duckdb.connect() as connection:
            connection.execute(FRAME, {"tenant": "acme.example", "seed": "s", "ids": list(ids)})
            connection.execute(change)
            ((text,),) = connection.execute(sql.load("night/frame_hash.sql")).fetchall()
        return str(text)

    moved = "update frame set kind = 'mixed' where retrieval_id = 'r-3'"

    assert frame_hash(ids) == frame_hash(ids[::-1])
    assert len({frame_hash(ids), frame_hash(ids[1:]), frame_hash(ids, moved), frame_hash([])}) == 4
