"""Hypothesis strategies of expressions and anchors, shared by the property tests."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from pipelines.resolution.structured import Anchor
from pipelines.resolution.structured import expression as x

ZONES = (
    "UTC",
    "Europe/Paris",
    "America/New_York",
    "America/Sao_Paulo",
    "Africa/Cairo",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "America/Havana",
)

instants = st.builds(
    lambda at, zone: at.replace(tzinfo=UTC).astimezone(ZoneInfo(zone)),
    st.datetimes(min_value=datetime(1971, 1, 1), max_value=datetime(2099, 12, 31)),  # noqa: DTZ001 (made aware below)
    st.sampled_from(ZONES),
)
anchors = st.builds(
    lambda at, week_start, side: Anchor(at=at, week_start=week_start, side=side),
    instants,
    st.integers(0, 6),
    st.sampled_from([None, "past", "coming"]),
)

_signed = st.integers(1, 999).flatmap(lambda n: st.sampled_from([n, -n]))
_years = st.integers(1000, 2999)
_maybe_years = st.none() | _years
weekdays = st.one_of(
    st.builds(lambda d, w: x.Weekday(weekday=d, week=w), st.integers(0, 6), st.sampled_from([-1, 0, 1])),
    st.builds(lambda d, s: x.Weekday(weekday=d, side=s), st.integers(0, 6), st.sampled_from([None, "past", "coming"])),
)
days: st.SearchStrategy[x.DayLike] = st.one_of(
    st.builds(lambda n: x.Day(offset=n), st.integers(-2, 2)),
    st.builds(lambda n, u: x.Distance(count=n, unit=u), _signed, st.sampled_from(["day", "week", "month", "year"])),
    weekdays,
    st.builds(
        lambda d, m, y, w: x.Date(day=d, month=m, year=y, weekday=w),
        st.integers(1, 31),
        st.integers(1, 12),
        _maybe_years,
        st.none() | st.integers(0, 6),
    ),
    st.builds(lambda d, w: x.DayOfMonth(day=d, weekday=w), st.integers(1, 31), st.none() | st.integers(0, 6)),
)
points: st.SearchStrategy[x.Point] = st.one_of(
    days,
    st.builds(
        lambda n, u: x.Rolling(count=n, unit=u),
        _signed,
        st.sampled_from(["minute", "hour", "day", "week", "month", "quarter", "year"]),
    ),
    st.builds(
        lambda u, s: x.Period(unit=u, shift=s),
        st.sampled_from(["week", "month", "quarter", "year", "weekend"]),
        st.sampled_from([-1, 0, 1]),
    ),
    st.builds(lambda m, y: x.Month(month=m, year=y), st.integers(1, 12), _maybe_years),
    st.builds(lambda m, s: x.Month(month=m, side=s), st.integers(1, 12), st.sampled_from(["last", "this", "next"])),
    st.builds(lambda q, y: x.Quarter(quarter=q, year=y), st.integers(1, 4), _maybe_years),
    st.builds(lambda y: x.Year(year=y), _years),
    st.builds(lambda d: x.WeekOf(day=d), days),
    st.builds(
        lambda p, d: x.PartOfDay(part=p, day=d), st.sampled_from(["morning", "afternoon", "evening", "night"]), days
    ),
)
expressions: st.SearchStrategy[x.Expression] = st.one_of(
    points,
    st.builds(lambda b, p: x.Bounded(bound=b, point=p), st.sampled_from(["since", "after", "before", "until"]), points),
    st.builds(lambda a, b: x.Between(first=a, last=b), points, points),
)
