"""The collector over HTTP: who may send what, how much, and what 200 means."""

import gzip
import json
from typing import Any

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.errors import NotTakenError
from pipelines.ingest.decode import Rejection, decode
from tests.collect.conftest import NOW, Bench
from tests.streaming.traffic import event

A, B = "a.example.com", "b.example.com"


def post(bench: Bench, events: Any, tenant: str = A, **headers: str) -> Any:
    """Send events as a JSON array with the key of a tenant."""
    body = events if isinstance(events, bytes) else json.dumps(events).encode()
    return bench.client.post("/v1/events", content=body, headers=bench.key(tenant) | headers)


def test_each_event_gets_a_verdict_and_what_is_stored_carries_the_collectors_time(collector: Bench) -> None:
    """Good and bad events of one request are told apart, in order; unknown fields and the rest stay as they were."""
    good = event(0, novelty={"x": [1, 2]}, received_at="2001-01-01T00:00:00Z")
    bad = event(3, schema_version=2)

    answer = post(collector, [good, bad, 7])

    assert answer.status_code == 200
    assert [(each["status"], each.get("reason")) for each in answer.json()["verdicts"]] == [
        ("stored", None),
        ("rejected", "unsupported_version"),
        ("rejected", "not_an_object"),
    ]
    (record,) = collector.writer.records
    assert json.loads(record) == good | {"received_at": "2026-11-29T12:00:00.000000+00:00"}
    stored = decode(record)
    assert not isinstance(stored, Rejection)
    assert stored.received_at == NOW


@pytest.mark.parametrize("claimed", ["1999-01-01T00:00:00Z", "yesterday", 7, None])
def test_no_claim_about_the_time_of_receipt_costs_an_event(collector: Bench, claimed: object) -> None:
    """The collector says when it received an event, so that what came along there is replaced and not judged."""
    answer = post(collector, [event(0, received_at=claimed), event(3, received_at=claimed, schema_version=2)])

    assert [each.get("reason") for each in answer.json()["verdicts"]] == [None, "unsupported_version"]
    stored = decode(collector.writer.records[0])
    assert not isinstance(stored, Rejection)
    assert stored.received_at == NOW


@pytest.mark.parametrize("encoding", ["identity", "gzip", "zstd"])
def test_json_lines_and_compression(collector: Bench, encoding: str) -> None:
    """A body may be JSON lines and compressed."""
    lines = b"\n".join(json.dumps(event(number)).encode() for number in (0, 3, 6)) + b"\n"
    packed = {"identity": lines, "gzip": gzip.compress(lines), "zstd": zstandard.compress(lines)}[encoding]

    answer = post(collector, packed, **{"Content-Encoding": encoding})

    assert answer.json()["stored"] == 3


def test_an_event_of_another_tenant_is_refused(collector: Bench) -> None:
    """A key writes for its tenant alone; neighbours and root domains are other tenants."""
    answer = post(collector, [event(0, tenant=B), event(0, tenant="example.com"), event(0, tenant="A.example.com")])

    reasons = [each.get("reason") for each in answer.json()["verdicts"]]
    assert reasons == ["foreign_tenant", "foreign_tenant", None]


@pytest.mark.parametrize("header", [None, "Bearer nope", "Basic abc", "Bearer nk_000000000000_" + "0" * 64])
def test_without_a_key_nothing_is_taken(collector: Bench, header: str | None) -> None:
    """No key, another scheme and a made-up key are the same answer."""
    headers = {} if header is None else {"Authorization": header}

    answer = collector.client.post("/v1/events", json=[event(0)], headers=headers)

    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert collector.writer.records == []


@pytest.mark.parametrize("error", [OSError("no space left on the device"), RuntimeError("?"), ValueError("?")])
def test_a_failed_write_is_never_a_success(collector: Bench, error: Exception) -> None:
    """Whatever kept the events from the disk, the request is answered 503 and can be sent again; health says so."""
    collector.writer.failing = error

    answer = post(collector, [event(0)])

    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) > 0
    assert collector.client.get("/healthz").status_code == 503
    collector.writer.failing = None
    assert post(collector, [event(0)]).json()["stored"] == 1
    assert collector.client.get("/healthz").json() == {"status": "ok"}


def test_why_nothing_is_stored_is_said_and_logged_once(collector: Bench, caplog: pytest.LogCaptureFixture) -> None:
    """A reason made to be told is in the answer; of other errors, which may hold a path, only the kind is."""
    collector.writer.failing = NotTakenError("topic events: there is none of that name")

    told = [post(collector, [event(0)]).json()["message"] for _ in range(2)]
    collector.writer.failing = OSError("/var/lib/secret is full")
    hidden = post(collector, [event(0)]).json()["message"]

    assert all("topic events" in each for each in told)
    assert "secret" not in hidden + caplog.text
    assert caplog.text.count("topic events") == 1


def test_bombs_and_floods_are_stopped(collector: Bench) -> None:
    """A small body that unpacks to much, a large body and too many events are refused."""
    zeros = b" " * 50_000_000

    answers = [
        post(collector, gzip.compress(zeros), **{"Content-Encoding": "gzip"}),
        post(collector, zstandard.compress(zeros), **{"Content-Encoding": "zstd"}),
        post(collector, b"[" + b" " * 200_000 + b"]"),
        post(collector, [1] * 201),
    ]

    assert [answer.status_code for answer in answers] == [413] * 4


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"[1,", {}, 400),
        (b"[" * 100_000, {}, 400),
        (b"abc", {"Content-Encoding": "gzip"}, 400),
        (gzip.compress(b"[1, 2, 3]")[:-9], {"Content-Encoding": "gzip"}, 400),
        (b"abc", {"Content-Encoding": "zstd"}, 400),
        (zstandard.compress(b"[1, 2, 3]")[:-1], {"Content-Encoding": "zstd"}, 400),
        (zstandard.compress(b"[1, 2, 3]")[:4], {"Content-Encoding": "zstd"}, 400),
        (zstandard.compress(b"[1, 2, 3]") + zstandard.compress(b"\n")[:-1], {"Content-Encoding": "zstd"}, 400),
        (b"[]", {"Content-Encoding": "br"}, 415),
        (b"[]", {"Content-Type": "text/html"}, 415),
        (b"", {}, 200),
    ],
)
def test_broken_bodies(collector: Bench, body: bytes, headers: dict[str, str], status: int) -> None:
    """What is no body is refused as a whole; an empty one holds no events."""
    assert post(collector, body, **headers).status_code == status


def test_one_deep_event_is_rejected_alone(collector: Bench) -> None:
    """Depth is the event's fault and not its neighbours'."""
    deep = json.dumps(event(0)).encode()[:-1] + b', "x": ' + b"[" * 80 + b"]" * 80 + b"}"

    answer = post(collector, b"\n".join([deep, json.dumps(event(3)).encode()]))

    assert [each.get("reason") for each in answer.json()["verdicts"]] == ["too_deep", None]


def test_too_fast_is_told_when_to_come_back(collector: Bench) -> None:
    """A key's rate is its own; what is refused is not stored in part."""
    for _ in range(2):
        assert post(collector, [event(3 * number) for number in range(200)]).status_code == 200

    answer = post(collector, [event(0)])

    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "1")
    assert len(collector.writer.records) == 400
    assert post(collector, [event(1)], tenant=B).json()["stored"] == 1


def test_metrics_exist_only_where_the_environment_is_not_local(collector: Bench) -> None:
    """Development traffic makes no production series."""
    assert collector.client.get("/metrics").status_code == 404


def test_metrics_count_what_became_of_events(production: Bench) -> None:
    """Stored and rejected events are counted; those of local environments are not."""
    post(production, [event(0), event(3, environment="local"), event(6, tenant=B)])

    text = production.client.get("/metrics").text

    assert f'stored_total{{environment="production",event_type="turn",tenant="{A}"}} 1.0' in text
    assert "local" not in text
    assert f'rejected_total{{reason="foreign_tenant",tenant="{A}"}} 1.0' in text


@pytest.mark.property
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=40)
@given(
    st.lists(
        st.tuples(st.sampled_from([A, B, "b.a.example.com"]), st.lists(st.sampled_from([A, B, "b.a.example.com"]))),
        max_size=8,
    )
)
def test_no_event_is_stored_for_another_tenant(collector: Bench, requests: list[tuple[str, list[str]]]) -> None:
    """Whatever keys and bodies come in whatever order, a record was sent with the key of the tenant that it names."""
    collector.collector.rate.burst = 10**9
    collector.collector.rate._left.clear()
    collector.writer.records.clear()
    expected = []
    for number, (key, tenants) in enumerate(requests):
        post(collector, [event(3 * number, tenant=tenant, visitor_id=key) for tenant in tenants], tenant=key)
        expected += [key for tenant in tenants if tenant == key]

    stored = [json.loads(record) for record in collector.writer.records]
    assert [(each["tenant"], each["visitor_id"]) for each in stored] == [(key, key) for key in expected]
