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
