"""Settings that cannot be meant are refused before anything is touched."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.cli import app
from pipelines.errors import UsageError
from pipelines.judging.settings import read_settings
from pipelines.settings import VARIABLES, Settings, unread

_ROOT = Path(__file__).parent.parent
_OURS = "NIGHTCHECK_"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NIGHTCHECK_TIMEZONE", "Foo"),
        ("NIGHTCHECK_TIMEZONE", "Europe"),
        ("NIGHTCHECK_TIMEZONE", "../etc/passwd"),
        ("NIGHTCHECK_SAMPLE_CAP", "0"),
        ("NIGHTCHECK_SAMPLE_CAP", "-1"),
        ("NIGHTCHECK_SAMPLE_CAP", "9" * 23),
        ("NIGHTCHECK_THREADS", "0"),
        ("NIGHTCHECK_THREADS", "100000"),
        ("NIGHTCHECK_THREADS", "٣"),
        ("NIGHTCHECK_MEMORY_LIMIT", "abc"),
        ("NIGHTCHECK_MEMORY_LIMIT", "0"),
        ("NIGHTCHECK_MEMORY_LIMIT", "1KB"),
    ],
)
def test_what_cannot_be_meant_is_refused(name: str, value: str) -> None:
    """The error names the setting and what it takes."""
    with pytest.raises(UsageError, match="NIGHTCHECK_"):
        Settings.from_environment({name: value})


def test_all_is_no_cap() -> None:
    """`all` takes every retrieval."""
    assert Settings.from_environment({"NIGHTCHECK_SAMPLE_CAP": "all"}).sample_cap is None


@pytest.mark.parametrize("name", ["NIGHTCHECK_HOME", "NIGHTCHECK_SAMPLE_SEED", "NIGHTCHECK_WEBHOOK_SECRET"])
def test_bytes_that_are_no_text_are_refused(name: str) -> None:
    """What the system hands over as lone surrogates would fail somewhere deep, with an error about something else."""
    with pytest.raises(UsageError, match=name):
        Settings.from_environment({name: "a\udcff"})


def test_digits_are_those_of_ascii() -> None:
    """DuckDB does not read others, and would be blamed on the warehouse."""
    with pytest.raises(UsageError, match="NIGHTCHECK_MEMORY_LIMIT"):
        Settings.from_environment({"NIGHTCHECK_MEMORY_LIMIT": "\uff15GB"})


def test_a_variable_that_nothing_reads_is_told_with_the_one_meant() -> None:
    """A slip in a name must not look as if it held."""
    environment = {_OURS + "JUGDE": "openai", _OURS + "QUUX": "1", _OURS + "HOME": "~", "OTHER": ""}

    result = CliRunner().invoke(app, ["version"], env=environment)

    assert unread(environment) == [
        f"{_OURS}JUGDE is set, and nothing reads it. Did you mean {_OURS}JUDGE?",
        f"{_OURS}QUUX is set, and nothing reads it.",
    ]
    assert f"nightcheck: {unread(environment)[0]}\n" in result.stderr


class _Asked(dict[str, str]):
    """An environment that notes which names it was asked for."""

    def __init__(self, **known: str) -> None:
        super().__init__(known)
        self.names: set[str] = set()

    def get(self, name: str, default: str | None = None) -> str | None:  # type: ignore[override]
        self.names.add(name)
        return super().get(name, default)


def test_every_variable_that_is_read_or_documented_is_known_and_no_other() -> None:
    """The list of names is neither short of one nor keeps one that is gone."""
    judge = _Asked(NIGHTCHECK_JUDGE_MODEL="m", OPENAI_API_KEY="k")
    read_settings(judge)
    files = [path for folder in ("assets", "pipelines", "schemas", "tests", "benchmarks") for path in _sources(folder)]
    written = {
        name
        for path in [*files, *_ROOT.glob("docs/**/*.md"), _ROOT / "README.md", _ROOT / "Makefile"]
        for name in re.findall(rf"\b{_OURS}([A-Z_]*[A-Z])\b", path.read_text(encoding="utf-8"))
    }

    assert written | {name.removeprefix(_OURS) for name in judge.names if name.startswith(_OURS)} == VARIABLES


def _sources(folder: str) -> list[Path]:
    return [*(_ROOT / folder).rglob("*.py"), *(_ROOT / folder).rglob("*.sh")]
