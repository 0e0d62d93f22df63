"""Several comparisons at once: p-values corrected for how many were made."""

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values in the given order: the chance of any false finding stays below the level."""
    return _adjust(p_values, "holm")


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Return Benjamini and Hochberg's adjusted p-values in the given order, which bound the share of false findings."""
    return _adjust(p_values, "fdr_bh")


def _adjust(p_values: Sequence[float], method: str) -> list[float]:
    from statsmodels.stats.multitest import multipletests  # noqa: PLC0415 - heavy to import

    if not p_values:
        return []
    return [float(p) for p in multipletests(list(p_values), method=method)[1]]
