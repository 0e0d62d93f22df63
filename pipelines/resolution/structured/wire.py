"""How instants and intervals are written outside: RFC 3339 with an offset."""

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from pipelines.resolution.structured.interval import Interval

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)", re.ASCII)

#: files beside the zones that name none: the machine's own, and copies that count leap seconds
_OF_THE_MACHINE = ("localtime", "posixrules", "posix/", "right/")


def anchor_at(instant: str, zone: str) -> datetime:
    """Return an RFC 3339 instant on the wall clock of an IANA time zone. Raises ValueError that says what is wrong."""
    if not _RFC_3339.fullmatch(instant):
        msg = f"`at` is no RFC 3339 time with an offset: {instant!r}"
        raise ValueError(msg)
    known = _zone(zone)
    try:
        return datetime.fromisoformat(instant.upper()).astimezone(known)
    except (ValueError, OverflowError) as error:
        msg = f"`at` is no instant: {instant!r}"
        raise ValueError(msg) from error


def _zone(name: str) -> ZoneInfo:
    msg = f"`tz` is no IANA time zone: {name!r}"
    if name.startswith(_OF_THE_MACHINE):
        raise ValueError(msg)
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(msg) from error


def bounds(interval: Interval) -> tuple[str | None, str | None]:
    """Return both ends in RFC 3339 with the offset of the asker's time zone on that day; None for an open side."""
    return (
        None if interval.start is None else interval.start.isoformat(),
        None if interval.end is None else interval.end.isoformat(),
    )
