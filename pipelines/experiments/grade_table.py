"""A table of grades, people's and judges' side by side, one row a passage; pure."""

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pipelines.errors import NightcheckError, UsageError
from pipelines.experiments.agreement import GRADES, Graded, Pair

_HIGHEST = GRADES - 1
_DIGITS = frozenset({"", *"0123456789"})


@dataclass(frozen=True, slots=True, kw_only=True)
class GradeTable:
    """What each judge of a table says beside people, and every rater's grade of every row, None where there is none."""

    graded: Mapping[str, Graded]
    ratings: tuple[tuple[int | None, ...], ...]


def read_table(lines: Iterable[str], source: str, *, people: str, cluster: str) -> GradeTable:
    """Read CSV with a column of people's grades, one of clusters, and one for each judge.

    Grades are digits; what is above the scale is taken for its end. A column with another value is no judge but an id
    or a text. Raises `UsageError` for a column that is not there, `NightcheckError` for one that is no grades.
    """
    rows = list(csv.DictReader(lines))
    for name in (people, cluster):
        if not rows or name not in rows[0]:
            raise UsageError(source, f"it has no column {name!r}", "Name it: --people COLUMN --cluster COLUMN")
    if not _is_grades(rows, people):
        raise NightcheckError(source, f"column {people} holds other values than digits", "Name another column")
    judges = [name for name in rows[0] if name not in {people, cluster} and _is_grades(rows, name)]
    return GradeTable(
        graded={name: _graded(rows, people, name, cluster) for name in judges},
        ratings=tuple(tuple(_grade(row[name]) for row in rows) for name in (people, *judges)),
    )


def _graded(rows: Iterable[Mapping[str, str]], people: str, judge: str, cluster: str) -> Graded:
    pairs, unlabelled, off_scale = [], [], 0
    for row in rows:
        theirs, grade = _grade(row[people]), _grade(row[judge])
        if grade is None:
            continue
        if theirs is None:
            unlabelled.append(grade)
            continue
        pairs.append(Pair(people=theirs, judge=grade, cluster=row[cluster]))
        off_scale += int(row[judge]) > _HIGHEST
    return Graded(pairs=tuple(pairs), unlabelled=tuple(unlabelled), off_scale=off_scale)


def _grade(cell: str) -> int | None:
    return min(int(cell), _HIGHEST) if cell else None


def _is_grades(rows: Iterable[Mapping[str, str]], name: str) -> bool:
    return all(row[name] in _DIGITS for row in rows)
