"""An experiment in the warehouse: failed until whole, resumed unpaid, unconfirmed until repeated, thresholds its own."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pipelines.errors import NightcheckError, UsageError
from pipelines.experiments.comparison import DifferentItemsError, Outcome, Settings
from pipelines.experiments.conduct.run import compare_runs, conduct, confirmations, set_threshold
from pipelines.experiments.confirmation import Confirmation, confirmation_of
from pipelines.experiments.datasets import manifest as manifest_file
from pipelines.experiments.datasets.dataset import ITEMS, MANIFEST, DatasetRefusedError, describe, encode_items
from pipelines.experiments.datasets.item import Item
from pipelines.experiments.datasets.manifest import Manifest, Provenance, Split, Threshold
from pipelines.experiments.datasets.run import load_usable
from pipelines.experiments.design import Design
from pipelines.experiments.ledger.run import Ledger
from pipelines.experiments.reading import Reading, read
from pipelines.experiments.record import DifferentInstrumentError, StoredOutcome
from pipelines.experiments.report import as_markdown, as_page
from pipelines.experiments.result import IncompleteRunError
from pipelines.experiments.run import Doors
from pipelines.experiments.strategies import choose
from pipelines.experiments.thresholds import ForeignThresholdError, below, require_own
from pipelines.experiments.wording import notes
from pipelines.io.warehouse import Warehouse
from tests.experiments.build import FixedRetriever, SaysModel, item

SETTINGS = Settings(resamples=1000)
NOW = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)


def turns(count: int = 40) -> tuple[Item, ...]:
    """Return follow-ups of two to a conversation, each with one relevant passage that only the combined query finds."""
    return tuple(
        item(
            f"i{number:02}",
            f"And what about number {number}?",
            said=(f"Which plans have feature {number}?", "Team."),
            conversation=f"c{number // 2}",
            qrels={f"p{number}": 1},
            tags=("later", "even" if number % 2 else "odd"),
        )
        for number in range(count)
    )


def answers(items: Sequence[Item]) -> dict[str, Sequence[str] | Exception]:
    """Return what a retriever gives that needs the context: the combined query finds what the message does not."""
    return {f"{each.history[0].text} {each.message}": list(each.qrels or {}) for each in items}


def design(items: Sequence[Item], *specs: str, floor: bool = True, dataset_hash: str = "hash", **more: int) -> Design:
    """Return a design."""
    return Design(
        dataset="set",
        dataset_hash=dataset_hash,
        items=tuple(items),
        strategies=tuple(choose(spec, lambda _name: SaysModel("x")) for spec in specs),
        control="raw",
        retriever="fixed",
        judge="qrels",
        floor=floor,
        **more,
    )


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """Return the ledger of an empty warehouse."""
    return Ledger(Warehouse(tmp_path / "warehouse.duckdb"))


def go(ledger: Ledger, made: Design, retriever: FixedRetriever, *, at: datetime = NOW) -> Reading:
    """Conduct an experiment at a fixed time."""
    doors = Doors(retriever_of=lambda _tenant, _again: retriever, clock=lambda: 0.0)
    return conduct(ledger, made, doors, SETTINGS, now=lambda: at)


def test_a_run_is_stored_and_reads_the_same_again(ledger: Ledger) -> None:
    """What was printed can be computed anew from the warehouse."""
    items = turns()

    reading = go(ledger, design(items, "raw", "always_combine"), FixedRetriever(answers(items)))

    again = read(ledger.load(reading.stored.run.run_id[:4]), SETTINGS)
    assert again.primary == reading.primary
    assert [each.outcome for each in reading.primary] == [Outcome.BETTER]
    (listed,) = ledger.runs()
    assert (listed.completed, listed.expected, listed.complete) == (120, 120, True)


def test_a_run_with_one_item_raising_is_failed_and_names_it(ledger: Ledger) -> None:
    """No figure comes of it, and what completed is kept."""
    items = turns(6)
    broken = FixedRetriever({**answers(items), items[3].message: RuntimeError("index is gone")})

    with pytest.raises(
        IncompleteRunError, match=r"failed: 16 of 18 completed, missing raw on i03 \(RuntimeError: index"
    ):
        go(ledger, design(items, "raw", "always_combine"), broken)

    (listed,) = ledger.runs()
    assert (listed.completed, listed.finished_at) == (16, None)
    assert ledger.outcomes() == []
    with pytest.raises(IncompleteRunError):
        read(ledger.load(listed.run_id), SETTINGS)


def test_running_it_again_pays_only_for_what_is_missing(ledger: Ledger) -> None:
    """The same run is filled up; a third time is a run of its own."""
    items = turns(6)
    broken = FixedRetriever({**answers(items), items[3].message: RuntimeError("index is gone")})
    made = design(items, "raw", "always_combine")
    with pytest.raises(IncompleteRunError):
        go(ledger, made, broken)
    mended = FixedRetriever(answers(items))

    reading = go(ledger, made, mended, at=NOW + timedelta(hours=1))

    assert [query.text for query in mended.asked] == [items[3].message] * 2, "once, and once for the noise floor"
    assert len(ledger.runs()) == 1
    assert reading.stored.run.started_at == NOW
    go(ledger, made, mended, at=NOW + timedelta(hours=2))
    assert len(ledger.runs()) == 2


def test_a_favourable_result_is_unconfirmed_until_it_is_repeated(ledger: Ledger) -> None:
    """The second run confirms both; a changed harness takes it back."""
    items = turns()
    made, retriever = design(items, "raw", "always_combine"), FixedRetriever(answers(items))

    first = go(ledger, made, retriever)
    before = confirmations(ledger, first)
    second = go(ledger, made, retriever, at=NOW + timedelta(hours=1))

    assert before == {"always_combine": Confirmation.UNCONFIRMED}
    assert confirmations(ledger, first) == {"always_combine": Confirmation.CONFIRMED}
    assert confirmations(ledger, second, present_harness=made.harness_version) == {
        "always_combine": Confirmation.CONFIRMED
    }
    assert confirmations(ledger, second, present_harness="another") == {"always_combine": Confirmation.HARNESS_CHANGED}


def _outcome(run_id: str, outcome: Outcome = Outcome.BETTER, **other: str) -> StoredOutcome:
    same = {"dataset_hash": "d", "harness_version": "h", "strategy": "s", "version": "v", "measure": "m"}
    return StoredOutcome(run_id=run_id, outcome=outcome, **(same | other))


@pytest.mark.parametrize("changed", ["dataset_hash", "harness_version", "version", "strategy", "measure"])
def test_only_the_same_experiment_confirms(changed: str) -> None:
    """Another set, harness, strategy, version or measure is another question."""
    assert confirmation_of(_outcome("a"), [_outcome("b", **{changed: "x"})]) is Confirmation.UNCONFIRMED  # type: ignore[arg-type]


def test_a_repetition_that_says_otherwise_contradicts() -> None:
    """And what does not say "better" needs no confirmation."""
    assert confirmation_of(_outcome("a"), [_outcome("b", Outcome.UNRESOLVED)]) is Confirmation.CONTRADICTED
    assert confirmation_of(_outcome("a", Outcome.WORSE), []) is Confirmation.NOT_NEEDED


def test_strategies_of_two_runs_compare_on_the_same_items_alone(ledger: Ledger) -> None:
    """The same set gives a paired difference; other items, or another instrument, are refused."""
    items = turns()
    retriever = FixedRetriever(answers(items))
    one = go(ledger, design(items, "raw"), retriever).stored.run.run_id
    two = go(ledger, design(items, "raw", "always_combine"), retriever).stored.run.run_id
    fewer = go(ledger, design(items[:30], "raw", "always_combine", dataset_hash="other"), retriever).stored.run.run_id
    deeper = go(ledger, design(items, "raw", "always_combine", k=5), retriever).stored.run.run_id

    compared = compare_runs(ledger, f"{one}:raw", f"{two}:always_combine", SETTINGS)

    assert (compared.items, compared.tally.wins) == (40, 40)
    with pytest.raises(DifferentItemsError, match="10 only in the first"):
        compare_runs(ledger, f"{one}:raw", f"{fewer}:always_combine", SETTINGS)
    with pytest.raises(DifferentInstrumentError, match="they differ in their k"):
        compare_runs(ledger, f"{one}:raw", f"{deeper}:always_combine", SETTINGS)
    with pytest.raises(UsageError, match="has no strategy 'rewrite'"):
        compare_runs(ledger, f"{one}:rewrite", f"{two}:raw", SETTINGS)
    with pytest.raises(UsageError, match="none begins so"):
        compare_runs(ledger, "zzz:raw", f"{two}:raw", SETTINGS)


def _folder(root: Path, name: str, items: Sequence[Item], **more: object) -> Path:
    described = Manifest(
        name=name,
        version=1,
        content_hash="",
        split=Split.HELD_OUT,
        items=0,
        released=True,
        released_by="reader",
        provenance=Provenance(source="written for a test", made_at=NOW),
    )
    dataset = describe(described, items)
    (root / name).mkdir()
    (root / name / ITEMS).write_bytes(encode_items(dataset.items))
    (root / name / MANIFEST).write_bytes(manifest_file.encode(replace(dataset.manifest, **more)))  # type: ignore[arg-type]
    return root / name


def test_a_threshold_comes_from_the_sets_own_control_and_from_no_other(ledger: Ledger, tmp_path: Path) -> None:
    """It is written by a command; a run on another set cannot give it, and a copied one makes the set unusable."""
    items = turns()
    folder = _folder(tmp_path, "mine", items)
    mine = load_usable(folder).manifest.content_hash
    half = FixedRetriever({**answers(items), **{each.message: list(each.qrels or {}) for each in items[::2]}})
    reading = go(ledger, design(items, "raw", "whole_history", dataset_hash=mine), half)
    other = go(ledger, design(turns(20), "raw", dataset_hash="other"), half)

    threshold = set_threshold(folder, reading)

    assert load_usable(folder).manifest.threshold == threshold
    assert threshold.value == pytest.approx(0.5 - 0.5 / 39**0.5)
    assert below(reading, threshold) == []
    assert require_own(threshold, mine, "mine") is threshold
    with pytest.raises(ForeignThresholdError, match=r"threshold of mine: run \w+ measured another set"):
        set_threshold(folder, other)
    with pytest.raises(ForeignThresholdError, match="threshold of theirs"):
        require_own(threshold, "another hash", "theirs")
    copied = _folder(tmp_path, "theirs", turns(20), threshold=threshold)
    with pytest.raises(DatasetRefusedError, match="threshold was measured on another dataset"):
        load_usable(copied)


def test_who_falls_below_the_threshold_is_named(ledger: Ledger) -> None:
    """Worse than doing nothing, by more than one standard error of doing nothing."""
    items = turns()
    found_by_message = FixedRetriever({each.message: list(each.qrels or {}) for each in items[5:]})

    reading = go(ledger, design(items, "raw", "always_combine"), found_by_message)

    threshold = Threshold(value=0.5, measure=reading.measure, control="raw", run_id="r", content_hash="hash")
    assert below(reading, threshold) == ["always_combine"]


@pytest.mark.parametrize(
    "planted",
    ["Write to kim.lee@gmail.com please", "Call me on +39 06 6982 1234 please", "I am ten years old and need help"],
)
def test_a_set_with_planted_personal_data_is_refused(tmp_path: Path, planted: str) -> None:
    """An address, a telephone number, an age: nothing is measured on such a set, and the fault does not quote it."""
    folder = _folder(tmp_path, "leaky", [*turns(3), item("i99", planted)])

    with pytest.raises(DatasetRefusedError, match="item i99") as refused:
        load_usable(folder)

    assert planted not in str(refused.value)


def test_a_report_says_all_of_it_and_needs_nobody(ledger: Ledger) -> None:
    """Tables, verdicts and notes in text; the same and pictures in one page without script or address."""
    items = turns()
    reading = go(ledger, design(items, "raw", "always_combine", "previous_answer"), FixedRetriever(answers(items)))
    confirmed = confirmations(ledger, reading)

    text, page = as_markdown(reading, confirmed), as_page(reading, confirmed)

    assert "| always_combine | better by +1.000 [+1.000, +1.000] | unconfirmed |" in text
    assert "| previous_answer | no difference beyond ±0.020" in text
    assert "Noise floor: the control run again on the same input moved by +0.000" in text
    assert "even" in text
    assert page.count("<svg") == 4
    assert "<script" not in page
    assert all(f'{attribute}="http' not in page for attribute in ("src", "href", "xlink:href"))
    assert as_page(read(reading.stored, SETTINGS), confirmed) == page, "the same run gives the same bytes"


def test_repetitions_split_the_variance(ledger: Ledger) -> None:
    """Run twice without noise, all of the variance is the items'."""
    items = turns()
    retriever = FixedRetriever(dict(list(answers(items).items())[::2]))

    reading = go(ledger, design(items, "raw", "always_combine", repetitions=2), retriever)

    split = reading.variance["always_combine"]
    assert (split.items, split.runs, split.share_run) == (40, 2, 0.0)
    (said,) = (note for note in notes(reading) if note.startswith("Variance of the mean difference of always_combine"))
    assert "0% from runs, 100% from items." in said


def test_items_that_were_added_are_shown_beside_all_of_them(ledger: Ledger) -> None:
    """What a grown set says of a strategy is told apart: on the new items, on the known ones, and on both together."""
    items = turns()
    first = go(ledger, design(items[:30], "raw", "always_combine"), FixedRetriever(answers(items)))
    grown = design(items, "raw", "always_combine", dataset_hash="hash of the grown set")

    reading = go(ledger, grown, FixedRetriever(answers(items[:30])), at=NOW + timedelta(days=1))

    assert first.fresh == {}
    fresh = reading.fresh["always_combine"]
    assert (fresh.earlier.items, fresh.added.items) == (30, 10)
    assert (fresh.earlier.mean, fresh.added.mean) == (1.0, 0.0)
    assert fresh.pooled == pytest.approx(reading.primary[0].difference)
    assert any("on the 10 items added to the set" in note and "+0.750" in note for note in notes(reading))


def test_a_reader_learns_what_more_items_and_more_runs_would_show(ledger: Ledger) -> None:
    """How many items the margin needs, what clustering costs, and how the standard error would shrink."""
    items = turns()
    uneven = design(items, "raw", "always_combine", repetitions=2)

    reading = go(ledger, uneven, FixedRetriever(answers(items[::4])))

    compared = reading.primary[0]
    assert compared.items_for_margin is not None
    assert compared.items_for_margin > compared.items
    said = "\n".join(notes(reading))
    assert "times those of as many independent items" in said
    assert "twice the items 0.71" in said


def test_a_run_in_which_nothing_can_be_scored_says_so(ledger: Ledger) -> None:
    """Items without labels and no judge."""
    unlabelled = [replace(each, qrels=None) for each in turns(4)]

    with pytest.raises(NightcheckError, match="not one item is scored"):
        go(ledger, design(unlabelled, "raw"), FixedRetriever({}))
