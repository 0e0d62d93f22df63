"""Which retrievals of a day are judged, and what the judged ones say about all of them."""

from pipelines.sampling.allocate import allocate, allocate_strata
from pipelines.sampling.rate import CellSums, Rate, Rates, estimate, sum_cells, t_quantile, wilson

__all__ = [
    "CellSums",
    "Rate",
    "Rates",
    "allocate",
    "allocate_strata",
    "estimate",
    "sum_cells",
    "t_quantile",
    "wilson",
]
