"""Real traffic, of which people's votes are known: what a sample says holds what all of it says."""

from datetime import timedelta
from pathlib import Path

import pytest

from benchmarks.seeds import draw, read, window


@pytest.mark.parametrize("cap", [40, 10])
def test_the_interval_over_28_nights_covers_the_census_in_93_of_100_seeds(shared_data: Path, cap: int) -> None:
    """At the cap of 40 a tenant and night that a night has by default, and at a quarter of it, which leaves more out."""
    strata = read(shared_data / "mtrag")
    first = min(day for day, _, _ in strata)
    nights = (first, first + timedelta(days=27))
    census = window(*draw(strata, 10**9, "census"), *nights)

    samples = [window(*draw(strata, cap, f"seed-{seed}"), *nights) for seed in range(100)]

    assert census.rate is not None
    assert max(sample.passages for sample in samples) < census.passages
    held = sum((sample.low or 0) <= census.rate <= (sample.high or 1) for sample in samples)
    assert held >= 93
