"""What a strategy makes of a turn, and how it asks a model."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from pipelines.experiments.datasets.item import Item
from pipelines.experiments.retrievers.query import Query
from pipelines.resolution.clean import Cleaned, Finding, clean

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to search for one turn.

    No query means that the strategy skips the search; several are searched each and fused by reciprocal rank. `fired`
    says that the strategy changed anything; where it says not, the plan must be the control's, byte for byte.
    """

    queries: tuple[Query, ...]
    fired: bool = True
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What a model is asked: instructions, for one turn. The turn's texts are data, whatever they say."""

    purpose: str
    instructions: str
    item: Item


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """A model's answer. Tokens and latency are None where they are not known, as for a recorded answer."""

    text: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_ms: float | None = None


class Model(Protocol):
    """Completes prompts: over the network, or from what was recorded."""

    @property
    def name(self) -> str:
        """Return what the model is called in tables."""
        ...

    async def complete(self, prompt: Prompt) -> Completion:
        """Return the answer; raises `NightcheckError` where there is none."""
        ...


@dataclass(slots=True)
class Ask:
    """A model bound to one turn, which adds up what the turn cost. `findings` gathers what its answers had to lose."""

    model: Model | None
    item: Item
    calls: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    latency_ms: float | None = None
    findings: list[Finding] = field(default_factory=list)

    async def __call__(self, purpose: str, instructions: str) -> str:
        """Return the model's answer as it came."""
        if self.model is None:  # the registry gives a model to every strategy that asks
            msg = "this strategy was given no model"
            raise ValueError(msg)
        completion = await self.model.complete(Prompt(purpose=purpose, instructions=instructions, item=self.item))
        self.calls += 1
        self.prompt_tokens = _sum(self.prompt_tokens, completion.prompt_tokens)
        self.completion_tokens = _sum(self.completion_tokens, completion.completion_tokens)
        self.latency_ms = _sum(self.latency_ms, completion.latency_ms)
        return completion.text

    async def cleaned(self, purpose: str, instructions: str) -> str | None:
        """Return the model's answer as it may be searched, or None where none of it may."""
        return self.keep(clean(await self(purpose, instructions)))

    def keep(self, cleaned: Cleaned) -> str | None:
        """Note what was found in a cleaned text and return what is left of it."""
        self.findings += cleaned.findings
        return cleaned.text


#: makes the plan of one turn
Resolve = Callable[[Item, Ask], Coroutine[Any, Any, Plan]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Strategy:
    """A way to turn a conversation into queries. `version` changes when the code that decides does.

    `made_of` names the modules and packages that decide; `model` is given to those that ask one.
    """

    name: str
    summary: str
    resolve: Resolve
    made_of: tuple[str, ...]
    asks: bool = False
    model: Model | None = None
    version: str = ""


def as_typed(item: Item, *, findings: tuple[Finding, ...] = ()) -> Plan:
    """Return the plan that changes nothing: the message, byte for byte."""
    return Plan(queries=(Query(text=item.message),), fired=False, findings=findings)


def text_plan(item: Item, text: str | None, findings: tuple[Finding, ...] = ()) -> Plan:
    """Return the plan that searches a text, or the message where there is none or it is the same."""
    if text is None or text == item.message:
        return as_typed(item, findings=findings)
    return Plan(queries=(Query(text=text),), findings=findings)


def _sum(known: Number | None, more: Number | None) -> Number | None:
    if more is None:
        return known
    return more if known is None else known + more
