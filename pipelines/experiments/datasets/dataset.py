"""A dataset as a whole: its items, its description, and whether the two may be used."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256

import msgspec

from pipelines.errors import NightcheckError
from pipelines.experiments.datasets import item as items_file
from pipelines.experiments.datasets.item import Item
from pipelines.experiments.datasets.manifest import Collection, Manifest
from pipelines.privacy import is_reserved, require_clean

ITEMS = "items.jsonl"
MANIFEST = "manifest.json"
NAMES = "names_to_review.jsonl"


class DatasetRefusedError(NightcheckError):
    """A dataset that must not be measured on, with all that is wrong with it."""

    def __init__(self, name: str, faults: tuple[str, ...]) -> None:
        more = f" and {len(faults) - 5} more" if len(faults) > 5 else ""
        super().__init__(
            f"dataset {name}", "; ".join(faults[:5]) + more, "See all of it: nightcheck dataset check FOLDER"
        )
        self.faults = faults


@dataclass(frozen=True, slots=True, kw_only=True)
class Dataset:
    """The items, in the order of their ids, and what is said about them."""

    manifest: Manifest
    items: tuple[Item, ...]


def encode_items(items: Iterable[Item]) -> bytes:
    """Return the items as JSON lines in the order of their ids; the same items give the same bytes."""
    ordered = sorted(items, key=lambda each: each.item_id)
    return b"".join(items_file.encode(each) + b"\n" for each in ordered)


def decode_items(text: bytes) -> tuple[Item, ...]:
    """Return the items of a file. Raises `NightcheckError` that names the first line at fault."""
    decoded = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            decoded.append(items_file.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise NightcheckError(f"{ITEMS} line {number}", str(error), "Harvest or import the set anew") from error
    return tuple(decoded)


def content_hash(items: Iterable[Item], collections: Mapping[str, Collection]) -> str:
    """Return the SHA-256 over the items' bytes and the hashes of the collections, by tenant."""
    digest = sha256(encode_items(items))
    for tenant, collection in sorted(collections.items()):
        digest.update(f"{tenant}\x00{collection.content_hash}\n".encode())
    return digest.hexdigest()


def describe(manifest: Manifest, items: Iterable[Item]) -> Dataset:
    """Return the items in order with the manifest's count and hash made theirs; a threshold for others falls away."""
    ordered = tuple(sorted(items, key=lambda each: each.item_id))
    found = content_hash(ordered, manifest.collections)
    threshold = manifest.threshold
    if threshold is not None and threshold.content_hash != found:
        threshold = None
    return Dataset(
        manifest=replace(manifest, content_hash=found, items=len(ordered), threshold=threshold), items=ordered
    )


def faults_of(dataset: Dataset) -> tuple[str, ...]:
    """Return everything that speaks against measuring on this dataset; empty where nothing does.

    A detector that fails is a fault of the set, not of the check: what it would have found is unknown. No fault quotes
    the text that it is about.
    """
    return (*_faults_of_manifest(dataset), *_faults_of_items(dataset.items), *_personal_data(dataset))


def require_usable(dataset: Dataset) -> Dataset:
    """Return the dataset, or raise `DatasetRefusedError` with all that speaks against it."""
    faults = faults_of(dataset)
    if faults:
        raise DatasetRefusedError(dataset.manifest.name, faults)
    return dataset


def texts_of(each: Item) -> Iterator[tuple[str, str]]:
    """Yield every text of an item that people or models wrote, with the name of its field."""
    yield "message", each.message
    for place, utterance in enumerate(each.history):
        yield f"history[{place}]", utterance.text
    for name, text in (("need", each.need), ("reference", each.reference)):
        if text is not None:
            yield name, text
    for name, text in sorted(each.recorded.items()):
        yield f"recorded[{name}]", text


def _faults_of_manifest(dataset: Dataset) -> Iterator[str]:
    manifest = dataset.manifest
    if manifest.items != len(dataset.items):
        yield f"the manifest counts {manifest.items} items, the file has {len(dataset.items)}"
    if manifest.content_hash != content_hash(dataset.items, manifest.collections):
        yield "the items are not those that the manifest was written for (other content hash)"
    if manifest.threshold is not None and manifest.threshold.content_hash != manifest.content_hash:
        yield "the threshold was measured on another dataset"
    if not manifest.released:
        yield "nobody has read the possible names and released it (nightcheck dataset release)"


def _faults_of_items(items: tuple[Item, ...]) -> Iterator[str]:
    for item_id, times in sorted(Counter(each.item_id for each in items).items()):
        if times > 1:
            yield f"item {item_id} is there {times} times"
    for each in items:
        if each.qrels is not None and any(grade < 0 for grade in each.qrels.values()):
            yield f"item {each.item_id} has a negative grade"


def _personal_data(dataset: Dataset) -> Iterator[str]:
    if dataset.manifest.provenance.public:
        return
    for each in dataset.items:
        for field, text in texts_of(each):
            try:
                require_clean(text, is_reserved, where=f"item {each.item_id}, {field}")
            except NightcheckError as error:  # something was left, or a detector failed
                yield f"{error.thing}: {error.reason}"
