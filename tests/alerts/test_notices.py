"""Which alarms people are told of."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipelines.alerts.episode import Episode, Named
from pipelines.alerts.finding import Finding, period
from pipelines.alerts.notices import Known, NewNotice, fleet_notices
from pipelines.alerts.slices import ANY, Slice
from tests.alerts.build import DOCUMENTS, a_night, day

HERE = "production"
DOCS = Slice("acme.example", "document", ANY)


def an_episode(opened: int, *, widened: tuple[int, ...] = (), recovered: int | None = None) -> Episode:
    """Return an alarm on documents."""
    usual = period([a_night(0, {DOCUMENTS: 0.3}, np.random.default_rng(1))], DOCS)
    finding = Finding(slice=DOCS, part=1.0, since=day(opened), before=usual, now=usual)
    return Episode(
        opened=day(opened),
        widened=tuple(day(each) for each in widened),
        ended=None if recovered is None else "recovered",
        ended_on=None if recovered is None else day(recovered),
        named={DOCS: Named(finding=finding, last_day=day(opened), instrument_moved=False)},
    )


def new(
    *episodes: Episode, newest: int, known: Sequence[Known] = (), acknowledged: tuple[int, ...] = ()
) -> list[tuple[str, int, bool]]:
    """Return what is new to tell: what, the night, whether it is due."""
    rows: list[Mapping[str, Any]] = [_row(episode) for episode in episodes]
    found = fleet_notices(
        HERE, episodes, rows, known, newest=day(newest), acknowledged=[day(each) for each in acknowledged]
    )
    return [(each.what, (each.day - day(0)).days, each.due) for each in found]


def _row(episode: Episode) -> dict[str, Any]:
    return {
        "environment": HERE, "opened": episode.opened, "rule": "fleet", "tenant": "acme.example", "kind": "document", "cell": ANY,
        "rate": 0.5, "low": 0.4, "high": 0.6, "rate_before": 0.3, "low_before": 0.2, "high_before": 0.4, "fault": "retriever",
        "since": episode.opened, "last_day": episode.opened, "instrument_moved": False, "worst": [],
    }  # fmt: skip


def stored(what: str, night: int, *, due: bool = True) -> Known:
    """Return a notice that is stored."""
    return Known(notice_id=f"{what} {night}", rule="fleet", environment=HERE, what=what, day=day(night), due=due)


def test_an_alarm_of_tonight_is_due() -> None:
    """And one that opened last week and stands, where nobody was told: a history that was loaded at once."""
    assert new(an_episode(40), newest=40) == [("opened", 40, True)]
    assert new(an_episode(33, widened=(36,)), newest=40) == [("opened", 33, True), ("widened", 36, False)]


def test_an_alarm_that_has_come_and_gone_is_old_news() -> None:
    """Neither its opening nor its end."""
    assert new(an_episode(30, recovered=36), newest=40) == [("opened", 30, False), ("recovered", 36, False)]
    assert new(an_episode(30, recovered=40), newest=40) == [("opened", 30, False), ("recovered", 40, False)]


def test_an_alarm_whose_opening_moves_is_not_told_again() -> None:
    """An old day was run again, and the alarm opens earlier, or later."""
    known = [stored("opened", 38)]

    assert new(an_episode(36), newest=40, known=known) == [("opened", 36, False)]
    assert new(an_episode(40), newest=40, known=known) == [("opened", 40, False)]


def test_widening_and_recovery_are_due_tonight_alone() -> None:
    """Those of earlier nights that a backfill brings to light are old news."""
    known = [stored("opened", 33)]
    opened = ("opened", 33, False)

    assert new(an_episode(33, widened=(36, 40)), newest=40, known=known) == [
        opened, ("widened", 36, False), ("widened", 40, True),
    ]  # fmt: skip
    assert new(an_episode(33, recovered=39), newest=40, known=known) == [opened, ("recovered", 39, False)]
    assert new(an_episode(33, recovered=40), newest=40, known=known) == [opened, ("recovered", 40, True)]


def test_after_recovery_or_acknowledgement_the_next_alarm_is_due() -> None:
    """What is over is over."""
    over = [stored("opened", 30), stored("recovered", 33)]

    assert new(an_episode(40), newest=40, known=over) == [("opened", 40, True)]
    assert new(an_episode(40), newest=40, known=[stored("opened", 30)], acknowledged=(31,)) == [("opened", 40, True)]
    assert new(an_episode(40), newest=40, known=[stored("opened", 35)], acknowledged=(31,)) == [("opened", 40, False)]
    assert new(an_episode(40), newest=40, known=[stored("opened", 35, due=False)]) == [("opened", 40, True)]


def test_what_is_stored_is_not_new() -> None:
    """Its id depends on environment, night and what happened."""
    (first,) = _notices(an_episode(40))
    again = Known(
        notice_id=first.notice_id, rule="fleet", environment=HERE, what="opened", day=first.day, due=first.due
    )

    assert new(an_episode(40), newest=40, known=[again]) == []


def _notices(episode: Episode) -> list[NewNotice]:
    return fleet_notices(HERE, [episode], [_row(episode)], [], newest=episode.opened, acknowledged=[])
