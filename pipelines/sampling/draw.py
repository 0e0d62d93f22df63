"""Which retrievals are drawn: in each stratum those with the smallest permanent random numbers.

The number of a retrieval depends on the seed, its tenant and its id, and on nothing else. So a backfill draws the same
retrievals, a larger cap draws these and more, and one retrieval that arrives late displaces at most one.
The queries in `schemas/night` draw the same way; a test holds the two together.
"""

import hashlib
from dataclasses import dataclass

import polars as pl

from pipelines.sampling.allocate import allocate_strata

_STRATUM = ("environment", "tenant", "kind", "position")
_SEPARATOR = "\x1f"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What was drawn from what: enough to draw it again, and to see whether the frame has changed.

    `strata`: environment, tenant, kind, position, frame_size, sample_size. `drawn`: the rows of the frame that were
    drawn, with `draw` (hex), `u` in [0, 1] and `probability`.
    """

    seed: str
    cap: int | None
    watermark: int
    frame_hash: str
    frame_size: int
    strata: pl.DataFrame
    drawn: pl.DataFrame


def draw_key(seed: str, tenant: str, retrieval_id: str) -> str:
    """Return the hash, in hex, whose order decides who is drawn."""
    return hashlib.sha256(_SEPARATOR.join((seed, tenant, retrieval_id)).encode()).hexdigest()


def permanent_number(seed: str, tenant: str, retrieval_id: str) -> float:
    """Return the permanent random number of a retrieval: the first 64 bits of its hash, as a share of 2^64."""
    return _as_share(draw_key(seed, tenant, retrieval_id))


def plan(frame: pl.DataFrame, *, seed: str, cap: int | None, watermark: int = 0) -> Manifest:
    """Draw from a frame: `environment, tenant, retrieval_id, kind, position`, one row each; more columns are kept."""
    keyed = frame.with_columns(
        pl.Series(
            "draw",
            [draw_key(seed, *pair) for pair in frame.select("tenant", "retrieval_id").iter_rows()],
            dtype=pl.String,
        )
    ).sort("draw", "environment", "retrieval_id")
    strata = allocate_strata(keyed.group_by(_STRATUM).agg(pl.len().cast(pl.Int64).alias("frame_size")), cap=cap)
    drawn = (
        keyed.join(strata, on=_STRATUM, how="inner", maintain_order="left")
        .filter(pl.int_range(pl.len()).over(_STRATUM) < pl.col("sample_size"))
        .with_columns(
            pl.col("draw").map_elements(_as_share, return_dtype=pl.Float64).alias("u"),
            (pl.col("sample_size") / pl.col("frame_size")).alias("probability"),
        )
        .drop("frame_size", "sample_size")
        .sort(*_STRATUM, "draw")
    )
    return Manifest(
        seed=seed,
        cap=cap,
        watermark=watermark,
        frame_hash=_frame_hash(keyed),
        frame_size=keyed.height,
        strata=strata,
        drawn=drawn,
    )


def _as_share(key: str) -> float:
    return int(key[:16], 16) / 2**64


def _frame_hash(keyed: pl.DataFrame) -> str:
    """Hash the sorted frame with its strata; the empty string for an empty frame, as the query has it."""
    if keyed.is_empty():
        return ""
    rows = keyed.select("environment", "tenant", "retrieval_id", "kind", "position").iter_rows()
    parts = "".join(hashlib.sha256(_SEPARATOR.join(row).encode()).hexdigest() for row in rows)
    return hashlib.sha256(parts.encode()).hexdigest()
