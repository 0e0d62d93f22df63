"""Sets on disk: written as a whole or not at all, read by a person before they are used."""

import gzip
import json
from pathlib import Path

import pytest

from pipelines.errors import NightcheckError, UsageError
from pipelines.experiments.datasets import Split
from pipelines.experiments.datasets.dataset import DatasetRefusedError
from pipelines.experiments.datasets.harvest import HarvestRequest
from pipelines.experiments.datasets.run import (
    check,
    find,
    harvest_to,
    import_retrieval,
    load,
    load_passages,
    load_usable,
    names,
    release,
)
from pipelines.privacy import PersonalDataLeftError
from tests.experiments.datasets.build import KEY, NOW, turn

REQUEST = HarvestRequest(per_tenant_cap=100)


def _harvest(folder: Path, *more: object) -> None:
    harvest_to(folder, [turn(n) for n in range(30)] + list(more), REQUEST, key=KEY, now=NOW, source="made up")  # type: ignore[arg-type]


def test_a_harvest_is_one_dataset_per_split_and_the_same_bytes_again(tmp_path: Path) -> None:
    """Tuning and held-out sets lie side by side; drawing again gives the same files."""
    _harvest(tmp_path / "one" / "set")
    _harvest(tmp_path / "two" / "set")

    files = {str(path.relative_to(tmp_path / "one")): path.read_bytes() for path in (tmp_path / "one").rglob("*.json*")}
    again = {str(path.relative_to(tmp_path / "two")): path.read_bytes() for path in (tmp_path / "two").rglob("*.json*")}
    assert files == again
    assert find(tmp_path / "one") == (tmp_path / "one/set/held_out", tmp_path / "one/set/tuning")
    assert load(tmp_path / "one/set/tuning").manifest.split is Split.TUNING


def test_an_aborted_harvest_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a set nor a part of one is there after an error."""
    from pipelines.privacy import Cleaned

    monkeypatch.setattr(
        "pipelines.experiments.datasets.harvest.clean", lambda text, _s, **_w: Cleaned(text=text, replaced=0)
    )

    with pytest.raises(PersonalDataLeftError):
        _harvest(tmp_path / "set", turn(50, message="write to mary.lowe@corp.io"))

    assert list(tmp_path.iterdir()) == []


def test_a_set_is_never_overwritten(tmp_path: Path) -> None:
    """A second harvest of the same name is refused."""
    _harvest(tmp_path / "set")

    with pytest.raises(NightcheckError, match="it is there already"):
        _harvest(tmp_path / "set")


def test_nothing_to_draw_is_said_with_the_reasons(tmp_path: Path) -> None:
    """An empty set would be no set."""
    with pytest.raises(NightcheckError, match=r"nothing is left to draw \(1 age\)"):
        harvest_to(tmp_path / "set", [turn(1, message="I am 14")], REQUEST, key=KEY, now=NOW, source="made up")


def test_a_set_is_used_only_after_a_person_has_read_the_names(tmp_path: Path) -> None:
    """Unreleased it is refused; released, the list is gone and the reader is named."""
    everything = HarvestRequest(per_tenant_cap=100, held_out_share=0.0)
    turns = [turn(1), turn(2, message="my name is Zelda Quill and I ask about tents")]
    harvest_to(tmp_path / "set", turns, everything, key=KEY, now=NOW, source="made up")
    folder = tmp_path / "set" / "tuning"

    with pytest.raises(DatasetRefusedError, match="nobody has read the possible names"):
        load_usable(folder)
    assert [each.name for each in names(folder)] == ["Zelda Quill"]

    release(folder, reader="R. Reader")

    assert load_usable(folder).manifest.released_by == "R. Reader"
    assert not (folder / "names_to_review.jsonl").exists()
    assert check(folder) == ()


def test_a_reader_takes_out_items_by_name(tmp_path: Path) -> None:
    """Every item in which the name stands goes, and the hash is made anew."""
    everything = HarvestRequest(per_tenant_cap=100, held_out_share=0.0)
    turns = [turn(1), turn(2, message="my name is Zelda Quill and I ask about tents")]
    harvest_to(tmp_path / "set", turns, everything, key=KEY, now=NOW, source="made up")
    folder = tmp_path / "set" / "tuning"
    before = load(folder).manifest.content_hash

    with pytest.raises(UsageError, match="it has no Nobody"):
        release(folder, reader="R. Reader", drop_names=["Nobody"])
    released = release(folder, reader="R. Reader", drop_names=["Zelda Quill"])

    assert released.manifest.items == 1
    assert released.manifest.content_hash != before
    assert b"Zelda" not in b"".join(path.read_bytes() for path in folder.iterdir())


def test_an_earlier_set_is_not_repeated(tmp_path: Path) -> None:
    """The second set holds nothing of the first and says which it was compared with."""
    _harvest(tmp_path / "one")
    both = find(tmp_path / "one")

    written = harvest_to(
        tmp_path / "two", [turn(n) for n in range(40)], REQUEST, key=KEY, now=NOW, source="made up", earlier=both
    )

    assert sum(each.manifest.items for each in written.sets.values()) == 10
    assert written.left_out == {"near duplicate": 30}
    assert len(load(find(tmp_path / "two")[0]).manifest.provenance.earlier_sets) == 2


@pytest.fixture
def benchmark(tmp_path: Path) -> Path:
    """Return a folder in the form of a published retrieval benchmark, with two turns and two passages."""
    folder = tmp_path / "benchmark"
    folder.mkdir()
    turns = [
        {"task_id": "t<::>1", "domain": "garden", "turn": "1", "history": [], "raw": "What eats slugs?",
         "official_rewrite": None, "label3": "standalone", "multi_turn": ["N/A"]},
        {"task_id": "t<::>2", "domain": "garden", "turn": "2", "raw": "And snails?", "label3": None,
         "history": [{"role": "user", "text": "What eats slugs?"}, {"role": "assistant", "text": "Hedgehogs."}],
         "official_rewrite": "What eats snails?", "multi_turn": ["Follow-up"], "answerability": ["ANSWERABLE"]},
    ]  # fmt: skip
    (folder / "turns.jsonl").write_text("".join(json.dumps(each) + "\n" for each in turns))
    (folder / "qrels.json").write_text(json.dumps({"garden": {"t<::>2": {"p-1": 1}}}))
    passages = [
        {"_id": "p-1", "title": "Snails", "text": "Thrushes eat them."},
        {"_id": "p-2", "title": "", "text": "\n"},
    ]
    packed = gzip.compress("".join(json.dumps(each) + "\n" for each in passages).encode())
    (folder / "passages_garden.jsonl.gz").write_bytes(packed)
    return folder


def test_a_published_benchmark_becomes_a_dataset_with_its_passages(benchmark: Path, tmp_path: Path) -> None:
    """Turns, labels, stored rewrites and passages arrive; a turn without judgements has none."""
    import_retrieval(benchmark, tmp_path / "set", now=NOW)

    dataset = load_usable(tmp_path / "set")
    first, second = dataset.items
    assert first.qrels is None
    assert first.recorded == {}
    assert first.tags == ("first", "standalone")
    assert second.qrels == {"p-1": 1}
    assert [utterance.role for utterance in second.history] == ["visitor", "assistant"]
    assert second.recorded == {"official_rewrite": "What eats snails?"}
    assert second.tags == ("later", "multi_turn:follow-up", "answer:answerable")
    passages = list(load_passages(tmp_path / "set", dataset, "garden.example"))
    assert [(each.passage_id, each.title) for each in passages] == [("p-1", "Snails"), ("p-2", "")]
    with pytest.raises(UsageError, match="it holds no passages of other"):
        load_passages(tmp_path / "set", dataset, "other.example")


def test_other_passages_under_the_same_name_are_refused(benchmark: Path, tmp_path: Path) -> None:
    """A collection that was changed after the import is not measured on."""
    import_retrieval(benchmark, tmp_path / "set", now=NOW)
    (tmp_path / "set" / "passages-garden.example.jsonl.gz").write_bytes(gzip.compress(b""))

    with pytest.raises(NightcheckError, match="these are not the passages"):
        load_usable(tmp_path / "set")


def test_the_retrieval_benchmark_is_read_whole(shared_data: Path, tmp_path: Path) -> None:
    """All turns, judgements and passages of the public benchmark arrive."""
    dataset = import_retrieval(shared_data / "retrieval", tmp_path / "retrieval", now=NOW)

    assert dataset.manifest.items == 429
    assert sum(each.passages for each in dataset.manifest.collections.values()) == 22_614
    assert sum(each.qrels is not None for each in dataset.items) == 396
    assert check(tmp_path / "retrieval") == ()
