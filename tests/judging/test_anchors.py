"""Drift anchors: the chart of one frozen set, and the nights on which it is judged again."""

import json
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from pipelines.cli import app
from pipelines.io.warehouse import Warehouse
from pipelines.judging.anchors.drift import LEARNING_NIGHTS, Moved, chart
from pipelines.judging.anchors.line import BadAnchorError, read_anchors
from pipelines.judging.anchors.run import AnchorNight, drift_until, import_anchors, judge_anchors
from pipelines.judging.verdict import (
    JudgeIdentity,
    PassageVerdict,
    RetrievalToJudge,
    RetrievalVerdict,
    Status,
)

FIRST = date(2026, 11, 1)
NOW = datetime(2026, 11, 30, tzinfo=UTC)


def an_anchor(number: int = 1, **other: object) -> bytes:
    """Return a line of a file of anchors."""
    anchor = {
        "tenant": "help.example.com",
        "retrieval_id": f"a-{number}",
        "searched_query": "Which plans include single sign-on?",
        "message": "Which plans include single sign-on?",
        "passages": [{"passage_id": f"p-{n}", "text": f"Passage {n}."} for n in range(5)],
    }
    return json.dumps(anchor | other).encode()


class Instrument:
    """A judge that gives grade 1, but for a share of passages, drawn anew each time, that it grades 0."""

    def __init__(self, share: float, rng: np.random.Generator) -> None:
        self.share = share
        self.rng = rng

    @property
    def identity(self) -> JudgeIdentity:
        """Return its name."""
        return JudgeIdentity(judge="instrument", model="m", rubric_version="v", prompt_hash="h")

    async def judge(self, retrievals: Sequence[RetrievalToJudge]) -> AsyncIterator[RetrievalVerdict]:
        """Grade every passage."""
        for each in retrievals:
            grades = [int(self.rng.random() >= self.share) for _ in each.passages]
            yield RetrievalVerdict(
                tenant=each.tenant,
                retrieval_id=each.retrieval_id,
                status=Status.JUDGED,
                passages=tuple(
                    PassageVerdict(
                        rank=p.rank, passage_id=p.passage_id, status=Status.JUDGED, query_grade=grade, need_grade=grade
                    )
                    for p, grade in zip(each.passages, grades, strict=True)
                ),
            )


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return an empty warehouse."""
    return Warehouse(tmp_path / "warehouse.duckdb")


def nights(rng: np.random.Generator, shares: Sequence[float], retrievals: int = 20) -> dict[date, list[Moved]]:
    """Return nights on which each of five passages of each retrieval moved with a probability."""
    return {
        FIRST + timedelta(days=n): [Moved(moved=int(rng.binomial(5, share)), passages=5) for _ in range(retrievals)]
        for n, share in enumerate(shares)
    }


def test_chance_alone_is_rarely_taken_for_a_moved_instrument() -> None:
    """Over a hundred judges that change one grade in twenty, hardly any is suspected within sixty nights."""
    alarms = sum(
        any(drift.instrument_moved for drift in chart(nights(np.random.default_rng(seed), [0.05] * 60)))
        for seed in range(100)
    )

    assert alarms <= 5


def test_an_instrument_that_moved_is_found_in_days() -> None:
    """When one grade in four differs where one in twenty did, the chart says so within a week, and not before."""
    for seed in range(20):
        drifts = chart(nights(np.random.default_rng(seed), [0.05] * 20 + [0.25] * 7))
        found = [drift.instrument_moved for drift in drifts]

        assert not any(found[:20])
        assert found[-1]


def test_a_judge_that_never_changed_a_grade_is_not_alarmed_by_one() -> None:
    """After a week without any change, a single changed grade is not an instrument that moved."""
    still = nights(np.random.default_rng(1), [0.0] * 12)
    still[FIRST + timedelta(days=12)] = [Moved(moved=1, passages=5)] + [Moved(moved=0, passages=5)] * 19

    assert not chart(still)[-1].instrument_moved


def test_the_first_nights_say_nothing_yet() -> None:
    """What is usual is learned first; a night without any judged anchor is no night."""
    learning = nights(np.random.default_rng(1), [0.05] * LEARNING_NIGHTS) | {FIRST + timedelta(days=40): []}

    drifts = chart(learning)

    assert len(drifts) == LEARNING_NIGHTS
    assert all(drift.score is None and not drift.instrument_moved for drift in drifts)


def test_nights_are_compared_with_the_first_judgement(warehouse: Warehouse) -> None:
    """The first night is frozen; a judge that changes all grades then has moved all of them, and a re-run is the same."""
    import_anchors(warehouse, read_anchors([an_anchor(n) for n in range(10)], "a"), NOW)
    rng = np.random.default_rng(3)
    steady, other = Instrument(0.0, rng), Instrument(1.0, rng)

    first = judge_anchors(warehouse, FIRST, steady, now=lambda: NOW, again=True)
    again = judge_anchors(warehouse, FIRST + timedelta(days=1), steady, now=lambda: NOW, again=True)
    moved = judge_anchors(warehouse, FIRST + timedelta(days=2), other, now=lambda: NOW, again=True)
    rerun = judge_anchors(warehouse, FIRST + timedelta(days=2), other, now=lambda: NOW, again=True)

    assert first.drift is None
    assert first.statuses == {"judged": 50}
    assert again.drift is not None
    assert again.drift.share == 0
    assert moved.drift is not None
    assert moved.drift.share == 1
    assert rerun == moved
    assert [d.share for d in drift_until(warehouse, FIRST + timedelta(days=1), steady.identity)] == [0]


def test_anchors_are_frozen(warehouse: Warehouse) -> None:
    """The same id again, with another text, does not replace what is there."""
    assert import_anchors(warehouse, read_anchors([an_anchor(1), an_anchor(2)], "a"), NOW) == 2
    assert import_anchors(warehouse, read_anchors([an_anchor(2, message="other"), an_anchor(3)], "a"), NOW) == 1


def test_without_anchors_no_judge_is_asked(warehouse: Warehouse) -> None:
    """A night in an installation without anchors costs nothing."""
    import_anchors(warehouse, [], NOW)

    night = judge_anchors(warehouse, FIRST, Instrument(0.0, np.random.default_rng(1)), now=lambda: NOW)

    assert night == AnchorNight(asked=0, statuses={}, drift=None)


@pytest.mark.parametrize(
    "line", [b"{", b"{}", an_anchor(passages=[]), an_anchor(passages=[{"passage_id": "p", "text": " "}]), an_anchor(0)]
)
def test_a_line_that_is_no_anchor_is_named(line: bytes) -> None:
    """The error says which line of which file."""
    with pytest.raises(BadAnchorError, match=r"anchors\.jsonl, line 2"):
        read_anchors([an_anchor(0), line], "anchors.jsonl")


def test_the_commands_import_and_judge(tmp_path: Path) -> None:
    """Two nights from the command line: the first is frozen, the second compared with it."""
    file = tmp_path / "anchors.jsonl"
    file.write_bytes(an_anchor(1) + b"\n" + an_anchor(2) + b"\n")
    environment = {"NIGHTCHECK_HOME": str(tmp_path), "NIGHTCHECK_JUDGE": "lexical"}

    def run(*arguments: str) -> str:
        result = CliRunner().invoke(app, ["judge", *arguments], env=environment, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    imported = run("anchors", "import", str(file))
    first = run("anchors", "judge", "--day", "2026-11-01")
    second = json.loads(run("anchors", "judge", "--day", "2026-11-02", "--json"))

    assert "2 anchors read, 2 new" in imported
    assert "no earlier verdict" in first
    assert (second["share"], second["instrument_moved"]) == (0.0, False)
