"""Charts and alarms in a warehouse: stored nights in, rows and messages out."""

import hashlib
import hmac
import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

from pipelines.alerts.night import Night, Row, night_of
from pipelines.alerts.replay import replay
from pipelines.alerts.run import act, deliver, find
from pipelines.alerts.slices import Leaf
from pipelines.errors import UsageError
from pipelines.io.notify import Webhook, WebhookError
from pipelines.io.warehouse import Warehouse
from pipelines.marts.run import newest_day
from schemas import sql
from tests.alerts.build import COMBINED, DOCUMENTS, OTHERS, a_night, day, nights
from tests.alerts.stored import ENVIRONMENT, insert, publish_rates, store

RATES = {DOCUMENTS: 0.3, COMBINED: 0.35, OTHERS: 0.3}
WORSE = RATES | {DOCUMENTS: 0.55, COMBINED: 0.6}
NOW = datetime(2026, 12, 1, 3, 0, tzinfo=UTC)


def history(usual: int = 35, worse: int = 6, well_again: int = 0) -> list[Night]:
    """Return usual nights, worse ones, and usual ones again."""
    rng = np.random.default_rng(1)
    return [
        *nights(range(usual), RATES, rng, retrievals=12),
        *nights(range(usual, usual + worse), WORSE, rng, retrievals=12),
        *nights(range(usual + worse, usual + worse + well_again), RATES, rng, retrievals=12),
    ]


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return an empty warehouse."""
    return Warehouse(tmp_path / "warehouse.duckdb")


def rows(warehouse: Warehouse, query: str) -> list[tuple[Any, ...]]:
    """Return what a query says."""
    with warehouse.read() as connection:
        return connection.execute(query).fetchall()


def tell(warehouse: Warehouse, to: Webhook | None = None) -> list[str]:
    """Deliver; return what was logged."""
    log: list[str] = []
    deliver(warehouse, to=to, now=lambda: NOW, sleep=lambda _: None, log=log.append)
    return log


def night_after_night(warehouse: Warehouse, all_nights: list[Night]) -> list[tuple[int, str]]:
    """Run each night as it comes; return what was told, with the night."""
    told = []
    for number, night in enumerate(all_nights):
        store(warehouse, [night])
        if number >= 34:  # the first weeks are silent in every test here
            find(warehouse)
            told += [(number, text.splitlines()[0]) for text in tell(warehouse)]
    return told


def test_the_charts_of_the_warehouse_are_those_of_its_nights(warehouse: Warehouse) -> None:
    """Rows come back from samples and verdicts as they went in."""
    all_nights = history()
    store(warehouse, all_nights)

    find(warehouse)

    expected = [step.decision.log_fleet for step in replay(all_nights) if step.decision and not step.decision.skipped]
    stored = rows(warehouse, "select score from alerts.charted where outcome = 'charted' order by day")
    assert [score for (score,) in stored] == pytest.approx(expected)
    outcomes = dict(rows(warehouse, "select outcome, count(*) from alerts.charted group by all"))
    assert outcomes == {"learning": 28, "charted": len(all_nights) - 28}
    states = {state for (state,) in rows(warehouse, "select distinct state from alerts.charts")}
    assert {"learning", "ok", "alarming"} <= states


def test_a_mixed_retrieval_counts_for_its_kinds(warehouse: Warehouse) -> None:
    """Five passages, the first three of them documents, and those are what goes wrong."""
    leaf = Leaf("acme.example", "mixed", "first")
    rows_of_night = [Row(leaf=leaf, judged=5, irrelevant=y, count=4) for y in (0, 1, 3)]
    store(warehouse, [night_of(day(i), rows_of_night) for i in range(30)])

    find(warehouse)

    charts = rows(
        warehouse,
        "select kind, retrievals from alerts.charts where day = (select max(day) from alerts.charts) and tenant = 'acme.example' and cell = 'first'",
    )
    assert sorted(charts) == [("*", 12), ("conversation", 12), ("document", 12)]
    with warehouse.read() as connection:
        judged = connection.execute(sql.load("alerts/judged_rows.sql")).fetchall()
    of_last = {(row[3], row[5], row[6]) for row in judged if row[0] == day(29)}
    assert {(5, 3), (3, 3), (2, 0)} <= {(m, y) for _, m, y in of_last}
    assert ("mixed:document", 3, 1) in of_last
    assert ("mixed:conversation", 2, 1) not in of_last


def test_an_alert_says_all_it_should(warehouse: Warehouse) -> None:
    """Slice, rate before and now with intervals, since when, which half, what to do next."""
    store(warehouse, history())

    standing = find(warehouse)

    first = standing[0]
    assert (first["tenant"], first["kind"], first["rule"], first["ended"]) == (
        "acme.example",
        "document",
        "fleet",
        None,
    )
    assert first["low_before"] < first["rate_before"] < first["high_before"] < first["rate"] < first["high"]
    assert abs((first["since"] - day(35)).days) <= 2
    assert first["fault"] == "retriever"
    assert not first["instrument_moved"]
    (text,) = tell(warehouse)
    assert text.startswith("Irrelevance has risen.\n• acme.example: ")
    assert "the retriever misses" in text
    assert "nightcheck show worst_retrievals --day" in text


def test_worst_retrievals_of_the_slice_are_named(warehouse: Warehouse) -> None:
    """Five of the last week, the worst first, of its tenant and kind alone."""
    store(warehouse, history())
    newest = day(40)
    with warehouse.write() as connection:
        cases = [(f"r-{i}", "acme.example", "document", i, newest) for i in range(1, 8)]
        cases += [("other", "other.example", "document", 9, newest), ("graph", "acme.example", "graph", 9, newest)]
        cases += [("old", "acme.example", "document", 9, day(30))]
        insert(connection, "marts.worst_retrievals", [_worst(place, case) for place, case in enumerate(cases, start=1)])

    standing = find(warehouse)

    assert standing[0]["worst"] == [f"acme.example/r-{number}" for number in (7, 6, 5, 4, 3)]
    (text,) = tell(warehouse)
    assert text.endswith("Read first: " + ", ".join(standing[0]["worst"]))


def test_an_erased_visitor_is_no_longer_in_what_was_told(warehouse: Warehouse) -> None:
    """Retrievals leave alerts and notices, whether delivered or not."""
    store(warehouse, history())
    with warehouse.write() as connection:
        cases = [(f"r-{i}", "acme.example", "document", i, day(40)) for i in range(1, 4)]
        insert(connection, "marts.worst_retrievals", [_worst(place, case) for place, case in enumerate(cases, start=1)])
    find(warehouse)

    with warehouse.write() as connection:
        for told in ("alerts", "notices"):
            parameters = {"tenant": "acme.example", "retrievals": ["r-3"]}
            connection.execute(sql.load(f"privacy/erase/{told}.sql"), parameters)

    (text,) = tell(warehouse)
    assert text.endswith("Read first: acme.example/r-2, acme.example/r-1")
    assert rows(warehouse, "select count(*) from alerts.alerts where list_contains(worst, 'acme.example/r-3')") == [
        (0,)
    ]


def test_examples_are_of_the_turns_that_the_slice_holds(warehouse: Warehouse) -> None:
    """An alert on combined turns has none of first turns to read, an alert on all turns both."""
    usual, worse = {COMBINED: 0.3, DOCUMENTS: 0.3}, {COMBINED: 0.8, DOCUMENTS: 0.3}
    rng = np.random.default_rng(3)
    store(
        warehouse,
        [
            *nights(range(35), usual, rng, retrievals=10),
            *nights(range(35, 41), worse, rng, retrievals=10),
        ],
    )
    newest = day(40)
    with warehouse.write() as connection:
        drawn = connection.execute(
            "select retrieval_id, tenant, position from night.sample where day = $day", {"day": newest}
        ).fetchall()
        published = [(key, tenant, "document", 9 if of == "first" else 5, newest) for key, tenant, of in drawn]
        insert(connection, "marts.worst_retrievals", [_worst(place, case) for place, case in enumerate(published, 1)])
    position = {f"{tenant}/{key}": of for key, tenant, of in drawn}

    standing = find(warehouse)

    combined = [alert for alert in standing if alert["cell"] == "combined"]
    assert combined
    for alert in combined:
        assert len(alert["worst"]) == 5
        assert {position[key] for key in alert["worst"]} == {"combined"}


def _worst(place: int, case: tuple[str, str, str, int, date]) -> dict[str, object]:
    retrieval_id, tenant, kind, irrelevant, at = case
    passage = {
        "passage_id": "d", "kind": kind, "title": "t", "text": "x", "query_grade": 0, "need_grade": 0, "evidence": "",
    }  # fmt: skip
    return {
        "day": at, "environment": ENVIRONMENT, "tenant": tenant, "place": place, "retrieval_id": retrieval_id,
        "conversation_id": "c", "searched_query": "q", "resolution": "as_typed", "fault": "retriever",
        "irrelevant": irrelevant, "judged": 10, "passages": [passage],
    }  # fmt: skip


def test_an_alarm_is_told_once_and_so_is_its_end(warehouse: Warehouse) -> None:
    """Night after night, with the charts drawn anew each time."""
    told = night_after_night(warehouse, history(usual=35, worse=6, well_again=16))

    texts = [text for _, text in told]
    assert texts.count("Irrelevance has risen.") == 1
    assert sum(text.startswith("Recovered") for text in texts) == 1
    assert texts[0] == "Irrelevance has risen."
    assert texts[-1].startswith("Recovered")
    assert 35 <= told[0][0] <= 40


def test_the_same_nights_again_tell_nothing(warehouse: Warehouse) -> None:
    """A re-run is no news, and leaves the same rows."""
    store(warehouse, history())
    find(warehouse)
    before = rows(warehouse, "from alerts.alerts order by all"), rows(warehouse, "from alerts.charts order by all")
    assert len(tell(warehouse)) == 1

    find(warehouse)

    assert tell(warehouse) == []
    assert (
        rows(warehouse, "from alerts.alerts order by all"),
        rows(warehouse, "from alerts.charts order by all"),
    ) == before


def test_a_backfill_of_an_old_day_pages_no_one(warehouse: Warehouse) -> None:
    """It makes an old day worse, so that the alarm opens earlier: the charts are corrected, nobody is woken."""
    all_nights = history()
    store(warehouse, all_nights)
    find(warehouse)
    assert len(tell(warehouse)) == 1
    opened = rows(warehouse, "select min(opened) from alerts.alerts")

    store(warehouse, [a_night(33, dict.fromkeys(RATES, 0.8), np.random.default_rng(2), retrievals=12)])
    find(warehouse)

    assert rows(warehouse, "select min(opened) from alerts.alerts") < opened
    assert tell(warehouse) == []


def test_an_old_alarm_found_late_is_stored_and_not_told(warehouse: Warehouse) -> None:
    """A history that is loaded at once, in which a rise came and went."""
    store(warehouse, history(usual=35, worse=6, well_again=16))

    standing = find(warehouse)

    assert standing == []
    assert {ended for (ended,) in rows(warehouse, "select ended from alerts.alerts")} == {"recovered"}
    assert tell(warehouse) == []


def test_an_incomplete_night_waits_and_is_reported(warehouse: Warehouse) -> None:
    """However bad it looks; complete, it counts."""
    all_nights = history(worse=6)
    store(warehouse, all_nights[:-6])
    store(warehouse, all_nights[-6:], unjudged=1)
    assert find(warehouse) == []
    outcomes = rows(warehouse, "select outcome from alerts.charted order by day desc limit 6")
    assert {outcome for (outcome,) in outcomes} == {"incomplete"}

    store(warehouse, all_nights[-6:])

    assert find(warehouse)


def test_a_missing_night_is_reported(warehouse: Warehouse) -> None:
    """A row of its own says so."""
    store(warehouse, [night for night in history(worse=0) if night.day != day(31)])

    find(warehouse)

    assert rows(warehouse, "select day, outcome from alerts.charted where outcome = 'missing'") == [
        (day(31), "missing")
    ]


def test_an_acknowledged_alarm_is_over_until_it_is_called_again(warehouse: Warehouse) -> None:
    """The act is kept, and every re-run respects it."""
    all_nights = history(worse=12)
    store(warehouse, all_nights[:-6])
    find(warehouse)
    assert len(tell(warehouse)) == 1

    at = act(warehouse, ENVIRONMENT, "acknowledge", now=NOW, note="known")

    assert at == all_nights[-7].day
    assert find(warehouse) == []
    assert {ended for (ended,) in rows(warehouse, "select ended from alerts.alerts")} == {"acknowledged"}
    store(warehouse, all_nights[-6:])
    assert find(warehouse)
    assert [text.splitlines()[0] for text in tell(warehouse)] == ["Irrelevance has risen."]


def test_a_new_baseline_makes_the_new_level_usual(warehouse: Warehouse) -> None:
    """Its nights are learned from first."""
    all_nights = history(worse=40)
    store(warehouse, all_nights[:41])
    act_day = None
    find(warehouse)

    act_day = act(warehouse, ENVIRONMENT, "baseline", now=NOW, since=day(35))

    store(warehouse, all_nights[41:])
    assert find(warehouse) == []
    assert act_day == day(40)
    ((first, baseline_nights),) = rows(
        warehouse, "select baseline_first, baseline_nights from alerts.charted order by day desc limit 1"
    )
    assert (first, baseline_nights) == (day(35), 28)


def test_an_act_wants_charts(warehouse: Warehouse) -> None:
    """An environment without any is a mistake, named."""
    store(warehouse, history(worse=0)[:3])
    find(warehouse)

    with pytest.raises(UsageError, match="production"):
        act(warehouse, "staging", "acknowledge", now=NOW)


def store_anchors(warehouse: Warehouse, all_nights: list[Night], *, moved_from: date) -> None:
    """Store what the judge of these nights said of thirty frozen passages: other grades from a night on."""
    with warehouse.write() as connection:
        insert(
            connection,
            "night.anchor_verdicts",
            [
                {
                    "day": night.day, "judge": "labels", "model": night.instrument, "rubric_version": "1", "prompt_hash": "",
                    "tenant": "a.example", "retrieval_id": f"a-{each}", "ordinal": 1, "status": "judged", "query_grade": grade,
                    "need_grade": grade, "judged_at": NOW,
                }
                for night in all_nights
                for grade in [1 if night.day < moved_from else 0]
                for each in range(30)
            ],
        )  # fmt: skip


def test_a_judge_that_moves_is_not_published_as_a_change_of_retrieval(warehouse: Warehouse) -> None:
    """Its anchors change their grades on the nights of the rise."""
    all_nights = history()
    store(warehouse, all_nights)
    store_anchors(warehouse, all_nights, moved_from=day(34))

    standing = find(warehouse)

    assert standing == []
    assert rows(warehouse, "select count(*) from alerts.alerts where instrument_moved")[0][0] > 0
    states = {state for (state,) in rows(warehouse, "select distinct state from alerts.charts")}
    assert "instrument_moved" in states
    assert "alarming" not in states
    (text,) = tell(warehouse)
    assert text.startswith("The judge has moved")
    nights_of_judge = rows(warehouse, "select state, count(*) from alerts.instruments group by all order by all")
    assert dict(nights_of_judge) == {"learning": 8, "ok": 26, "moved": 7}


def test_another_judge_that_moved_says_nothing_of_these_nights(warehouse: Warehouse) -> None:
    """A second judge was tried on the anchors and moved; the nights were judged by the first."""
    all_nights = history()
    store(warehouse, all_nights)
    others = [night_of(night.day, [], instrument="another") for night in all_nights]
    store_anchors(warehouse, others, moved_from=day(34))

    standing = find(warehouse)

    assert standing != []
    assert not any(alert["instrument_moved"] for alert in standing)


def test_a_judge_that_could_not_be_asked_has_still_moved(warehouse: Warehouse) -> None:
    """On the last night the endpoint answers nothing about the anchors: the chart stays where it was."""
    all_nights = history()
    store(warehouse, all_nights)
    store_anchors(warehouse, all_nights, moved_from=day(34))
    with warehouse.write() as connection:
        connection.execute(
            "update night.anchor_verdicts set status = 'unavailable', query_grade = null, need_grade = null where day = $day",
            {"day": all_nights[-1].day},
        )

    assert find(warehouse) == []
    assert rows(warehouse, "select state, unanswered from alerts.instruments order by day desc limit 1") == [
        ("moved", 30)
    ]


def test_a_judge_that_moved_has_moved_until_it_is_accepted_itself(warehouse: Warehouse) -> None:
    """A new baseline of one environment's charts says nothing of the judge, which judges all environments."""
    all_nights = history(worse=6, well_again=9)
    store(warehouse, all_nights[:41])
    store_anchors(warehouse, all_nights, moved_from=day(34))
    find(warehouse)

    act(warehouse, ENVIRONMENT, "baseline", now=NOW)
    store(warehouse, all_nights[41:])
    find(warehouse)

    states = rows(warehouse, "select state from alerts.instruments order by day")
    assert {state for (state,) in states[41:]} == {"moved"}


def test_who_accepts_the_judge_with_a_new_baseline_is_not_told_of_it_again(warehouse: Warehouse) -> None:
    """After it the chart of the anchors learns anew what is usual, and does not call the same move again."""
    all_nights = history(worse=6, well_again=9)
    store(warehouse, all_nights[:41])
    store_anchors(warehouse, all_nights, moved_from=day(34))
    find(warehouse)

    act(warehouse, ENVIRONMENT, "baseline", now=NOW, judge=True)
    store(warehouse, all_nights[41:])
    find(warehouse)

    states = rows(warehouse, "select state from alerts.instruments order by day")
    assert [state for (state,) in states[41:]] == ["learning"] * 7 + ["ok"] * 2


def test_a_crude_rule_stands_in_while_charts_are_learning(warehouse: Warehouse) -> None:
    """Ten nights are too few for charts; a jump on the last of them is called all the same, once."""
    store(warehouse, history(usual=10, worse=0))
    publish_rates(warehouse, 10)

    standing = find(warehouse)

    assert {(alert["rule"], alert["tenant"], alert["kind"], alert["ended"]) for alert in standing} == {
        ("threshold", "acme.example", "document", None)
    }
    assert standing[0]["fault"] == "query"
    (text,) = tell(warehouse)
    assert "60% [50%, 70%] of document passages irrelevant on 2026-08-12, 20% before" in text
    assert find(warehouse) == standing
    assert tell(warehouse) == []


def _store_an_empty_night(warehouse: Warehouse, number: int) -> None:
    """Publish a night that found nothing to draw from."""
    empty = a_night(number, {}, np.random.default_rng(1))
    store(warehouse, [empty])
    with warehouse.write() as connection:
        connection.execute(
            "update night.nights set frame_size = 0, sample_size = 0 where day = $day", {"day": empty.day}
        )


def test_a_night_without_traffic_ends_no_crude_alarm(warehouse: Warehouse) -> None:
    """A slip in the date must not look like a recovery, nor hide the night before it."""
    store(warehouse, history(usual=10, worse=0))
    publish_rates(warehouse, 10)
    before = find(warehouse)
    _store_an_empty_night(warehouse, 12)

    standing = find(warehouse)

    assert before
    assert standing == before
    assert newest_day(warehouse) == day(9)


def test_a_night_without_traffic_ends_no_alarm_of_the_charts(warehouse: Warehouse) -> None:
    """What stands on the charts stands until they fall or somebody acknowledges it."""
    store(warehouse, history(usual=35, worse=6))
    before = {alert["alert_id"] for alert in find(warehouse)}
    _store_an_empty_night(warehouse, 42)

    standing = {alert["alert_id"] for alert in find(warehouse)}

    assert before
    assert standing == before


def test_the_crude_rule_is_silent_where_charts_watch(warehouse: Warehouse) -> None:
    """The same jump after five weeks: the charts, which see no change in the judged retrievals, have the say."""
    store(warehouse, history(usual=35, worse=0))
    publish_rates(warehouse, 35)

    assert find(warehouse) == []


@dataclass
class Receiver:
    """A webhook on the loopback: answers as it is told to, keeps what it got."""

    answers: list[int]
    #: a body that is promised and never sent
    promised: int = 0
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """Start a receiver."""
    known = Receiver(answers=[])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            known.got.append((dict(self.headers), body))
            self.send_response(known.answers.pop(0) if known.answers else 200)
            self.send_header("Retry-After", "7")
            if known.promised:
                self.send_header("Content-Length", str(known.promised))
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name of the overridden method
            return

    server = HTTPServer(("127.0.0.1", 0), Handler)
    known.url = f"http://127.0.0.1:{server.server_port}/hook"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield known
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_webhook_gets_a_signed_message_once(
    warehouse: Warehouse, receiver: Receiver, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Text that Slack understands, a signature that the receiver can check, one delivery; no secret in any log."""
    caplog.set_level(logging.DEBUG)
    store(warehouse, history())
    find(warehouse)
    to = Webhook(url=receiver.url, secret="shared")

    tell(warehouse, to)
    tell(warehouse, to)

    ((headers, body),) = receiver.got
    content = json.loads(body)
    assert content["text"].startswith("Irrelevance has risen.")
    assert content["notice"]["what"] == "opened"
    assert headers["Idempotency-Key"] == content["notice"]["id"]
    stamp, digest = (part.split("=")[1] for part in headers["Nightcheck-Signature"].split(","))
    assert int(stamp) == NOW.timestamp()
    assert digest == hmac.new(b"shared", f"{stamp}.".encode() + body, hashlib.sha256).hexdigest()
    logged = caplog.text + "".join(capfd.readouterr())
    assert [word for word in ("/hook", "shared", digest) if word in logged] == []


def test_a_webhook_that_recovers_gets_it_in_the_same_call(warehouse: Warehouse, receiver: Receiver) -> None:
    """It waits as long as it is asked to, with the same key in every try."""
    store(warehouse, history())
    find(warehouse)
    receiver.answers = [503, 429, 200]
    waits: list[float] = []

    deliver(warehouse, to=Webhook(url=receiver.url), now=lambda: NOW, sleep=waits.append, log=lambda _: None)

    assert waits == [7.0, 7.0]
    assert len({headers["Idempotency-Key"] for headers, _ in receiver.got}) == 1
    assert "Nightcheck-Signature" not in receiver.got[0][0]


def test_a_webhook_is_not_waited_for_beyond_its_status(warehouse: Warehouse, receiver: Receiver) -> None:
    """What it says besides is nobody's business, and may come slowly or never."""
    store(warehouse, history())
    find(warehouse)
    receiver.promised = 1000
    waits: list[float] = []

    deliver(warehouse, to=Webhook(url=receiver.url), now=lambda: NOW, sleep=waits.append, log=lambda _: None)

    assert waits == []
    assert len(receiver.got) == 1


def test_what_a_webhook_refuses_stays_due(warehouse: Warehouse, receiver: Receiver) -> None:
    """A refusal is not tried again in the same call; the next call tells it."""
    store(warehouse, history())
    find(warehouse)
    receiver.answers = [403]
    to = Webhook(url=receiver.url, secret="shared")

    with pytest.raises(WebhookError) as refused:
        tell(warehouse, to)

    assert receiver.url not in str(refused.value)
    assert len(receiver.got) == 1
    assert len(tell(warehouse, to)) == 1
    assert len(receiver.got) == 2
