"""Finds out what an endpoint can do with a model, by asking it about two passages in one way after the other.

Some endpoints refuse what they do not know with 400, some with 500, and some pass over it; so every way is tried by
itself, and a way counts as refused only when it failed twice.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipelines.errors import NightcheckError
from pipelines.judging.answer import Answer, read_answer
from pipelines.judging.asking import Endpoint, EndpointRefusesError
from pipelines.judging.capabilities import OPTIONAL, AnswerForm, Capabilities, request_body
from pipelines.judging.families import Family
from pipelines.judging.rubric import lay_out, load_rubric
from pipelines.judging.verdict import PassageToJudge, RetrievalToJudge
from schemas.chat import Outcome, Reply

_EXAMPLE = RetrievalToJudge(
    tenant="probe.invalid",
    retrieval_id="probe",
    searched_query="How long does delivery take?",
    message="How long does delivery take?",
    conversation=(),
    passages=(
        PassageToJudge(rank=1, passage_id="a", kind="document", text="Parcels arrive within three working days."),
        PassageToJudge(rank=2, passage_id="b", kind="document", text="Our shop was founded in a former mill."),
    ),
)


class ProbeFailedError(NightcheckError):
    """The endpoint did not answer even the plainest call, so nothing can be said about it."""

    def __init__(self, detail: str | None) -> None:
        super().__init__(
            "the judge's endpoint",
            f"it did not answer the plainest call ({detail})",
            "Check that it runs and has the model loaded, then probe again",
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was tried, and how it went."""

    tried: str
    works: bool
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What was found out, and the best that can be made of it."""

    capabilities: Capabilities
    findings: tuple[Finding, ...]


class _Prober:
    def __init__(self, endpoint: Endpoint, model: str, family: Family, effort: str, output_limit: int) -> None:
        self._endpoint = endpoint
        self._model = model
        self._family = family
        self._effort = effort
        self._output_limit = output_limit
        self._laid = lay_out(_EXAMPLE, _EXAMPLE.passages)
        self.findings: list[Finding] = []

    def body(self, form: AnswerForm, allowed: frozenset[str]) -> dict[str, Any]:
        """Return a call that uses this form and, of the optional parameters, only the allowed ones."""
        return request_body(
            rubric=load_rubric(),
            document=self._laid.document,
            model=self._model,
            family=self._family,
            capabilities=Capabilities(form=form, refused=frozenset(OPTIONAL) - allowed),
            effort=self._effort,
            output_limit=self._output_limit,
        )

    async def ask(self, body: Mapping[str, Any]) -> Reply:
        """Ask, and once more if that failed."""
        reply = await self._endpoint.ask(body)
        return reply if _took(reply) else await self._endpoint.ask(body)

    async def limit_field(self) -> frozenset[str]:
        """Find how to limit the answer, with the plainest call there is; raise if even that fails."""
        replies = []
        for allowed in (frozenset({"max_completion_tokens"}), frozenset[str]()):
            if allowed and self._family.limit_field == "max_tokens":
                continue
            reply = await self.ask(self.body(AnswerForm.TEXT, allowed))
            name = "max_completion_tokens" if allowed else "max_tokens"
            self.findings.append(Finding(tried=name, works=_took(reply), detail=_said(reply)))
            if _took(reply):
                return allowed
            replies.append(reply)
        if replies[-1].outcome is Outcome.MISCONFIGURED:
            raise EndpointRefusesError(replies[-1].detail)
        raise ProbeFailedError(replies[-1].detail)

    async def parameters(self, limit: frozenset[str]) -> frozenset[str]:
        """Find which optional parameters are taken, of those that the model's family knows."""
        plainest = set(self.body(AnswerForm.TEXT, limit))
        taken = set(limit)
        for name in OPTIONAL:
            body = self.body(AnswerForm.TEXT, limit | {name})
            if set(body) == plainest:
                continue
            reply = await self.ask(body)
            self.findings.append(Finding(tried=name, works=_took(reply), detail=_said(reply)))
            if _took(reply):
                taken.add(name)
        return frozenset(taken)

    async def form(self, allowed: frozenset[str]) -> AnswerForm:
        """Find the surest form that gives a verdict, or failing that one in form, or failing that one that is taken."""
        best, best_form = 0, AnswerForm.TEXT
        for form in AnswerForm:
            reply = await self.ask(self.body(form, allowed))
            worth = self._worth(reply)
            said = ("not taken", "taken, but no JSON of the required form", "the form, but not the ids", "a verdict")
            detail = said[worth] if worth else _said(reply)
            self.findings.append(Finding(tried=form.value, works=worth == len(said) - 1, detail=detail))
            if worth > best:
                best, best_form = worth, form
        return best_form

    def _worth(self, reply: Reply) -> int:
        if not _took(reply):
            return 0
        answer = read_answer(reply.text, list(self._laid.passages))
        if isinstance(answer, Answer):
            return 3
        return 2 if answer.in_form else 1


async def probe(
    endpoint: Endpoint,
    *,
    model: str,
    family: Family,
    effort: str,
    output_limit: int,
) -> Probe:
    """Find out what an endpoint can do with a model; a dozen small calls.

    Raises:
        EndpointRefusesError: the key, the address or the model is wrong.
        ProbeFailedError: it does not answer at all.
    """
    prober = _Prober(endpoint, model, family, effort, output_limit)
    limit = await prober.limit_field()
    allowed = await prober.parameters(limit)
    form = await prober.form(allowed)
    batches = await endpoint.batches.exists()
    prober.findings.append(Finding(tried="batches", works=batches, detail="listed" if batches else "not there"))
    return Probe(
        capabilities=Capabilities(form=form, refused=frozenset(OPTIONAL) - allowed, batches=batches),
        findings=tuple(prober.findings),
    )


def _took(reply: Reply) -> bool:
    return reply.outcome in {Outcome.ANSWERED, Outcome.TRUNCATED, Outcome.REFUSED} and reply.http_status == 200


def _said(reply: Reply) -> str:
    return "taken" if _took(reply) else reply.detail or reply.outcome.value
