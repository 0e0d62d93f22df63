"""Write keys: stored as hashes, rotated, revoked at once."""

import stat
from pathlib import Path

import pytest

from pipelines.collect.keys import recognise
from pipelines.collect.run import create_key, keyring, revoke_key
from pipelines.errors import UsageError
from pipelines.io.keyring import BrokenKeyringError
from tests.collect.conftest import NOW


def test_a_key_is_known_and_not_kept(tmp_path: Path) -> None:
    """The file holds a hash, is its owner's alone, and the key is recognised by it."""
    key, stored = create_key(tmp_path, "Help.Example.com", lambda: NOW)

    file = tmp_path / "keys.json"
    assert key.encode() not in file.read_bytes()
    assert key.rpartition("_")[2].encode() not in file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert recognise(f"Bearer {key}", keyring(tmp_path).items()) == stored
    assert stored.tenant == "help.example.com"


def test_the_secret_counts_and_not_the_id(tmp_path: Path) -> None:
    """One changed character of the secret is another key."""
    key, _ = create_key(tmp_path, "a.example.com", lambda: NOW)
    other = key[:-1] + ("0" if key[-1] != "0" else "1")

    assert recognise(f"Bearer {other}", keyring(tmp_path).items()) is None


def test_a_revoked_key_is_refused_by_a_collector_that_runs(tmp_path: Path) -> None:
    """Keys of one tenant overlap while they are rotated, and revoking one leaves the other."""
    running = keyring(tmp_path)
    old, stored = create_key(tmp_path, "a.example.com", lambda: NOW)
    new, _ = create_key(tmp_path, "a.example.com", lambda: NOW)
    assert recognise(f"Bearer {old}", running.items()) is not None

    revoke_key(tmp_path, stored.key_id, lambda: NOW)

    assert recognise(f"Bearer {old}", running.items()) is None
    assert recognise(f"Bearer {new}", running.items()) is not None


def test_a_broken_file_lets_nobody_in(tmp_path: Path) -> None:
    """A damaged file is an error that names it, never an empty list of keys that a write would make final."""
    (tmp_path / "keys.json").write_text("{")

    with pytest.raises(BrokenKeyringError, match=r"keys\.json"):
        create_key(tmp_path, "a.example.com", lambda: NOW)


def test_a_tenant_that_is_no_host_name_gets_no_key(tmp_path: Path) -> None:
    """The name is checked when the key is made, not when the first event is refused."""
    with pytest.raises(UsageError):
        create_key(tmp_path, "https://a.example.com", lambda: NOW)
    with pytest.raises(UsageError):
        revoke_key(tmp_path, "0" * 12, lambda: NOW)
