"""Whether a favourable result has been measured again since the harness last changed.

A defect of the harness inflates a result in the direction of whoever looks for it, and is found by reading the harness,
not by running it. So a result that says "better" is unconfirmed until another run repeats it under the same, newest
harness.
"""

from collections.abc import Sequence
from enum import StrEnum

from pipelines.experiments.comparison import Outcome
from pipelines.experiments.record import StoredOutcome


class Confirmation(StrEnum):
    """What a favourable result is worth."""

    #: it does not say "better", so there is nothing to confirm
    NOT_NEEDED = "-"
    #: no other run under this harness says so
    UNCONFIRMED = "unconfirmed"
    CONFIRMED = "confirmed"
    #: another run under this harness on the same items says otherwise
    CONTRADICTED = "contradicted"
    #: the harness has changed since
    HARNESS_CHANGED = "unconfirmed: harness changed since"


def confirmation_of(
    outcome: StoredOutcome, others: Sequence[StoredOutcome], *, present_harness: str | None = None
) -> Confirmation:
    """Return how well an outcome is confirmed by other runs of the same strategy version, items and harness.

    `present_harness` is the harness version that the same experiment would have today; None where that is not known.
    """
    if outcome.outcome is not Outcome.BETTER:
        return Confirmation.NOT_NEEDED
    if present_harness is not None and present_harness != outcome.harness_version:
        return Confirmation.HARNESS_CHANGED
    again = [each.outcome for each in others if each.run_id != outcome.run_id and _same(each, outcome)]
    if not again:
        return Confirmation.UNCONFIRMED
    return Confirmation.CONFIRMED if all(each is Outcome.BETTER for each in again) else Confirmation.CONTRADICTED


def _same(one: StoredOutcome, other: StoredOutcome) -> bool:
    compared = ("dataset_hash", "harness_version", "strategy", "version", "measure")
    return all(getattr(one, name) == getattr(other, name) for name in compared)
