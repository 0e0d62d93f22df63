"""Nights that the charts could not use, as a person reads them."""

from datetime import date

from pipelines.alerts.message import unused


def _night(day: int, outcome: str = "missing", environment: str = "production") -> dict[str, object]:
    return {"day": date(2026, 11, day), "environment": environment, "outcome": outcome}


def test_a_stretch_of_days_is_one_line() -> None:
    """Days in a row without a night, for one reason and in one environment, are said once."""
    lines = unused(
        [_night(2), _night(3), _night(4), _night(7), _night(8, "incomplete"), _night(8, environment="staging")]
    )

    assert [line.split(":")[0] for line in lines] == [
        "2026-11-02 to 2026-11-04, production",
        "2026-11-07, production",
        "2026-11-08, production",
        "2026-11-08, staging",
    ]
    assert "there was no night" in lines[0]
    assert "lack their verdict" in lines[2]
