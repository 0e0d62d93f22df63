"""Many events of realistic size, fast, for benchmarks. Their texts repeat; their ids and times do not."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from random import Random

import msgspec

from pipelines.demo.tenants import TENANTS, DemoTenant
from pipelines.demo.topics import Topic

_VARIANTS = 16
_PASSAGES = 8
#: a document passage of about this many characters, as documents are cut for search
_PASSAGE_SIZE = 420
_MICROSECONDS_OF_DAY = 86_400_000_000

# what stands for the fields that differ; % is doubled in the texts, so the rest is safe to format
_ID, _AT, _CONVERSATION, _SEQUENCE, _TURN = "\x01id", "\x01at", "\x01c", 909_090_909, "\x01t"


def generate_bulk(seed: int, count: int, day: date, tenants: tuple[DemoTenant, ...] = TENANTS) -> Iterator[bytes]:
    """Yield `count` lines of one UTC day in the order of time: a retrieval (about 4.5 kB) and its turn (about 650 B).

    Every line is a sound event with an id of its own. Deterministic in its arguments.
    """
    rng = Random(f"{seed}/bulk")  # noqa: S311 - made-up traffic, no secret
    templates = [_templates(rng, tenant, variant) for tenant in tenants for variant in range(_VARIANTS)]
    midnight = datetime(day.year, day.month, day.day, tzinfo=UTC)
    for number in range(count):
        turn, is_turn = divmod(number, 2)
        at = midnight + timedelta(microseconds=number * _MICROSECONDS_OF_DAY // count)
        bits = f"{rng.getrandbits(128):032x}"
        identity = f"{bits[:8]}-{bits[8:12]}-4{bits[13:16]}-8{bits[17:20]}-{bits[20:]}".encode()
        time = at.isoformat(timespec="microseconds").encode()
        conversation = b"%d" % (turn // 3)
        template = templates[turn % len(templates)][is_turn]
        yield template % (identity, time, number, conversation, b"%d" % turn, *((b"%d" % turn,) * (1 - is_turn)))


def _templates(rng: Random, tenant: DemoTenant, variant: int) -> tuple[bytes, bytes]:
    """Encode one retrieval and its turn with places for what differs."""
    topic = rng.choice(tenant.talk.topics)
    question = rng.choice(topic.questions)
    retrieval = {
        "turn_id": f"t-{_TURN}",
        "retrieval_id": f"r-{_TURN}",
        "outcome": "searched",
        "message": question,
        "searched_query": question,
        "resolution": "as_typed",
        "channels": ["lexical", "dense"],
        "k": _PASSAGES,
        "latency_ms": rng.randint(20, 200),
        "passages": [_passage(rng, tenant, rank) for rank in range(1, _PASSAGES + 1)],
    }
    turn = {
        "turn_id": f"t-{_TURN}",
        "turn_index": variant % 3,
        "message": question,
        "language": tenant.talk.language,
        "answer": " ".join(topic.facts[:2]) if variant else rng.choice(tenant.talk.disclaimers),
        "gate": {"decision": "substantive", "reason": "complete", "version": "demo-1"},
        "latency_ms": rng.randint(500, 4000),
        "model": "demo-chat-large",
    }
    return _template(tenant, "retrieval", retrieval), _template(tenant, "turn", turn)


def _passage(rng: Random, tenant: DemoTenant, rank: int) -> dict[str, object]:
    topic: Topic = rng.choice(tenant.talk.topics)
    facts = rng.sample(topic.facts, len(topic.facts))
    text = f"{topic.title}. {' '.join(facts)} {' '.join(topic.questions)}"[:_PASSAGE_SIZE]
    return {
        "passage_id": f"d-{tenant.talk.topics.index(topic)}#{rank}",
        "kind": "document" if rank % 3 else "conversation",
        "title": topic.title,
        "text": text,
        "rank": rank,
        "score": round(20 / rank, 3),
    }


def _template(tenant: DemoTenant, event_type: str, payload: dict[str, object]) -> bytes:
    event = {
        "event_id": _ID,
        "event_type": event_type,
        "schema_version": 1,
        "tenant": tenant.host,
        "environment": "production",
        "occurred_at": _AT,
        "producer_id": "bulk",
        "sequence": _SEQUENCE,
        "conversation_id": f"c-{_CONVERSATION}",
        "payload": payload,
    }
    line = msgspec.json.encode(event).replace(b"%", b"%%") + b"\n"
    for mark, place in ((_ID, b"%b"), (_AT, b"%b"), (_CONVERSATION, b"%b"), (_TURN, b"%b")):
        line = line.replace(msgspec.json.encode(mark)[1:-1], place)
    return line.replace(b"%d" % _SEQUENCE, b"%d")
