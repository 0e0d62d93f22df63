"""Pairs of grades out of the warehouse and a labels file, or out of a table of grades."""

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

import pyarrow as pa

from pipelines.errors import NightcheckError, UsageError
from pipelines.experiments.agreement import GRADES, Pair
from pipelines.experiments.statistics.correction import Shift
from pipelines.io.warehouse import Warehouse
from pipelines.judging.labels import LabelsJudge
from pipelines.judging.verdict import PassageToJudge, RetrievalToJudge, Status
from schemas import sql

_HIGHEST = GRADES - 1
_DIGITS = frozenset({"", *"0123456789"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Instrument:
    """Which judge gave the verdicts."""

    judge: str
    model: str
    rubric_version: str

    def __str__(self) -> str:
        return f"{self.judge} {self.model} {self.rubric_version}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which verdicts: of the sample of some days, against the searched `query` or the `need`."""

    first_day: date
    last_day: date
    environments: tuple[str, ...]
    against: str

    @property
    def parameters(self) -> dict[str, object]:
        """Return the scope as parameters of a query."""
        return {
            "first_day": self.first_day,
            "last_day": self.last_day,
            "environments": list(self.environments),
            "against": self.against,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """One day's published rate with its interval."""

    day: date
    environment: str
    instrument: Instrument
    rate: float
    low: float
    high: float
    effective_n: float


def store_error(
    warehouse: Warehouse, instrument: Instrument, shift: Shift, *, against: str, labels_hash: str, at: datetime
) -> None:
    """Store a judge's error, by which the relevance mart corrects the days that are made from now on."""
    row = {
        "measure": f"irrelevant_{against}",
        "judge": instrument.judge,
        "model": instrument.model,
        "rubric_version": instrument.rubric_version,
        "shift": shift.shift,
        "shift_se": shift.se,
        "labelled": shift.labelled,
        "labels_hash": labels_hash,
        "measured_at": at,
    }
    with warehouse.write() as connection:
        connection.register("new_judge_errors", pa.Table.from_pylist([row]))
        try:
            connection.execute(sql.load("night/store_judge_errors.sql"))
        finally:
            connection.unregister("new_judge_errors")


@dataclass(frozen=True, slots=True, kw_only=True)
class Graded:
    """The pairs of one judge, and how many of its grades were above the scale and taken for its end."""

    pairs: tuple[Pair, ...]
    off_scale: int = 0


def stored_pairs(warehouse: Warehouse, labels: LabelsJudge, scope: Scope) -> dict[Instrument, Graded]:
    """Return the labelled passages in scope, by the judge that gave the verdict.

    Passages that people disagree about, or did not see, are left out; a relevant one has grade 3. Weights undo the
    sampling.
    """
    with warehouse.read() as connection:
        rows = connection.execute(sql.load("experiments/verdicts_to_compare.sql"), scope.parameters).fetchall()
    pairs: dict[Instrument, list[Pair]] = {}
    for environment, tenant, retrieval_id, passage_id, judge, model, rubric, grade, weight in rows:
        people = _label(labels, tenant, retrieval_id, passage_id)
        if people is not None:
            instrument = Instrument(judge=judge, model=model, rubric_version=rubric)
            cluster = f"{environment}/{tenant}/{retrieval_id}"
            pair = Pair(people=people, judge=grade, cluster=cluster, weight=weight)
            pairs.setdefault(instrument, []).append(pair)
    return {instrument: Graded(pairs=tuple(found)) for instrument, found in pairs.items()}


def published(warehouse: Warehouse, scope: Scope) -> list[Published]:
    """Return the published irrelevant rates of the days in scope, all tenants together."""
    with warehouse.read() as connection:
        rows = connection.execute(sql.load("experiments/published_rates.sql"), scope.parameters).fetchall()
    return [
        Published(
            day=day,
            environment=environment,
            instrument=Instrument(judge=judge, model=model, rubric_version=rubric),
            rate=rate,
            low=low,
            high=high,
            effective_n=effective_n,
        )
        for day, environment, judge, model, rubric, rate, low, high, effective_n in rows
    ]


def pairs_of_table(path: Path, *, people: str, cluster: str) -> dict[str, Graded]:
    """Return the pairs of a CSV table with a column of people's grades, one of clusters, and one for each judge.

    Grades are digits; a row where either is empty is left out for that judge. A column with another value is no judge
    but an id or a text.
    """
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for name in (people, cluster):
        if not rows or name not in rows[0]:
            raise UsageError(str(path), f"it has no column {name!r}", "Name it: --people COLUMN --cluster COLUMN")
    if not _is_grades(rows, people):
        raise NightcheckError(str(path), f"column {people} holds other values than digits", "Name another column")
    judges = [name for name in rows[0] if name not in {people, cluster} and _is_grades(rows, name)]
    return {name: _graded([row for row in rows if row[people] and row[name]], people, name, cluster) for name in judges}


def _graded(rows: Sequence[dict[str, str]], people: str, judge: str, cluster: str) -> Graded:
    return Graded(
        pairs=tuple(
            Pair(people=min(int(row[people]), _HIGHEST), judge=min(int(row[judge]), _HIGHEST), cluster=row[cluster])
            for row in rows
        ),
        off_scale=sum(int(row[judge]) > _HIGHEST for row in rows),
    )


def _is_grades(rows: Sequence[dict[str, str]], name: str) -> bool:
    return all(row[name] in _DIGITS for row in rows)


def _label(labels: LabelsJudge, tenant: str, retrieval_id: str, passage_id: str) -> int | None:
    """Return what people said of one passage, or None where they said both or nothing."""
    passage = PassageToJudge(rank=1, passage_id=passage_id, kind="document", text="-")
    asked = RetrievalToJudge(
        tenant=tenant, retrieval_id=retrieval_id, searched_query="", message="", conversation=(), passages=(passage,)
    )
    (found,) = labels.look_up(asked).passages
    return found.need_grade if found.status is Status.JUDGED else None
