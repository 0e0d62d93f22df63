"""The collector's counters for Prometheus. Events of local environments are not counted."""

from collections.abc import Sequence

from prometheus_client import CollectorRegistry, Counter, generate_latest

from pipelines.collect.verdict import Accepted
from pipelines.ingest.decode import Rejection


class Metrics:
    """Counters of one collector, in a registry of their own."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._stored = Counter(
            "nightcheck_events_stored",
            "Events made durable",
            ["tenant", "environment", "event_type"],
            registry=self._registry,
        )
        self._rejected = Counter(
            "nightcheck_events_rejected", "Events rejected, by reason", ["tenant", "reason"], registry=self._registry
        )
        self._refused = Counter(
            "nightcheck_requests_refused", "Requests refused as a whole, by code", ["code"], registry=self._registry
        )

    def judged(self, tenant: str, verdicts: Sequence[Accepted | Rejection]) -> None:
        """Count what became of a request's events. The tenant is the key's, never one that an event claims."""
        for verdict in verdicts:
            if isinstance(verdict, Rejection):
                self._rejected.labels(tenant, verdict.reason.value).inc()
            elif verdict.event.environment != "local":
                kind = str(verdict.event.__struct_config__.tag)
                self._stored.labels(tenant, _bounded(verdict.event.environment), kind).inc()

    def refused(self, code: str) -> None:
        """Count a request that was refused."""
        self._refused.labels(code).inc()

    def exposition(self) -> bytes:
        """Return the counters in Prometheus' text format."""
        return generate_latest(self._registry)


def _bounded(environment: str) -> str:
    """Keep the label's values few: a client must not be able to fill the memory with names of environments."""
    return environment if environment in ("production", "staging", "development", "test") else "other"
