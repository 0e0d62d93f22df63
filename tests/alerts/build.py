"""Nights written in a few words."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

import numpy as np

from pipelines.alerts.night import Night, Row, night_of
from pipelines.alerts.slices import Leaf

FIRST_DAY = date(2026, 8, 3)
PASSAGES = 5

DOCUMENTS = Leaf("acme.example", "document", "first")
COMBINED = Leaf("acme.example", "document", "combined")
SNIPPETS = Leaf("acme.example", "conversation", "first")
OTHERS = Leaf("other.example", "document", "first")


def day(number: int) -> date:
    """Return the day of night `number`."""
    return FIRST_DAY + timedelta(days=number)


def a_night(
    number: int,
    rates: Mapping[Leaf, float],
    rng: np.random.Generator,
    *,
    retrievals: int = 20,
    rho: float = 0.2,
    query_fault: float = 0.0,
    instrument: str = "judge",
    complete: bool = True,
) -> Night:
    """Return a night of clustered passages: each retrieval has its own rate, from a beta distribution about its leaf's.

    `query_fault` is the share of the irrelevant passages that the query is to blame for.
    """
    rows = []
    for leaf, rate in rates.items():
        own = rng.beta(rate * (1 - rho) / rho, (1 - rate) * (1 - rho) / rho, size=retrievals)
        for irrelevant in rng.binomial(PASSAGES, own).tolist():
            by_query = round(irrelevant * query_fault)
            rows.append(
                Row(
                    leaf=leaf,
                    judged=PASSAGES,
                    irrelevant=irrelevant,
                    count=1,
                    query_faults=by_query,
                    retriever_faults=irrelevant - by_query,
                )
            )
    return night_of(day(number), rows, instrument=instrument, complete=complete)


def nights(numbers: range, rates: Mapping[Leaf, float], rng: np.random.Generator, **settings: float) -> Sequence[Night]:
    """Return several such nights."""
    return [a_night(number, rates, rng, **settings) for number in numbers]  # type: ignore[arg-type]
