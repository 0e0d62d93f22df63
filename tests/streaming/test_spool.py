"""The spool's promise: what `append` returned for is on the disk, and what it raised for is not there."""

import os
import time
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


def test_a_follower_takes_up_what_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines, segments and the spool itself may come later; nothing comes twice, and nothing half."""
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    folder = tmp_path / "spool"
    feed = SpoolSource(folder, follow=True).batches({}, BatchLimits(rows=2))

    def found() -> list[bytes]:
        """Return what comes until the follower says that there is nothing at the moment."""
        return [record for batch in iter(lambda: next(feed), ()) for part in batch for record in part.records]

    assert found() == []
    with SpoolWriter(folder, segment_bytes=20) as writer:
        writer.append([b"1", b"2", b"3"])
        assert found() == [b"1", b"2", b"3"]
        assert found() == []
        writer.append([b"4" * 30])
        writer.append([b"5"])
        assert found() == [b"4" * 30, b"5"]
    (*_, last) = sorted(folder.glob("*.jsonl"))
    with last.open("ab") as torn:
        torn.write(b"6")
    assert found() == []
    with last.open("ab") as torn:
        torn.write(b"\n")
    assert found() == [b"6"]
