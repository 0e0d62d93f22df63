"""Looking into files for what must be nowhere."""

import gzip
from pathlib import Path

import pytest
import zstandard

from pipelines.io import erasing
from pipelines.io.erasing import lines_with


@pytest.mark.parametrize(("suffix", "pack"), [("", bytes), (".gz", gzip.compress), (".zst", zstandard.compress)])
def test_lines_are_found_in_files_packed_or_not(tmp_path: Path, suffix: str, pack: type[bytes]) -> None:
    """Each line in which the bytes stand, the last one too where it does not end."""
    file = tmp_path / f"lines.jsonl{suffix}"
    file.write_bytes(pack(b"a v-1 b\nnothing\nc v-1"))

    assert list(lines_with(file, b"v-1")) == [b"a v-1 b\n", b"c v-1"]


def test_bytes_that_are_cut_in_two_are_not_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is too long to be read at once is handed over whatever stands in it."""
    monkeypatch.setattr(erasing, "_PIECE", 8)
    (tmp_path / "long").write_bytes(b"123456v-1\nshort\n")

    assert list(lines_with(tmp_path / "long", b"v-1")) == [b"123456v-"]
