"""The client library against a collector that answers what a test wants."""

import gzip
import json
import os
import threading
import uuid
from collections import OrderedDict
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pipelines.collect.client import Client
from pipelines.ingest.decode import Rejection, decode


class Script:
    """Answers with the statuses of a list, then with 200; keeps what it took."""

    def __init__(self) -> None:
        self.statuses: list[int] = []
        self.taken: list[dict[str, Any]] = []
        self.requests = 0
        self.arrived = threading.Condition()

    def answer(self, body: bytes) -> tuple[int, dict[str, Any]]:
        with self.arrived:
            self.requests += 1
            status = self.statuses.pop(0) if self.statuses else 200
            events = [json.loads(line) for line in body.split(b"\n")]
            if status == 200:
                self.taken += events
            self.arrived.notify_all()
        verdicts = [
            {"status": "rejected", "reason": "missing_field"} if event["payload"].get("bad") else {"status": "stored"}
            for event in events
        ]
        return status, {"verdicts": verdicts}

    def wait_for(self, count: int) -> None:
        with self.arrived:
            assert self.arrived.wait_for(lambda: len(self.taken) >= count, 20), self.taken


@pytest.fixture
def script() -> Script:
    """Return what the server does."""
    return Script()


@pytest.fixture
def url(script: Script) -> Iterator[str]:
    """Serve the script on the loopback interface."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = gzip.decompress(self.rfile.read(int(self.headers["Content-Length"])))
            status, answer = script.answer(body)
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            if status == 429:
                self.send_header("Retry-After", "1")
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments: Any) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


def client(url: str, **options: Any) -> Client:
    """Return a client that does not linger."""
    names: dict[str, Any] = {
        "key": "nk_x",
        "tenant": "help.example.com",
        "environment": "production",
        "linger_seconds": 0.01,
    }
    return Client(url, **(names | options))


def say(events: Client, number: int, **more: Any) -> str:
    """Send a turn."""
    return events.turn("c-1", turn_id=f"t-{number}", turn_index=number, message="Which plans include SSO?", **more)


def test_events_arrive_as_the_contract_has_them(url: str, script: Script) -> None:
    """Each helper makes an event that the decoder takes; sequences count without gaps; ids are the returned ones."""
    events = client(url)
    passages = [{"passage_id": "d-1", "kind": "document", "text": "The Team plan.", "rank": 1}]
    search = {"retrieval_id": "r-1", "turn_id": "t-1", "message": "SSO?", "searched_query": "SSO?"}
    ids = [
        say(events, 1, gate={"decision": "substantive", "reason": "words", "version": "1"}, latency_ms=12.5),
        events.searched("c-1", passages=passages, k=8, visitor_id="v-1", **search),
        events.not_searched("c-1", retrieval_id="r-2", turn_id="t-1", outcome="skipped", reason="short"),
        events.model_call(
            call_id="m-1", purpose="answer", provider="acme", model="m", prompt_tokens=3, completion_tokens=1
        ),
        events.page_view(page_id="p-1", path="/"),
        events.interaction(interaction_id="i-1", kind="card_shown"),
        events.conversion(conversion_id="k-1", kind="order", value=3.5, currency="EUR"),
        events.exposure(experiment="e", variant="b", unit_id="v-1"),
    ]

    assert events.close()
    assert [event["event_id"] for event in script.taken] == ids
    assert [event["sequence"] for event in script.taken] == list(range(8))
    decoded = [decode(json.dumps(event).encode()) for event in script.taken]
    assert not [each for each in decoded if isinstance(each, Rejection)]


def test_what_could_not_be_sent_is_sent_by_the_next_process(url: str, script: Script, tmp_path: Path) -> None:
    """A collector that is away costs nothing: the disk keeps the events, and a later client finds them."""
    away = client("http://127.0.0.1:9", spool=tmp_path)
    ids = [say(away, number) for number in range(20)]
    assert away.close()

    later = client(url, spool=tmp_path)
    script.wait_for(20)
    later.close()

    assert [event["event_id"] for event in script.taken] == ids
    assert away.dropped == {}
    assert list(tmp_path.glob("*.jsonl")) == []


def test_an_error_is_tried_again_without_loss(url: str, script: Script, tmp_path: Path) -> None:
    """A failure, too many requests and a failure again delay events and lose none."""
    script.statuses = [503, 429]
    events = client(url, spool=tmp_path)

    ids = {say(events, number) for number in range(5)}
    script.wait_for(5)
    events.close()

    assert {event["event_id"] for event in script.taken} == ids


def test_without_a_spool_memory_keeps_what_fits(url: str, script: Script) -> None:
    """Events wait in memory while the collector fails."""
    script.statuses = [500]
    events = client(url)

    ids = [say(events, number) for number in range(5)]
    script.wait_for(5)
    events.close()

    assert [event["event_id"] for event in script.taken] == ids


def test_drops_are_counted_sent_and_seen_as_gaps(url: str, script: Script) -> None:
    """What does not fit or is no JSON is dropped, reported as an event, and its sequence numbers are missing."""
    events = client(url, most_waiting=3, linger_seconds=600.0)
    say(events, 0, latency_ms=float("nan"))
    for number in range(1, 11):
        say(events, number)
    assert events.dropped == {"queue_full": 8}

    events.flush()
    script.wait_for(3)
    events.close()

    (report,) = [event for event in script.taken if event["event_type"] == "interaction"]
    assert report["payload"]["kind"] == "events_dropped"
    assert json.loads(report["payload"]["target"]) == {"queue_full": 8, "not_json": 1}
    assert sorted(event["sequence"] for event in script.taken if "sequence" in event) == [1, 2]
    assert events.dropped == {}


def test_a_rejected_event_is_a_counted_loss(url: str, script: Script) -> None:
    """What the collector rejects is told to it again as a number, so that it shows where losses are watched."""
    events = client(url)
    events.send("turn", {"bad": True}, conversation_id="c-1")
    events.flush()
    say(events, 1)
    script.wait_for(3)
    events.close()

    reports = [event["payload"] for event in script.taken if event["event_type"] == "interaction"]
    assert [json.loads(report["target"]) for report in reports] == [{"rejected_missing_field": 1}]


@pytest.mark.parametrize("content", [b"", b"{", b'{"until": 1e18}', b'{"until": "x"}', b"\x00" * 100])
def test_a_poisoned_folder_does_not_silence_a_client(url: str, script: Script, tmp_path: Path, content: bytes) -> None:
    """Whatever lies in the spool folder, the next event is sent."""
    (tmp_path / "pause.json").write_bytes(content)
    (tmp_path / "000000000001-x.jsonl").write_bytes(b'\x00\xff{"torn": \n')
    (tmp_path / "nonsense.jsonl").write_bytes(b"")
    events = client(url, spool=tmp_path)

    sent = say(events, 0)
    script.wait_for(1)
    events.close()

    assert [event["event_id"] for event in script.taken] == [sent]


def test_a_full_spool_drops_and_counts(tmp_path: Path) -> None:
    """The disk is bounded, and what it does not take is counted."""
    events = client("http://127.0.0.1:9", spool=tmp_path, most_spooled=4000)
    for number in range(50):
        say(events, number)
        events.flush()
    events.close()

    kept = sum(len(path.read_bytes().splitlines()) for path in tmp_path.glob("*.jsonl"))
    lost = events.dropped["spool_full"]
    assert sum(path.stat().st_size for path in tmp_path.glob("*.jsonl")) <= 4000
    assert 0 < kept < 50
    assert kept + lost == 50


def test_nothing_is_raised_into_the_application(tmp_path: Path) -> None:
    """Not by an unwritable folder, an object that is no JSON, a lone surrogate, or a client that was closed."""
    file = tmp_path / "a-file"
    file.write_text("")
    events = client("http://127.0.0.1:9", spool=file / "below")

    say(events, 0)
    events.send("turn", {"x": object()})
    say(events, 1, answer="\ud800")
    events.close(1.0)
    say(events, 2)

    assert events.dropped == {"not_json": 2, "closed": 1, "spool_failed": 1}


def test_a_fork_has_a_sequence_of_its_own(url: str, script: Script) -> None:
    """Servers that fork after the client was made send from every process, each as a producer of its own."""
    events = client(url)
    say(events, 0)
    assert events.flush()

    child = os.fork()
    if child == 0:
        say(events, 1)
        os._exit(0 if events.close() else 1)
    _, status = os.waitpid(child, 0)
    say(events, 2)
    assert events.close()

    assert status == 0
    producers = {event["payload"]["turn_index"]: (event["producer_id"], event["sequence"]) for event in script.taken}
    assert producers[0][0] == producers[2][0] != producers[1][0]
    assert [producers[number][1] for number in (0, 1, 2)] == [0, 0, 1]


def test_what_an_application_changes_afterwards_is_not_sent(url: str, script: Script) -> None:
    """An event is as it was when it was handed over, at every depth; ids are UUIDs; other mappings are taken too."""
    events = client(url, linger_seconds=600.0)
    passages = [{"passage_id": "d-1", "kind": "document", "text": "The Team plan.", "rank": 1}]
    keywords = {"high_level": ["plans"]}
    search = {"retrieval_id": "r-1", "turn_id": "t-1", "message": "SSO?", "searched_query": "SSO?"}
    searched = events.searched("c-1", passages=passages, keywords=keywords, **search)
    viewed = events.send("page_view", OrderedDict(page_id="p", path="/"))
    passages[0]["text"] = "changed"
    keywords["high_level"].append("changed")
    events.close()

    assert [event["event_id"] for event in script.taken] == [searched, viewed]
    assert [uuid.UUID(event["event_id"]).version for event in script.taken] == [4, 4]
    assert script.taken[0]["payload"]["passages"][0]["text"] == "The Team plan."
    assert script.taken[0]["payload"]["keywords"] == {"high_level": ["plans"]}
    assert script.taken[1]["payload"] == {"page_id": "p", "path": "/"}
