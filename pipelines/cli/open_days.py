"""The days whose night is due, and the commands that run them."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from pipelines.cli.context import console
from pipelines.cli.counted import counted
from pipelines.io.warehouse import Warehouse

#: so many days are named one by one
_NAMED = 5
#: a night over a day that did not change costs little: so many are run along with their neighbours
_BRIDGED = timedelta(days=7)


def open_days(warehouse: Warehouse, now: datetime) -> list[date]:
    """Return the days that are over and have events and no night, or events that came after their night."""
    from pipelines.night.run import days_to_run

    return days_to_run(warehouse, date.min, now.astimezone(ZoneInfo(warehouse.time_zone)).date() - timedelta(days=1))


def tell_open_days(warehouse: Warehouse, now: datetime) -> None:
    """Say on standard error which days are open and what runs them, where any are."""
    days = open_days(warehouse, now)
    if days:
        told = [f"open, with events and no night since: {named(days)}", *(f"  {each}" for each in commands(days))]
        console.print("\n".join(told), markup=False, highlight=False, soft_wrap=True)


def named(days: Sequence[date]) -> str:
    """Return the number of days and which they are; of many the first and the last."""
    which = ", ".join(map(str, days)) if len(days) <= _NAMED else f"{days[0]} to {days[-1]}"
    return f"{counted(len(days), 'day')} ({which})"


def commands(days: Sequence[date]) -> list[str]:
    """Return the commands that run the nights of these days, which are in order."""
    stretches: list[list[date]] = []
    for day in days:
        if stretches and day - stretches[-1][-1] <= _BRIDGED:
            stretches[-1].append(day)
        else:
            stretches.append([day])
    return [
        f"nightcheck night --day {first}" if first == last else f"nightcheck night --from {first} --to {last}"
        for first, last in ((stretch[0], stretch[-1]) for stretch in stretches)
    ]
