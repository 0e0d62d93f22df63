"""Settings that cannot be meant are refused before anything is touched."""

import pytest

from pipelines.errors import UsageError
from pipelines.settings import Settings


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
