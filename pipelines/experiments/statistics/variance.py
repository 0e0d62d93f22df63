"""Where the variance of a measured difference comes from: the items that were asked, or the runs that asked them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipelines.experiments.statistics.paired import Numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """Variance of paired differences over items by runs, each cell measured once.

    The two-way part splits off an effect that a whole run shares, which more items never average out; a component that
    comes out negative is 0. The one-way part counts all that differs between runs of one item as the run's.
    `share_run` and `share_item` are of the variance of the mean over all cells.
    """

    items: int
    runs: int
    ms_item: float
    ms_run: float
    ms_residual: float
    var_item: float
    var_run: float
    var_item_run: float
    var_of_grand_mean: float
    ms_within: float
    var_between: float
    var_within: float
    var_of_mean: float
    share_run: float
    share_item: float


def components(matrix: Sequence[Sequence[float]] | Numbers) -> Components:
    """Split the variance of a matrix with one row an item and one column a run; at least two of each."""
    cells = np.asarray(matrix, dtype=np.float64)
    if cells.ndim != 2 or min(cells.shape) < 2:
        msg = f"the shape is {cells.shape}: variance needs at least two items and two runs"
        raise ValueError(msg)
    items, runs = cells.shape
    grand, by_item, by_run = cells.mean(), cells.mean(axis=1), cells.mean(axis=0)
    ms_item = float(runs * ((by_item - grand) ** 2).sum() / (items - 1))
    ms_run = float(items * ((by_run - grand) ** 2).sum() / (runs - 1))
    residual = cells - by_item[:, None] - by_run[None, :] + grand
    ms_residual = float((residual**2).sum() / ((items - 1) * (runs - 1)))
    ms_within = float(((cells - by_item[:, None]) ** 2).sum() / (items * (runs - 1)))
    var_item = max(0.0, (ms_item - ms_residual) / runs)
    var_run = max(0.0, (ms_run - ms_residual) / items)
    var_between = max(0.0, (ms_item - ms_within) / runs)
    from_items, from_runs = var_between / items, ms_within / (items * runs)
    of_mean = from_items + from_runs
    return Components(
        items=items,
        runs=runs,
        ms_item=ms_item,
        ms_run=ms_run,
        ms_residual=ms_residual,
        var_item=var_item,
        var_run=var_run,
        var_item_run=ms_residual,
        var_of_grand_mean=var_item / items + var_run / runs + ms_residual / (items * runs),
        ms_within=ms_within,
        var_between=var_between,
        var_within=ms_within,
        var_of_mean=of_mean,
        share_run=from_runs / of_mean if of_mean else 0.0,
        share_item=from_items / of_mean if of_mean else 0.0,
    )


def se_factor(run_share: float, *, runs: float = 1.0, items: float = 1.0) -> float:
    """Return the factor of the standard error when there are so many times the runs and items."""
    return float(np.sqrt((run_share / runs + (1 - run_share)) / items))
