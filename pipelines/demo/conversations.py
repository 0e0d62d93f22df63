"""One made-up conversation: its turns, what was searched for each, and what was answered."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Any

from pipelines.demo.passages import Payload, found_passages
from pipelines.demo.tenants import DemoTenant
from pipelines.demo.topics import Topic

GATE_VERSION = "demo-1"

#: what a visitor does after the first turn, and how often
_LATER = {"follow_up": 36, "nod": 8, "substantive": 30, "correction": 6, "short": 10, "farewell": 10}
_EMPTY_SHARE = 0.03
_FAILED_SHARE = 0.015
#: follow-ups that the gate takes for substantive: searched as typed, they find little
_UNNOTICED_SHARE = 0.08
_REWRITTEN_SHARE = 0.12
#: rewrites that ask about something else than the visitor
_DRIFTED_SHARE = 0.25
_MISSED_WHEN_ELLIPTICAL = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """What will be one event, before a producer sends it."""

    at: datetime
    event_type: str
    conversation_id: str
    visitor_id: str
    payload: Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """How a message becomes a search. `topic` is what the search finds, which a drifted rewrite makes another one."""

    decision: str
    reason: str
    query: str | None
    resolution: str = "as_typed"
    combined_with: str | None = None
    topic: Topic
    elliptical: bool = False


@dataclass(slots=True, kw_only=True)
class Conversation:
    """The state of a conversation while it is made. `happenings` grows by every turn."""

    rng: Random
    tenant: DemoTenant
    name: str
    visitor: str
    at: datetime
    missed_documents: float
    topic: Topic
    turns: int = 0
    substantive: tuple[str, str] | None = None  # turn id and message
    happenings: list[Happening] = field(default_factory=list)

    def tell(self, event_type: str, payload: dict[str, Any], *, after: float = 0.0) -> None:
        """Note an event, `after` seconds from the current turn's message."""
        self.happenings.append(
            Happening(
                at=self.at + timedelta(seconds=after),
                event_type=event_type,
                conversation_id=self.name,
                visitor_id=self.visitor,
                payload={key: value for key, value in payload.items() if value is not None},
            )
        )

    def add_turn(self) -> None:
        """Let the visitor say something and the agent answer; moves the time on."""
        kind = "substantive" if self.turns == 0 else self.rng.choices(list(_LATER), list(_LATER.values()))[0]
        turn_id = f"{self.name}-t{self.turns}"
        message = self._message(kind)
        search = self._search(kind, turn_id, message)
        hits = self._retrieve(turn_id, message, search)
        self._answer(turn_id, message, search, hits)
        self.turns += 1
        self.at += timedelta(seconds=self.rng.randint(20, 90))

    def _message(self, kind: str) -> str:
        """Word the message; a new question may be about a new subject."""
        rng, talk = self.rng, self.tenant.talk
        match kind:
            case "follow_up":
                return rng.choice(self.topic.follow_ups)
            case "nod":
                return rng.choice(talk.nods)
            case "correction":
                return rng.choice(talk.corrections)
            case "short":
                return rng.choice(talk.short)
            case "farewell":
                return rng.choice(talk.farewells)
        if self.turns and rng.random() < 0.5:
            self.topic = rng.choice(talk.topics)
        return rng.choice(self.topic.questions)

    def _search(self, kind: str, turn_id: str, message: str) -> Search:
        """Decide as the gate would, with its mistakes."""
        rng = self.rng
        if kind == "substantive":
            self.substantive = (turn_id, message)
        plain = {
            "substantive": ("substantive", "complete", message),
            "short": ("skip", "shorter_than_ten", None),
            "farewell": ("no_need", "farewell", None),
            "correction": ("correction", "rejects", message),
        }
        if kind in plain:
            decision, reason, query = plain[kind]
            return Search(decision=decision, reason=reason, query=query, topic=self.topic)
        if self.substantive is None or rng.random() < _UNNOTICED_SHARE:
            return Search(decision="substantive", reason="no_rule", query=message, topic=self.topic, elliptical=True)
        if rng.random() < _REWRITTEN_SHARE:
            return self._rewritten(message)
        return Search(
            decision="follow_up",
            reason="nod" if kind == "nod" else "elliptical",
            query=f"{self.substantive[1]} {message}",
            resolution="combined",
            combined_with=self.substantive[0],
            topic=self.topic,
        )

    def _rewritten(self, message: str) -> Search:
        """Rewrite the message as a small model would, now and then about the wrong thing."""
        topic = self.rng.choice(self.tenant.talk.topics) if self.rng.random() < _DRIFTED_SHARE else self.topic
        question = self.rng.choice(topic.questions)
        tail = f" {message}" if topic is self.topic else ""
        return Search(
            decision="follow_up",
            reason="elliptical",
            query=self.tenant.talk.rewrite.format(title=topic.title, question=question) + tail,
            resolution="rewritten",
            topic=topic,
        )

    def _retrieve(self, turn_id: str, message: str, search: Search) -> int:
        """Search, or say why not; returns how many passages are about what the visitor wants."""
        rng, tenant = self.rng, self.tenant
        payload: Payload = {"retrieval_id": f"{turn_id}-r", "turn_id": turn_id, "message": message}
        hits = 0
        if search.query is None:
            payload |= {"outcome": "skipped", "reason": search.reason}
        elif rng.random() < _FAILED_SHARE:
            payload |= {"outcome": "failed", "reason": rng.choice(["timeout", "index_unavailable"])}
        else:
            found: list[Payload] = []
            if rng.random() >= _EMPTY_SHARE:
                found, hits = found_passages(
                    rng,
                    tenant.talk,
                    search.topic,
                    missed_documents=_MISSED_WHEN_ELLIPTICAL if search.elliptical else self.missed_documents,
                    missed_snippets=_MISSED_WHEN_ELLIPTICAL if search.elliptical else tenant.missed_snippets,
                )
            payload |= {
                "outcome": "searched",
                "searched_query": search.query,
                "resolution": search.resolution,
                "channels": ["lexical", "dense"],
                "k": 6,
                "latency_ms": rng.randint(18, 240),
                "passages": found,
            }
        self.tell("retrieval", payload, after=0.4)
        return hits if search.topic is self.topic else 0

    def _answer(self, turn_id: str, message: str, search: Search, hits: int) -> None:
        """Answer from the subject's facts, or disclaim, more often when nothing was found."""
        rng = self.rng
        latency = rng.randint(600, 4200)
        gate = {"decision": search.decision, "reason": search.reason, "version": GATE_VERSION}
        if search.combined_with is not None:
            gate["combined_with"] = search.combined_with
        self.tell(
            "turn",
            {
                "turn_id": turn_id,
                "turn_index": self.turns,
                "message": message,
                "language": self.tenant.talk.language,
                "answer": self._words(search, hits),
                "gate": gate,
                "latency_ms": latency,
                "model": "demo-chat-large",
            },
            after=latency / 1000,
        )
        if search.resolution == "rewritten":
            self.tell("model_call", self._call(turn_id, "rewrite", "demo-chat-small", 700), after=0.3)
        self.tell("model_call", self._call(turn_id, "answer", "demo-chat-large", latency), after=latency / 1000 + 0.01)

    def _words(self, search: Search, hits: int) -> str:
        """Word the answer."""
        rng, talk = self.rng, self.tenant.talk
        if search.query is None:
            return talk.courtesies[0]
        if rng.random() < (0.03 if hits else 0.7):
            return rng.choice(talk.disclaimers)
        facts = " ".join(rng.sample(self.topic.facts, 2))
        opening = rng.choice(talk.partial) + " " if rng.random() < (0.04 if hits else 0.3) else ""
        return f"{opening}{facts} {rng.choice(talk.courtesies)}".strip()

    def _call(self, turn_id: str, purpose: str, model: str, latency: int) -> Payload:
        """Account for one call of a model; its prompt's first segment is the same for everyone."""
        rng = self.rng
        segments = [
            {"name": "system", "hash": f"{purpose}-{self.tenant.talk.language}-1", "tokens": 640},
            {"name": "history", "hash": f"{turn_id}-h", "tokens": 90 * self.turns},
            {"name": "passages", "hash": f"{turn_id}-p", "tokens": rng.randint(200, 900)},
        ]
        prompt = sum(int(str(segment["tokens"])) for segment in segments)
        return {
            "call_id": f"{turn_id}-{purpose}",
            "turn_id": turn_id,
            "purpose": purpose,
            "provider": "demo",
            "model": model,
            "prompt_tokens": prompt,
            "cached_tokens": 640 if rng.random() < 0.8 else 0,
            "completion_tokens": rng.randint(20, 180),
            "latency_ms": latency,
            "first_token_ms": latency // 4,
            "segments": segments,
        }
