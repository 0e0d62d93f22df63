"""Retrievals to judge, and judges that ask a scripted endpoint, each written in one line."""

import asyncio
from collections.abc import Sequence
from typing import Any

import numpy as np

from pipelines.io.llm import ChatEndpoint
from pipelines.judging.asking import Manner
from pipelines.judging.budget import FREE, Ceiling, Price
from pipelines.judging.capabilities import AnswerForm, Capabilities
from pipelines.judging.families import family_of
from pipelines.judging.openai import OpenAIJudge
from pipelines.judging.pace import Limits
from pipelines.judging.rubric import load_rubric
from pipelines.judging.verdict import PassageToJudge, RetrievalToJudge, RetrievalVerdict, Utterance

MODEL = "gpt-4.1-2025-04-14"


def a_retrieval(
    *texts: str | None,
    query: str = "Which plans include single sign-on?",
    message: str | None = None,
    said: tuple[tuple[str, str], ...] = (),
    retrieval_id: str = "r-1",
    tenant: str = "help.example.com",
    kind: str = "document",
    stratum: str = "",
) -> RetrievalToJudge:
    """Return a retrieval that found these texts, in rank order, with passage ids d-1, d-2 and so on."""
    return RetrievalToJudge(
        tenant=tenant,
        retrieval_id=retrieval_id,
        searched_query=query,
        message=query if message is None else message,
        conversation=tuple(Utterance(role=role, text=text) for role, text in said),
        passages=tuple(
            PassageToJudge(rank=rank, passage_id=f"d-{rank}", kind=kind, text=text)
            for rank, text in enumerate(texts, start=1)
        ),
        stratum=stratum,
    )


class Clock:
    """A clock that moves only when somebody sleeps by it."""

    def __init__(self) -> None:
        self.time = 0.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        """Return the time."""
        return self.time

    async def sleep(self, seconds: float) -> None:
        """Let that time pass at once."""
        self.slept.append(seconds)
        self.time += seconds
        await asyncio.sleep(0)


def a_manner(
    *, model: str = MODEL, form: AnswerForm = AnswerForm.JSON_SCHEMA, price: Price = FREE, output_limit: int = 500
) -> Manner:
    """Return how a scripted endpoint is asked."""
    return Manner(
        model=model,
        family=family_of(model),
        capabilities=Capabilities(form=form),
        rubric=load_rubric(),
        effort="low",
        output_limit=output_limit,
        price=price,
    )


def a_judge(
    base_url: str,
    *,
    manner: Manner | None = None,
    limits: Limits | None = None,
    ceiling: Ceiling | None = None,
    clock: Clock | None = None,
    timeout: float = 10.0,
    **rest: Any,
) -> OpenAIJudge:
    """Return a judge that asks the endpoint at an address, through the openai client, by a clock that does not wait."""
    clock = clock or Clock()
    return OpenAIJudge(
        connect=lambda: ChatEndpoint(base_url=base_url, api_key="none", timeout=timeout),
        manner=manner or a_manner(),
        limits=limits or Limits(),
        ceiling=ceiling or Ceiling(),
        rng=np.random.default_rng(7),
        monotonic=clock.monotonic,
        sleep=clock.sleep,
        **rest,
    )


def judged(judge: OpenAIJudge, retrievals: Sequence[RetrievalToJudge]) -> dict[str, RetrievalVerdict]:
    """Run a judge over retrievals and return its verdicts by retrieval id; each must have exactly one."""

    async def run() -> list[RetrievalVerdict]:
        return [verdict async for verdict in judge.judge(retrievals)]

    verdicts = asyncio.run(run())
    by_id = {verdict.retrieval_id: verdict for verdict in verdicts}
    assert len(by_id) == len(verdicts) == len(retrievals)
    return by_id
