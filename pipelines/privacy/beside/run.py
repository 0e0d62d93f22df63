"""Erase a visitor from what lies beside the warehouse: harvested sets, caches, pages that Dagster keeps."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pipelines.experiments.datasets.dataset import ITEMS, MANIFEST, NAMES, describe, encode_items
from pipelines.experiments.datasets.manifest import encode as encode_manifest
from pipelines.experiments.datasets.names import encode_names, names_to_review
from pipelines.experiments.datasets.run import find, load, names
from pipelines.io.datasets import read_file, write_folder
from pipelines.io.erasing import forget_file
from pipelines.io.run_logs import rewrite_events
from pipelines.privacy.erasure import Belongings
from pipelines.privacy.pages import without


def erase_items(roots: Sequence[Path], belongings: Belongings) -> dict[str, int]:
    """Take the visitor's turns out of every set below the folders; return how many went from which."""
    return {str(folder): count for root in roots for folder, count in _erase_items(root, belongings)}


def _erase_items(root: Path, belongings: Belongings) -> Iterator[tuple[Path, int]]:
    """Take the visitor's turns out of every set below a folder, and out of the lists of names to read."""
    for folder in find(root) if root.exists() and belongings.prefixes else ():
        dataset = load(folder)
        kept = [each for each in dataset.items if not each.item_id.startswith(belongings.prefixes)]
        if len(kept) == len(dataset.items):
            continue
        smaller = describe(dataset.manifest, kept)
        files = {ITEMS: encode_items(smaller.items), MANIFEST: encode_manifest(smaller.manifest)}
        files |= {each.file: read_file(folder / each.file) for each in dataset.manifest.collections.values()}
        if names(folder):
            files[NAMES] = encode_names(names_to_review(kept))
        write_folder(folder, files, replace=True)
        yield folder, len(dataset.items) - len(kept)


def erase_caches(caches: Sequence[Path], belongings: Belongings) -> int:
    """Remove the caches, where the visitor has said anything; return how many there were.

    A cache knows texts by digests of them: which of its entries are the visitor's can't be told.
    """
    return sum(forget_file(each) for each in caches) if belongings.conversations else 0


def erase_pages(folders: Sequence[Path], belongings: Belongings) -> int:
    """Blank the visitor's rows on the pages that Dagster keeps below the folders; return how many pages had any."""
    return sum(rewrite_events(folder, lambda document: without(document, belongings.probes)) for folder in folders)
