"""What the demonstration's retriever returns: passages that are about the subject, and some that are not."""

from random import Random
from typing import Any

from pipelines.demo.topics import Talk, Topic

Payload = dict[str, Any]

_REDACTED_SHARE = 0.02
_FACTS_IN_DOCUMENT = 3


def found_passages(
    rng: Random, talk: Talk, topic: Topic, *, missed_documents: float, missed_snippets: float
) -> tuple[list[Payload], int]:
    """Make the ranked passages of one search, and say how many of them are about the subject.

    Each misses the subject with the probability of its kind; then it is about another subject of the same application.
    """
    found: dict[str, Payload] = {}
    hits = 0
    kinds = ["document"] * rng.randint(3, 4) + ["conversation"] * rng.randint(1, 2)
    rng.shuffle(kinds)
    for kind in kinds:
        missed = rng.random() < (missed_documents if kind == "document" else missed_snippets)
        about = rng.choice([other for other in talk.topics if other is not topic]) if missed else topic
        passage = (_document if kind == "document" else _snippet)(rng, talk, about)
        if passage["passage_id"] not in found:
            hits += not missed
            found[passage["passage_id"]] = passage
    score = rng.uniform(16, 24)
    for rank, passage in enumerate(found.values(), start=1):
        score *= rng.uniform(0.7, 0.98)
        passage |= {"rank": rank, "score": round(score, 3)}
        if rng.random() < _REDACTED_SHARE:
            passage["text"] = rng.choice([None, "__REDACTED__"])
    return list(found.values()), hits


def _document(rng: Random, talk: Talk, topic: Topic) -> Payload:
    """Cut a passage out of a subject's page."""
    number = talk.topics.index(topic)
    start = rng.randrange(len(topic.facts))
    facts = [topic.facts[(start + step) % len(topic.facts)] for step in range(_FACTS_IN_DOCUMENT)]
    return {
        "passage_id": f"d-{number}#{start}",
        "kind": "document",
        "title": topic.title,
        "text": f"{topic.title}. {' '.join(facts)}",
        "source_id": f"page-{number}",
        "source_date": f"2026-{1 + number % 9:02d}-{3 + 2 * number:02d}",
        "channel": rng.choice(["lexical", "dense"]),
    }


def _snippet(rng: Random, talk: Talk, topic: Topic) -> Payload:
    """Quote an earlier conversation about a subject."""
    number = talk.topics.index(topic)
    question, fact = rng.randrange(len(topic.questions)), rng.randrange(len(topic.facts))
    return {
        "passage_id": f"c-{number}-{question}#{fact}",
        "kind": "conversation",
        "title": topic.title,
        "text": talk.snippet.format(question=topic.questions[question], fact=topic.facts[fact]),
        "source_id": f"chat-{number}-{question}",
        "source_date": f"2026-{3 + number % 7:02d}-{4 + 2 * number:02d}",
        "channel": "dense",
    }
