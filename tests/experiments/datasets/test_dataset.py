"""A set is refused, with the reason, whenever something speaks against measuring on it."""

from dataclasses import replace

import pytest

from pipelines.errors import NightcheckError
from pipelines.experiments.datasets import Threshold
from pipelines.experiments.datasets.dataset import (
    DatasetRefusedError,
    decode_items,
    describe,
    encode_items,
    faults_of,
    require_usable,
)
from tests.experiments.datasets.build import dataset, item, said


def test_a_clean_set_is_usable_and_survives_its_file() -> None:
    """Nothing speaks against it, and its items are the same after writing and reading."""
    made = dataset(item(1), item(2))

    assert require_usable(made) is made
    assert decode_items(encode_items(made.items)) == made.items


def test_the_hash_hangs_on_the_items_and_not_on_their_order() -> None:
    """The same items in another order are the same set; one other letter makes another set."""
    one, other = dataset(item(1), item(2)), dataset(item(2), item(1))

    assert one.manifest.content_hash == other.manifest.content_hash
    assert dataset(item(1), item(2, "other")).manifest.content_hash != one.manifest.content_hash


@pytest.mark.parametrize(
    ("text", "kind"),
    [("write to mary.lowe@corp.io", "email"), ("ring +44 20 7946 0018", "telephone"), ("I am 14 years old", "age")],
)
@pytest.mark.parametrize("field", ["message", "history", "need", "reference", "recorded"])
def test_a_planted_disclosure_is_refused_in_every_field(text: str, kind: str, field: str) -> None:
    """Whatever text of an item holds it, the set is refused, and the message does not repeat it."""
    values = {"history": said("hello", text), "recorded": {"rewrite": text}}
    planted = replace(item(1), **{field: values.get(field, text)})  # type: ignore[arg-type]

    with pytest.raises(DatasetRefusedError, match=rf"item i-01, {field}.*personal data is left \({kind} at ") as caught:
        require_usable(dataset(planted, item(2)))

    assert text not in str(caught.value)


def test_synthetic_addresses_and_published_texts_may_stand() -> None:
    """Addresses on reserved hosts are nobody's, and what was published before is kept as it is."""
    assert faults_of(dataset(item(1, "write to bimo.leda@corp.example"))) == ()
    assert faults_of(dataset(item(1, "the actress, aged 41, called +44 20 7946 0018"), public=True)) == ()


def test_changed_items_are_noticed() -> None:
    """Items that are not those of the manifest, or fewer, are refused."""
    made = dataset(item(1), item(2))

    changed = replace(made, items=(made.items[0], replace(made.items[1], message="something else")))
    fewer = replace(made, items=made.items[:1])

    assert faults_of(changed) == ("the items are not those that the manifest was written for (other content hash)",)
    assert faults_of(fewer)[0] == "the manifest counts 2 items, the file has 1"


def test_a_threshold_copied_from_another_set_is_refused() -> None:
    """A threshold says on which items it was measured."""
    other = dataset(item(1), item(2), item(3))
    threshold = Threshold(
        value=0.02, measure="nDCG@5", control="raw", run_id="r-1", content_hash=other.manifest.content_hash
    )
    copied = dataset(item(1), item(2))
    copied = replace(copied, manifest=replace(copied.manifest, threshold=threshold))

    assert faults_of(copied) == ("the threshold was measured on another dataset",)
    assert describe(copied.manifest, copied.items).manifest.threshold is None


def test_repeated_items_negative_grades_and_unread_names_are_refused() -> None:
    """Each is named."""
    graded = replace(item(2), qrels={"p": -1})
    faults = faults_of(dataset(item(1), item(1), graded, released=False))

    assert "item i-01 is there 2 times" in faults
    assert "item i-02 has a negative grade" in faults
    assert any("released" in fault for fault in faults)


def test_a_broken_line_is_named() -> None:
    """The error says which line of the items is at fault."""
    with pytest.raises(NightcheckError, match=r"items\.jsonl line 2: .*message"):
        decode_items(encode_items([item(1)]) + b'{"item_id":"x","tenant":"t","conversation_id":"c","turn_index":0}\n')
