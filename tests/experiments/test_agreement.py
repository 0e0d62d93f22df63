"""A judge beside people: the published table, intervals that know clusters, and rates corrected for its errors."""

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import duckdb
import numpy as np
import pytest
from click.testing import CliRunner

from pipelines.cli.judge_agreement import agreement
from pipelines.errors import NightcheckError, UsageError
from pipelines.experiments.agreement import Graded, Pair, agree, among_all, correct, rate_of_all, shift_of
from pipelines.experiments.grade_table import read_table
from pipelines.experiments.judged.run import Scope, published, store_error, stored_pairs
from pipelines.experiments.statistics.correction import Shift, corrected_rate
from pipelines.io.warehouse import Warehouse
from pipelines.judging.labels import LabelsJudge
from schemas import sql

DAY = date(2026, 11, 29)


def test_seventeen_judges_agree_with_people_as_an_independent_library_computed(shared_data: Path) -> None:
    """Every judge of the public benchmark, to the third decimal that is published."""
    folder = shared_data / "llmjudge"
    reference = {each["run"]: each for each in json.loads((folder / "agreement_reference.json").read_text())}

    judges = _table(folder / "human_vs_judges_handed.csv", people="human", cluster="qid")

    assert set(judges) == set(reference)
    assert {name: each.off_scale for name, each in judges.items() if each.off_scale} == {"RMITIR-llama70B": 2}
    for name, each in judges.items():
        pairs = each.pairs
        any_use = agree(pairs, cut=1, resamples=100)
        useful = agree(pairs, cut=2, resamples=100)
        found = {
            "n": useful.labelled,
            "kappa4": useful.graded["kappa"].value,
            "qwk4": useful.graded["kappa quadratic"].value,
            "kappa_ge1": any_use.binary["kappa"].value,
            "kappa_ge2": useful.binary["kappa"].value,
            "acc_ge2": useful.binary["agreement"].value,
            "rate_ge2": np.mean([pair.judge >= 2 for pair in pairs]),
        }
        for measure, value in found.items():
            assert value == pytest.approx(reference[name][measure], abs=0.00051), (name, measure)


def _pairs(count: int, *, clusters: int, wrong: float) -> list[Pair]:
    rng = np.random.default_rng(3)
    people = rng.integers(0, 2, count) * 3
    judge = np.where(rng.random(count) < wrong, 3 - people, people)
    return [
        Pair(people=int(one), judge=int(other), cluster=f"c{at % clusters}")
        for at, (one, other) in enumerate(zip(people, judge, strict=True))
    ]


def test_intervals_hold_the_value_and_narrow_with_more_clusters() -> None:
    """Ten clusters say less than two hundred."""
    few, many = (agree(_pairs(400, clusters=count, wrong=0.2)).binary["kappa"] for count in (10, 200))

    assert few.low <= few.value <= few.high
    assert many.low <= many.value <= many.high
    assert few.value == many.value


def test_copies_of_a_cluster_add_no_certainty() -> None:
    """Passages of one retrieval that were judged alike are worth one."""
    once = [
        Pair(people=pair.people, judge=pair.judge, cluster=f"c{at}")
        for at, pair in enumerate(_pairs(80, clusters=80, wrong=0.2))
    ]

    single, copied = agree(once).binary["kappa"], agree([pair for pair in once for _ in range(5)]).binary["kappa"]

    assert (copied.value, copied.low, copied.high) == pytest.approx((single.value, single.low, single.high))


def test_direction_of_disagreement_is_told_apart() -> None:
    """A judge that calls everything relevant is mild, and its sensitivity for irrelevant passages is nothing."""
    pairs = [Pair(people=grade, judge=3, cluster=str(at)) for at, grade in enumerate([0] * 12 + [3] * 30)]

    found = agree(pairs)

    assert (found.strict, found.mild) == (0, 12)
    assert found.p_direction < 0.001
    assert found.binary["sensitivity"].value == 0.0
    assert found.binary["specificity"].value == 1.0


def test_a_rate_is_corrected_towards_what_people_say() -> None:
    """A judge that misses half of the irrelevant passages publishes half the rate; both corrections say so."""
    labelled = [Pair(people=0, judge=at % 2 * 3, cluster=f"a{at}") for at in range(60)]
    labelled += [Pair(people=3, judge=3, cluster=f"b{at}") for at in range(140)]

    found = correct(0.15, (0.12, 0.18), 500, labelled)

    assert found.corrected is not None
    assert found.cross_check is not None
    assert found.corrected.rate == pytest.approx(0.30)
    assert found.cross_check.rate == pytest.approx(0.30)
    assert found.corrected.low < 0.30 < found.corrected.high
    assert not found.few_labels


def test_a_night_without_a_miss_is_not_certain() -> None:
    """The uncertainty of a rate of 0 is in its interval; the corrected rate stays within 0 and 1."""
    labelled = [Pair(people=3, judge=(at % 20 > 0) * 3, cluster=f"b{at}") for at in range(140)]

    found = correct(0.0, (0.0, 0.2), 15, labelled)

    assert found.corrected is not None
    assert found.corrected.rate == 0.0
    assert 0.14 < found.corrected.high < 0.2


def test_a_correction_needs_more_than_one_retrieval_and_a_judge_that_sees_something() -> None:
    """Where nothing can be said, nothing is."""
    one_cluster = [Pair(people=0, judge=0, cluster="a"), Pair(people=3, judge=3, cluster="a")]
    coin = [Pair(people=people, judge=judge, cluster=f"{people}{judge}") for people in (0, 3) for judge in (0, 3)]

    assert correct(0.2, (0.1, 0.3), 100, one_cluster).corrected is None
    assert correct(0.2, (0.1, 0.3), 100, one_cluster).few_labels
    assert correct(0.2, (0.1, 0.3), 100, coin).cross_check is None


def test_nothing_in_common_is_an_error_that_says_so() -> None:
    """Not a table of zeros."""
    with pytest.raises(NightcheckError, match="no passage has both"):
        agree([])


def _table(path: Path, *, people: str, cluster: str) -> Mapping[str, Graded]:
    return read_table(path.read_text(encoding="utf-8").splitlines(), path.name, people=people, cluster=cluster).graded


def test_a_table_of_grades_is_read_by_column(tmp_path: Path) -> None:
    """Columns of grades are judges, others are not; an empty cell leaves the row out for that judge."""
    table = tmp_path / "grades.csv"
    table.write_text("id,topic,people,one,two,note\np1,a,3,2,,x\np2,b,0,0,1,y\n", encoding="utf-8")

    found = _table(table, people="people", cluster="topic")

    assert set(found) == {"one", "two"}
    assert list(found["one"].pairs) == [Pair(people=3, judge=2, cluster="a"), Pair(people=0, judge=0, cluster="b")]
    assert list(found["two"].pairs) == [Pair(people=0, judge=1, cluster="b")]
    with pytest.raises(UsageError, match="no column 'topics'"):
        _table(table, people="people", cluster="topics")
    with pytest.raises(NightcheckError, match="other values than digits"):
        _table(table, people="note", cluster="topic")


def test_rows_that_people_did_not_see_are_corrected_by_those_they_did() -> None:
    """A judge that is too strict is too strict there too; all raters together have one alpha, with gaps."""
    seen = [f"q{number},{0 if number % 4 == 0 else 2},{0 if number % 2 == 0 else 2},1" for number in range(40)]
    unseen = [f"q{number},,{0 if number % 2 == 0 else 2}," for number in range(40, 400)]

    read = read_table(["qid,human,strict,other", *seen, *unseen], "t", people="human", cluster="qid")

    strict = read.graded["strict"]
    assert (len(strict.pairs), len(strict.unlabelled)) == (40, 360)
    whole = rate_of_all(strict)
    assert whole is not None
    assert whole.low < 0.25 < whole.high
    assert whole.high < 0.5
    alpha = among_all(read.ratings)
    assert alpha is not None
    assert alpha < 0.5
    assert among_all(read.ratings[:2]) is None


def test_the_command_prints_one_judge_a_line(tmp_path: Path) -> None:
    """With --json a program can read it."""
    table = tmp_path / "grades.csv"
    table.write_text("qid,human,one\nq1,3,2\nq2,0,0\nq3,1,1\n", encoding="utf-8")

    shown = CliRunner().invoke(agreement, ["--csv", str(table), "--json", "--resamples", "1000"])

    assert shown.exit_code == 0, shown.output
    read = json.loads(shown.output)
    assert (read["judge"], read["labelled"], read["binary"]["agreement"]["value"]) == ("one", 3, 1.0)


def test_the_relevance_mart_shows_the_corrected_rate_beside_the_raw_one() -> None:
    """The mart's SQL corrects as the function does, for the judge that was measured; for another it says nothing."""
    stratum = {
        "day": DAY, "environment": "production", "kind": "document", "position": "first", "slice": "all", "value": "all",
        "measure": "irrelevant_need", "frame_size": 40, "sample_size": 10, "retrievals": 10, "passages": 50, "hits": 9,
        "passages_squared": 250, "hits_squared": 17, "hits_passages": 45, "missing": 0, "pending": 0, "model": "m",
        "rubric_version": "1",
    }  # fmt: skip
    error = {
        "measure": "irrelevant_need", "judge": "known", "model": "m", "rubric_version": "1", "shift": 0.07,
        "shift_se": 0.02, "labelled": 200, "labels_hash": "x", "measured_at": datetime(2026, 11, 30, tzinfo=UTC),
    }  # fmt: skip
    with duckdb.connect() as connection:
        for table in ("reference/t_quantile", "reference/wilson", "marts/relevance_strata", "night/judge_errors"):
            connection.execute(sql.load(f"{table}/table.sql"))
        for judge in ("known", "other"):
            _insert(connection, "marts.relevance_strata", stratum | {"judge": judge, "tenant": f"{judge}.example"})
        _insert(connection, "night.judge_errors", error)
        mart = connection.sql(sql.load("marts/relevance_daily/query.sql"), params={"first_day": DAY, "last_day": DAY})
        wanted = "rate, low, high, corrected, corrected_low, corrected_high"
        (known,) = mart.filter("tenant = 'known.example'").select(wanted).fetchall()
        (other,) = mart.filter("tenant = 'other.example'").select(wanted).fetchall()

    expected = corrected_rate(known[0], (known[1], known[2]), Shift(shift=0.07, se=0.02, labelled=200))
    assert known[3:] == pytest.approx((expected.rate, expected.low, expected.high), abs=2e-9)
    assert known[3] == pytest.approx(9 / 50 + 0.07)
    assert other[3:] == (None, None, None)


def _insert(connection: duckdb.DuckDBPyConnection, table: str, row: dict[str, object]) -> None:
    names, marks = ", ".join(row), ", ".join(f"${name}" for name in row)
    connection.execute(f"insert into {table} ({names}) values ({marks})", row)  # noqa: S608 - names from above


def test_votes_meet_stored_verdicts_passage_by_passage(tmp_path: Path) -> None:
    """Only passages with a grade and a clear vote are paired; the error that follows can be stored."""
    held = Warehouse(tmp_path / "warehouse.duckdb")
    verdict = {
        "tenant": "a.example", "verdict_key": "k", "judge": "lexical", "model": "m", "rubric_version": "1",
        "prompt_hash": "p", "status": "judged", "is_final": True, "calls": 0, "prompt_tokens": 0, "cached_tokens": 0,
        "cache_write_tokens": 0, "completion_tokens": 0, "judged_at": datetime(2026, 11, 30, tzinfo=UTC),
    }  # fmt: skip
    drawn = {
        "day": DAY, "environment": "production", "tenant": "a.example", "event_id": "0192f0c1-8a4e-7c3a-9d52-2f6f0f3d7a10",
        "turn_id": "t", "conversation_id": "c", "kind": "document", "position": "first", "resolution": "as_typed",
        "u": 0.5, "probability": 0.25, "verdict_key": "k",
    }  # fmt: skip
    passage = {"tenant": "a.example", "verdict_key": "k", "status": "judged", "query_grade": 2, "need_grade": 0}
    with held.write() as connection:
        _insert(connection, "night.verdicts", verdict)
        for number in (1, 2):
            _insert(connection, "night.sample", drawn | {"retrieval_id": f"r{number}"})
        for number in (1, 2, 3):
            _insert(connection, "night.passage_verdicts", passage | {"ordinal": number, "passage_id": f"p{number}"})
    lines = [
        {"tenant": "a.example", "retrieval_id": "r1", "passage_id": "p1", "votes": {"x": True}},
        {"tenant": "a.example", "retrieval_id": "r2", "passage_id": "p1", "votes": {"x": False}},
        {"tenant": "a.example", "retrieval_id": "r1", "passage_id": "p2", "votes": {"x": True, "y": False}},
    ]
    labels = LabelsJudge.from_lines([json.dumps(line).encode() for line in lines], "votes")
    scope = Scope(first_day=DAY, last_day=DAY, environments=("production",), against="need")

    ((instrument, graded),) = stored_pairs(held, labels, scope).items()
    shift = shift_of(graded.pairs)

    assert str(instrument) == "lexical m 1"
    assert graded.pairs == (
        Pair(people=3, judge=0, cluster="production/a.example/r1", weight=4.0),
        Pair(people=0, judge=0, cluster="production/a.example/r2", weight=4.0),
    )
    assert shift is not None
    assert shift.shift == pytest.approx(-0.5)
    store_error(held, instrument, shift, against="need", labels_hash="h", at=datetime(2026, 11, 30, tzinfo=UTC))
    with held.read() as connection:
        stored = connection.sql("select measure, judge, shift, labelled from night.judge_errors").fetchall()
    assert stored == [("irrelevant_need", "lexical", -0.5, 2)]
    assert published(held, scope) == []
