"""The spool's promise: what `append` returned for is on the disk, and what it raised for is not there."""

import os
from pathlib import Path

import pytest

from pipelines.io.spool import SpoolSource, SpoolWriter
from schemas.sources import BatchLimits


def content(folder: Path) -> list[bytes]:
    """Return all records of a spool."""
    return [record for (part,) in SpoolSource(folder).batches({}, BatchLimits()) for record in part.records]


def test_nothing_is_acknowledged_before_the_disk_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk cannot be waited for, the records are not stored, and later ones are whole."""
    real = os.fsync

    def failing(_descriptor: int) -> None:
        raise OSError("the disk does not answer")

    with SpoolWriter(tmp_path) as writer:
        writer.append([b'{"a":1}'])
        monkeypatch.setattr(os, "fsync", failing)
        with pytest.raises(OSError, match="does not answer"):
            writer.append([b'{"a":2}', b'{"a":3}'])
        monkeypatch.setattr(os, "fsync", real)
        writer.append([b'{"a":4}'])

    assert content(tmp_path) == [b'{"a":1}', b'{"a":4}']


def test_a_segment_that_cannot_be_cut_back_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is torn stays at the end of its segment, and the next records begin another."""

    def failing(*_arguments: int) -> None:
        raise OSError("the disk does not answer")

    with SpoolWriter(tmp_path) as writer:
        writer.append([b'{"a":1}'])
        with monkeypatch.context() as broken:
            broken.setattr(os, "fsync", failing)
            broken.setattr(os, "ftruncate", failing)
            with pytest.raises(OSError, match="does not answer"):
                writer.append([b'{"a":2}'])
        writer.append([b'{"a":3}'])

    assert len(list(tmp_path.glob("*.jsonl"))) == 2
    assert content(tmp_path)[-1] == b'{"a":3}'
