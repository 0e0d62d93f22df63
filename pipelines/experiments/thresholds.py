"""The threshold of a dataset: where it comes from, and who passes it."""

from collections.abc import Sequence

from pipelines.errors import NightcheckError
from pipelines.experiments.datasets.manifest import Manifest, Threshold
from pipelines.experiments.reading import Reading


class ForeignThresholdError(NightcheckError):
    """A threshold belongs to the dataset whose control it was measured on, and to no other."""

    def __init__(self, dataset: str, run_id: str, other: str) -> None:
        super().__init__(
            f"threshold of {dataset}",
            f"run {run_id} measured another set ({other})",
            f"Run the control on this set: nightcheck experiment run {dataset}",
        )


def threshold_from(reading: Reading, manifest: Manifest) -> Threshold:
    """Return the threshold that follows from the control of a run on this very dataset.

    Raises `ForeignThresholdError` for a run on another one, and `NightcheckError` where the control has no spread.
    """
    run = reading.stored.run
    if run.dataset_hash != manifest.content_hash:
        raise ForeignThresholdError(manifest.name, run.run_id, run.dataset)
    if reading.line is None:
        raise NightcheckError(f"run {run.run_id}", "it scores fewer than two items", "Use a larger set")
    return Threshold(
        value=reading.line.threshold,
        measure=reading.measure,
        control=run.control,
        run_id=run.run_id,
        content_hash=manifest.content_hash,
    )


def require_own(threshold: Threshold, content_hash: str, dataset: str) -> Threshold:
    """Return the threshold if it was measured on these items; raises `ForeignThresholdError` if it was copied here."""
    if threshold.content_hash != content_hash:
        raise ForeignThresholdError(dataset, threshold.run_id, f"content hash {threshold.content_hash[:12]}")
    return threshold


def below(reading: Reading, threshold: Threshold) -> Sequence[str]:
    """Return the strategies of a run that scored below the threshold: worse than doing nothing, by more than chance."""
    compared = reading.comparisons.get(threshold.measure, ())
    return [each.strategy for each in compared if each.mean < threshold.value]
