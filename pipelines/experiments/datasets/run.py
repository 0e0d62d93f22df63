"""Datasets on disk: harvest one from the warehouse, import one, check, release and load them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from hashlib import sha256
from itertools import groupby
from pathlib import Path

import msgspec

from pipelines.errors import NightcheckError, UsageError
from pipelines.experiments.datasets import manifest as manifest_file
from pipelines.experiments.datasets import retrieval_set
from pipelines.experiments.datasets.dataset import (
    ITEMS,
    MANIFEST,
    NAMES,
    Dataset,
    decode_items,
    describe,
    encode_items,
    faults_of,
    require_usable,
)
from pipelines.experiments.datasets.harvest import Harvest, HarvestRequest, StoredTurn, harvest
from pipelines.experiments.datasets.item import Item
from pipelines.experiments.datasets.manifest import Manifest, Provenance, Split
from pipelines.experiments.datasets.names import PossibleName, decode_names, encode_names, names_to_review
from pipelines.experiments.datasets.passage import Passage, unpack
from pipelines.io.datasets import NoSuchFileError, folders_with, read_file, write_folder
from pipelines.io.warehouse import Warehouse
from pipelines.judging.verdict import Utterance
from pipelines.nearest import meant
from pipelines.privacy import DETECTOR_VERSION
from pipelines.settings import Settings
from schemas import sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The sets that were written, by split, what was left out and why, and how many possible names wait."""

    sets: dict[Split, Dataset]
    left_out: dict[str, int]
    names: int


def folder_of(chosen: Settings, name: str) -> Path:
    """Return the folder of the set that a name means; raises `UsageError` with those there are where it means none."""
    folder = chosen.dataset_folder(name)
    try:
        read_file(folder / MANIFEST)
    except NoSuchFileError as error:
        there = [str(each.relative_to(chosen.datasets)) for each in folders_with(chosen.datasets, MANIFEST)]
        there_are = (
            f"There are: {', '.join(there)}" if there else "There are none yet: nightcheck dataset harvest --help"
        )
        raise UsageError(
            f"dataset {name!r}",
            f"there is none of that name in {chosen.datasets}, and no such folder of one",
            meant(name, there) + there_are,
        ) from error
    return folder


def load(folder: Path) -> Dataset:
    """Return the dataset of a folder as it is written, usable or not; raises `NightcheckError` that names the file."""
    try:
        described = manifest_file.decode(read_file(folder / MANIFEST))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NightcheckError(str(folder / MANIFEST), str(error), "Harvest or import the set anew") from error
    return Dataset(manifest=described, items=decode_items(read_file(folder / ITEMS)))


def load_usable(folder: Path) -> Dataset:
    """Return the dataset of a folder, or raise `DatasetRefusedError` with all that speaks against measuring on it."""
    dataset = require_usable(load(folder))
    for tenant, collection in sorted(dataset.manifest.collections.items()):
        if sha256(read_file(folder / collection.file)).hexdigest() != collection.content_hash:
            raise NightcheckError(
                str(folder / collection.file), f"these are not the passages of {tenant}", "Import the set anew"
            )
    return dataset


def load_passages(folder: Path, dataset: Dataset, tenant: str) -> Iterator[Passage]:
    """Yield the passages that a tenant's items are searched in; raises `UsageError` where the set has none for it."""
    collection = dataset.manifest.collections.get(tenant)
    if collection is None:
        raise UsageError(
            str(folder), f"it holds no passages of {tenant}", "Name a collection, or a retriever of your own"
        )
    return unpack(read_file(folder / collection.file))


def check(folder: Path) -> tuple[str, ...]:
    """Return everything that speaks against measuring on the dataset of a folder."""
    return faults_of(load(folder))


def names(folder: Path) -> tuple[PossibleName, ...]:
    """Return the possible names that wait for a reader; none where the set is released."""
    return decode_names(read_file(folder / NAMES)) if (folder / NAMES).exists() else ()


def find(root: Path) -> tuple[Path, ...]:
    """Return the folders below `root` that hold a dataset."""
    return folders_with(root, MANIFEST)


def stored_turns(
    warehouse: Warehouse, first_day: date, last_day: date, *, environments: Sequence[str], tenant: str | None = None
) -> Iterator[StoredTurn]:
    """Yield the stored turns of the days, each with the conversation before it and tags that say of which type it is.

    Tags: `first` or `later`, `gate:<decision>` and `resolution:<how the query came about>` where they are known.
    """
    parameters = {
        "first_day": first_day,
        "last_day": last_day,
        "environments": list(environments),
        "tenant": tenant,
    }
    with warehouse.read() as connection:
        rows = connection.execute(sql.load("experiments/stored_turns.sql"), parameters).fetchall()
    for _, turns in groupby(rows, key=lambda row: row[:2]):
        history: list[Utterance] = []
        for tenant_name, conversation, index, message, answer, language, decision, resolution, wanted in turns:
            if wanted:
                yield StoredTurn(
                    tenant=tenant_name,
                    conversation_id=conversation,
                    turn_index=index,
                    message=message,
                    history=tuple(history),
                    language=language,
                    gate_decision=decision,
                    tags=tuple(_tags(index, decision, resolution)),
                )
            history.append(Utterance(role="visitor", text=message))
            if answer:
                history.append(Utterance(role="assistant", text=answer))


def harvest_to(
    folder: Path,
    turns: Iterable[StoredTurn],
    request: HarvestRequest,
    *,
    key: bytes,
    now: datetime,
    source: str,
    earlier: Sequence[Path] = (),
) -> Written:
    """Draw a set and write it to `folder`, one dataset per split; unreleased, with the possible names to read.

    Whatever goes wrong, nothing is written. Raises `NightcheckError`.
    """
    before = [load(each) for each in earlier]
    drawn = harvest(turns, request, key=key, earlier=(each for dataset in before for each in dataset.items))
    if not any(drawn.items.values()):
        reasons = ", ".join(f"{count} {reason}" for reason, count in drawn.left_out.items()) or "no turns at all"
        raise NightcheckError(folder.name, f"nothing is left to draw ({reasons})", "Ask for other days or tags")
    provenance = _provenance(drawn, request, before, now, source)
    sets = {
        split: _described(f"{folder.name}/{split.value}", split, items, provenance)
        for split, items in drawn.items.items()
        if items
    }
    listed = {split: names_to_review(dataset.items) for split, dataset in sets.items()}
    files: dict[str, bytes] = {}
    for split, dataset in sets.items():
        files |= {f"{split.value}/{name}": content for name, content in _files(dataset, listed[split]).items()}
    write_folder(folder, files)
    return Written(
        sets=sets, left_out=drawn.left_out, names=len({each.name for found in listed.values() for each in found})
    )


def release(folder: Path, *, reader: str, drop_items: Sequence[str] = (), drop_names: Sequence[str] = ()) -> Dataset:
    """Mark the set as read by `reader`, without the items dropped or in which a dropped name stands.

    The list of names goes; the content hash is made anew. Raises `DatasetRefusedError` where anything else speaks
    against the set.
    """
    dataset = load(folder)
    listed = {each.name: each for each in names(folder)}
    unknown = [*(set(drop_names) - set(listed)), *(set(drop_items) - {each.item_id for each in dataset.items})]
    if unknown:
        raise UsageError(str(folder), f"it has no {', '.join(sorted(unknown))}", "See the list of names and the items")
    dropped = {*drop_items, *(item for name in drop_names for item in listed[name].items)}
    kept = [each for each in dataset.items if each.item_id not in dropped]
    released = require_usable(describe(replace(dataset.manifest, released=True, released_by=reader), kept))
    collections = {each.file: read_file(folder / each.file) for each in dataset.manifest.collections.values()}
    write_folder(folder, _files(released) | collections, replace=True)
    return released


def import_retrieval(source: Path, folder: Path, *, now: datetime) -> Dataset:
    """Make a dataset with its passages out of a folder of a published retrieval benchmark, and write it to `folder`.

    The format is that of `retrieval_set`. Published texts are kept as they are, so the set is released at once.
    """
    by_domain = retrieval_set.read_turns(
        read_file(source / retrieval_set.TURNS), read_file(source / retrieval_set.QRELS)
    )
    collections = {}
    files = {}
    for domain in sorted(by_domain):
        packed = read_file(source / retrieval_set.passages_file(domain))
        collection, passages = retrieval_set.read_collection(domain, packed)
        collections[retrieval_set.tenant_of(domain)] = collection
        files[collection.file] = passages
    described = Manifest(
        name=folder.name,
        version=1,
        content_hash="",
        split=Split.HELD_OUT,
        items=0,
        released=True,
        released_by="published before",
        collections=collections,
        provenance=Provenance(source=f"published retrieval benchmark: {source.name}", made_at=now, public=True),
    )
    dataset = describe(described, (each for items in by_domain.values() for each in items))
    write_folder(folder, _files(dataset) | files)
    return dataset


def _tags(index: int, decision: str | None, resolution: str | None) -> Iterator[str]:
    yield "first" if index == 0 else "later"
    if decision is not None:
        yield f"gate:{decision}"
    if resolution is not None:
        yield f"resolution:{resolution}"


def _provenance(
    drawn: Harvest, request: HarvestRequest, earlier: Sequence[Dataset], now: datetime, source: str
) -> Provenance:
    return Provenance(
        source=source,
        made_at=now,
        tags=tuple(sorted(request.tags)),
        per_tenant_cap=request.per_tenant_cap,
        seed=request.seed,
        earlier_sets=tuple(f"{each.manifest.name}@{each.manifest.content_hash}" for each in earlier),
        detector_version=DETECTOR_VERSION,
        left_out=drawn.left_out,
    )


def _described(name: str, split: Split, items: Sequence[Item], provenance: Provenance) -> Dataset:
    return describe(Manifest(name=name, version=1, content_hash="", split=split, items=0, provenance=provenance), items)


def _files(dataset: Dataset, listed: Sequence[PossibleName] = ()) -> dict[str, bytes]:
    files = {ITEMS: encode_items(dataset.items), MANIFEST: manifest_file.encode(dataset.manifest)}
    return files | {NAMES: encode_names(listed)} if listed else files
