"""`nightcheck keys`: made, listed without the secret, revoked."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pipelines.cli.keys import keys


def run(*arguments: str) -> Result:
    """Run a command of the group."""
    return CliRunner().invoke(keys, list(arguments))


def test_a_key_is_shown_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Creating prints the key; listing never does; a revoked one is listed as such."""
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path))
    made = json.loads(run("create", "help.example.com", "--json").stdout)

    listed = json.loads(run("list", "--json").stdout)
    run("revoke", made["id"])
    revoked = json.loads(run("list", "--json").stdout)

    assert made["key"].startswith(f"nk_{made['id']}_")
    assert (listed["id"], listed["tenant"], listed["revoked_at"]) == (made["id"], "help.example.com", None)
    assert made["key"] not in run("list").output
    assert revoked["revoked_at"] is not None
