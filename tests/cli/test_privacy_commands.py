"""`nightcheck dataset`, `erase` and `tenants`, from the outside."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from pipelines.cli import app
from pipelines.errors import NightcheckError, UsageError

TENANT = "help.example.com"
SUBJECTS = ("kettles", "mowers", "lanterns", "bicycles", "curtains", "violins", "tents", "ladders")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home with eight turns: two with something personal in them."""
    monkeypatch.setenv("NIGHTCHECK_HOME", str(tmp_path / "home"))
    messages = [f"how do people repair {subject} at home without tools" for subject in SUBJECTS]
    messages[1] += ", I am mary.lowe@corp.io"
    messages[2] = "I am 14, may I order lanterns"
    lines = [
        {
            "event_id": f"00000000-0000-4000-8000-{number:012d}", "event_type": "turn", "schema_version": 1, "tenant": TENANT,
            "environment": "production", "occurred_at": "2026-11-29T10:00:00+00:00", "conversation_id": f"c-{number}-long-name",
            "visitor_id": f"visitor-{number}-long-name", "payload": {"turn_id": f"t-{number}", "turn_index": 0, "message": message},
        }
        for number, message in enumerate(messages)
    ]  # fmt: skip
    (tmp_path / "events.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    assert _run("ingest", str(tmp_path / "events.jsonl")).exit_code == 0
    return tmp_path / "home"


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def _harvest(name: str = "nov", *more: str) -> Result:
    return _run("dataset", "harvest", name, "--from", "2026-11-29", "--to", "2026-11-29", "--held-out", "0", *more)


def test_a_set_is_harvested_read_and_released(home: Path) -> None:
    """From stored turns to a usable set, with nothing personal in it and every reason told."""
    harvested = _harvest()

    assert harvested.exit_code == 0, harvested.output
    assert "nov/tuning: 7 items" in harvested.output
    assert "left out, age: 1" in harvested.output
    checked = _run("dataset", "check", "nov/tuning")
    assert checked.exit_code == 1
    assert "nobody has read the possible names" in checked.output
    assert _run("dataset", "names", "nov/tuning").exit_code == 0
    assert "7 items, released" in _run("dataset", "release", "nov/tuning", "--reader", "R. Reader").output
    assert _run("dataset", "check", "nov/tuning", "--json").output == '{"usable": true, "faults": []}\n'
    assert b"corp.io" not in (home / "datasets" / "nov" / "tuning" / "items.jsonl").read_bytes()


def test_an_aborted_harvest_leaves_no_folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A detector that fails ends the command with an error, and there is no set."""

    def broken(text: str) -> tuple[()]:
        raise RuntimeError(text)

    monkeypatch.setattr("pipelines.privacy.cleaning.find_personal_data", broken)

    result = _harvest()

    assert isinstance(result.exception, NightcheckError)
    assert not (home / "datasets").exists()


def test_a_set_cannot_be_named_out_of_its_folder(home: Path) -> None:
    """A name with dots in it is refused."""
    assert isinstance(_harvest("../elsewhere").exception, UsageError)


@pytest.mark.parametrize(
    "command",
    [("dataset", "check"), ("dataset", "names"), ("dataset", "release", "--reader", "R"), ("experiment", "run")],
)
def test_a_set_that_is_not_there_is_answered_with_those_that_are(home: Path, command: tuple[str, ...]) -> None:
    """Also where the folder above the set is named; the advice is not the command that was just run."""
    none, _ = _run(*command, "nov"), _harvest()
    half, other = _run(*command, "nov"), _run(*command, "retrieval")

    for result in (none, half, other):
        assert isinstance(result.exception, UsageError)
        assert str(home / "datasets") in str(result.exception)
    assert "There are none yet: nightcheck dataset harvest" in str(none.exception)
    assert "There are: nov/tuning" in str(half.exception)
    assert "dataset check" not in str(other.exception)


def test_a_visitor_is_erased_and_the_report_says_so(home: Path) -> None:
    """Rows, items and days are counted, and what is left elsewhere makes the exit code 1."""
    _harvest()
    (home / "judge" / "answers").mkdir(parents=True)
    kept = home / "judge" / "answers" / "2026-11-29.jsonl"
    kept.write_text("visitor-5-long-name")

    erased = _run("erase", "--tenant", TENANT, "--visitor", "visitor-5-long-name")

    assert erased.exit_code == 0, erased.output
    assert "1 row of canonical.turns" in erased.output
    assert f"1 item of {home / 'datasets' / 'nov' / 'tuning'}" in erased.output
    assert "nothing is left" in erased.output
    assert not kept.exists()
    assert "nothing is known of this visitor" not in erased.output
    (home / "note").write_text("visitor-5-long-name")
    again = _run("erase", "--tenant", TENANT, "--visitor", "visitor-5-long-name", "--json")
    assert again.exit_code == 1
    assert [Path(each["place"]).name for each in json.loads(again.output)["leftovers"]] == ["note"]


def test_a_visitor_nobody_knows_is_said_to_be_unknown(home: Path) -> None:
    """A mistyped id must not look like an erasure; it is no failure, and the tombstone stands."""
    assert (home / "warehouse.duckdb").exists()

    erased = _run("erase", "--tenant", TENANT, "--visitor", "visitor-5-long-nam")

    assert erased.exit_code == 0, erased.output
    assert "nothing is known of this visitor" in erased.output


def test_a_tenant_nobody_knows_is_said_to_be_unknown(home: Path) -> None:
    """With the nearest there are; another tenant's visitor of that id in a file of events is somebody else."""
    (home / "events.jsonl").write_bytes((home.parent / "events.jsonl").read_bytes())

    erased = _run("erase", "--tenant", "hlep.example.com", "--visitor", "visitor-5-long-name")

    assert erased.exit_code == 0, erased.output
    assert f"no event of tenant hlep.example.com is here. Did you mean {TENANT}? There are: {TENANT}" in erased.output
    assert _run("erase", "--tenant", TENANT, "--visitor", "visitor-5-long-name").exit_code == 1  # the file is left


def test_a_stale_change_of_a_tenant_fails(home: Path) -> None:
    """The second of two people who read version 0 is refused, and applications read what the first has set."""
    assert _run("tenants", "set", TENANT, "gate=25%", "--based-on", "0", "--by", "one").exit_code == 0

    second = _run("tenants", "set", TENANT, "gate=on", "--based-on", "0", "--by", "other")

    assert isinstance(second.exception, NightcheckError)
    assert json.loads(_run("tenants", "get", TENANT, "--json").output) == {
        "tenant": TENANT,
        "version": 1,
        "gate": "25%",
    }
    assert '"percent": 25.0' in (home / "published" / "tenants.json").read_text()
    assert isinstance(_run("tenants", "set", TENANT, "gate=maybe", "--based-on", "1").exception, UsageError)
    assert isinstance(_run("tenants", "set", TENANT, "colour=red", "--based-on", "1").exception, UsageError)
