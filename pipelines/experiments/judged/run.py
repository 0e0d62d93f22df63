"""Pairs of grades out of the warehouse and a labels file, or out of a table of grades."""

from dataclasses import dataclass
from datetime import date, datetime

import pyarrow as pa

from pipelines.experiments.agreement import Graded, Pair
from pipelines.experiments.statistics.correction import Shift
from pipelines.io.registered import registered
from pipelines.io.warehouse import Warehouse
from pipelines.judging.labels import LabelsJudge
from pipelines.judging.verdict import PassageToJudge, RetrievalToJudge, Status
from schemas import sql


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
    errors = pa.Table.from_pylist([row])
    with warehouse.write() as connection, registered(connection, {"new_judge_errors": errors}):
        connection.execute(sql.load("night/store_judge_errors.sql"))


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


def _label(labels: LabelsJudge, tenant: str, retrieval_id: str, passage_id: str) -> int | None:
    """Return what people said of one passage, or None where they said both or nothing."""
    passage = PassageToJudge(rank=1, passage_id=passage_id, kind="document", text="-")
    asked = RetrievalToJudge(
        tenant=tenant, retrieval_id=retrieval_id, searched_query="", message="", conversation=(), passages=(passage,)
    )
    (found,) = labels.look_up(asked).passages
    return found.need_grade if found.status is Status.JUDGED else None
