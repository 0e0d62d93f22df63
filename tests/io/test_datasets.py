"""A folder is replaced as a whole, also when someone is stopped half way; the key is made once."""

from pathlib import Path

import pytest

from pipelines.errors import NightcheckError
from pipelines.io.datasets import NoSuchFileError, read_file, read_or_make_key, write_folder


def test_one_who_was_stopped_between_the_two_renames_loses_nothing(tmp_path: Path) -> None:
    """The old folder was moved away and the new one never came: the next reader finds the old one."""
    write_folder(tmp_path / "set", {"a": b"old"})
    (tmp_path / "set").rename(tmp_path / ".set.old")

    assert read_file(tmp_path / "set" / "a") == b"old"


def test_leftovers_of_one_who_was_stopped_while_writing_are_no_part_of_the_next(tmp_path: Path) -> None:
    """A half-written folder beside is thrown away."""
    (tmp_path / ".set.new").mkdir()
    (tmp_path / ".set.new" / "stray").write_bytes(b"x")

    write_folder(tmp_path / "set", {"a": b"1", "below/b": b"2"})

    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()) == [
        "set/a",
        "set/below/b",
    ]


def test_replacing_is_asked_for(tmp_path: Path) -> None:
    """Without it an existing folder stays; with it the new files are all there is."""
    write_folder(tmp_path / "set", {"a": b"1", "gone": b"1"})

    with pytest.raises(NightcheckError, match="it is there already"):
        write_folder(tmp_path / "set", {"a": b"2"})
    write_folder(tmp_path / "set", {"a": b"2"}, replace=True)

    assert read_file(tmp_path / "set" / "a") == b"2"
    with pytest.raises(NoSuchFileError):
        read_file(tmp_path / "set" / "gone")


def test_the_key_is_made_once_and_for_this_user_alone(tmp_path: Path) -> None:
    """The second reader gets the first one's key; nobody else may read the file."""
    key = read_or_make_key(tmp_path / "deep" / "key")

    assert read_or_make_key(tmp_path / "deep" / "key") == key
    assert len(key) == 32
    assert (tmp_path / "deep" / "key").stat().st_mode & 0o077 == 0
