"""What one reads first of a mart; pure."""

import polars as pl


def main_rows(mart: str, rows: pl.DataFrame) -> pl.DataFrame:
    """Leave what one reads first."""
    match mart:
        case "relevance_daily":
            picked = pl.col("slice").is_in(["all", "kind"]) & pl.col("measure").str.starts_with("irrelevant")
            # a correction for the judge's errors stands beside the rate once people's labels were compared
            uncorrected = [name for name in rows.columns if name.startswith("correct") and rows[name].is_null().all()]
            return rows.filter(picked).drop("effective_n", "hits", "pending", *uncorrected)
        case "fault_daily":
            return rows.filter(pl.col("slice").is_in(["all", "kind"])).drop("effective_n", "hits", "pending")
        case "answer_outcomes_daily":
            everything = (pl.col("language") == "*") & (pl.col("turn") == "all")
            return rows.filter(everything).drop("effective_n", "hits", "pending")
        case "gate_daily":
            return rows.filter(pl.col("turn") == "all", pl.col("language") == "*", pl.col("reason") == "*")
        case "gate_population":
            return rows.filter(pl.col("language") == "*", pl.col("reason") == "*").drop("gate_version")
        case "date_questions_daily":
            return rows.drop("share_low", "share_high", "total", "pending")
        case "disclaim_daily":
            return rows.filter(pl.col("language") == "*")
        case "relevance_strata":
            # the sums of squares are for adding nights up
            rows = rows.filter(pl.col("slice") == "all", pl.col("measure").str.starts_with("irrelevant"))
            return rows.drop("slice", "value", "passages_squared", "hits_squared", "hits_passages", "pending")
        case "worst_retrievals":
            return rows.filter(pl.col("place") <= 5)
        case _:
            return rows
