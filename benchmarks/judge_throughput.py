"""How much of an endpoint's throughput the judge uses, under several limits.

    .venv/bin/python -m benchmarks.judge_throughput [--seconds 20] [--virtual]

With --virtual time passes only when everybody waits for it, so that nothing else on the machine counts, and there is no network.
Else a server in a process of its own takes a time for each answer and refuses, with 429, what is beyond its limit: on calls
a minute, on tokens a minute, or on calls at once. The judge is told the limits a minute, as one reads them on a
provider's page, or nothing and has to find out. The ideal is the calls that the limit lets through between the first call and
the last answer; the target is 0.95 of it.
"""

import argparse
import asyncio
import json
import multiprocessing
import socket
import time
from dataclasses import dataclass

import numpy as np
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pipelines.io.llm import ChatEndpoint
from pipelines.judging.asking import Manner
from pipelines.judging.budget import FREE, Ceiling
from pipelines.judging.capabilities import AnswerForm, Capabilities
from pipelines.judging.families import family_of
from pipelines.judging.openai import OpenAIJudge
from pipelines.judging.pace import Limits
from pipelines.judging.rubric import load_rubric
from pipelines.judging.verdict import PassageToJudge, RetrievalToJudge, Status

TOKENS = 2_300


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    name: str
    latency: float
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    at_once: int | None = None
    told: bool = True
    retry_after: bool = True

    @property
    def ideal(self) -> float:
        """Calls a second that the endpoint lets through."""
        rates = [
            self.requests_per_minute and self.requests_per_minute / 60,
            self.tokens_per_minute and self.tokens_per_minute / 60 / TOKENS,
            (self.at_once or 64) / self.latency,
        ]
        return min(rate for rate in rates if rate)


CASES = [
    Case(name="600 calls a minute, stated", latency=0.5, requests_per_minute=600),
    Case(name="1,800 calls a minute, stated", latency=0.8, requests_per_minute=1_800),
    Case(name="2,000,000 tokens a minute, stated", latency=0.5, tokens_per_minute=2_000_000),
    Case(name="4 at once, not stated", latency=0.3, at_once=4),
    Case(name="16 at once, not stated", latency=0.6, at_once=16),
    Case(name="16 at once, no Retry-After", latency=0.6, at_once=16, retry_after=False),
    Case(name="no limit but the client's 64", latency=2.0),
]


def serve(case: Case, port: int) -> None:
    rng = np.random.default_rng(1)
    under_way = 0
    refused = 0
    left = {"requests": 1.0, "tokens": float(TOKENS)}
    at = time.monotonic()

    def limited() -> bool:
        """Take from allowances of one second's worth."""
        nonlocal at
        now = time.monotonic()
        passed, at = now - at, now
        for name, per_minute, amount in (
            ("requests", case.requests_per_minute, 1.0),
            ("tokens", case.tokens_per_minute, float(TOKENS)),
        ):
            if per_minute:
                left[name] = min(max(amount, per_minute / 60), left[name] + passed * per_minute / 60)
        wanted = [("requests", case.requests_per_minute, 1.0), ("tokens", case.tokens_per_minute, float(TOKENS))]
        if any(limit and left[name] < amount for name, limit, amount in wanted):
            return True
        for name, limit, amount in wanted:
            left[name] -= amount if limit else 0.0
        return False

    async def chat(request: Request) -> Response:
        nonlocal under_way, refused
        document = json.loads((await request.json())["messages"][1]["content"])
        if (case.at_once and under_way >= case.at_once) or limited():
            refused += 1
            headers = {"retry-after-ms": "200"} if case.retry_after else {}
            return JSONResponse({"error": {"message": "slow down", "code": "rate_limit"}}, 429, headers)
        under_way += 1
        try:
            await asyncio.sleep(float(case.latency * rng.uniform(0.8, 1.2)))
        finally:
            under_way -= 1
        graded = [{"id": p["id"], "evidence": "", "query_grade": 0, "need_grade": 1} for p in document["passages"]]
        answer = {"need": "n", "needs_retrieval": True, "passages": graded, "sufficient": False}
        message = {"role": "assistant", "content": json.dumps(answer)}
        usage = {"prompt_tokens": TOKENS - 300, "completion_tokens": 300}
        return JSONResponse({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage, "model": "m"})

    async def count(_: Request) -> Response:
        return JSONResponse({"refused": refused})

    app = Starlette(routes=[Route("/v1/chat/completions", chat, methods=["POST"]), Route("/refused", count)])
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="error", http="h11")


def a_judge(case: Case, port: int) -> OpenAIJudge:
    told = case.told
    return OpenAIJudge(
        connect=lambda: ChatEndpoint(base_url=f"http://127.0.0.1:{port}/v1", api_key="none", timeout=60),
        manner=Manner(
            model="gpt-4.1-2025-04-14",
            family=family_of("gpt-4.1-2025-04-14"),
            capabilities=Capabilities(form=AnswerForm.JSON_SCHEMA),
            rubric=load_rubric(),
            effort="low",
            output_limit=1_000,
            price=FREE,
        ),
        limits=Limits(
            requests_per_minute=case.requests_per_minute if told else None,
            tokens_per_minute=case.tokens_per_minute if told else None,
        ),
        ceiling=Ceiling(),
        rng=np.random.default_rng(1),
        monotonic=time.monotonic,
        sleep=asyncio.sleep,
    )


def retrievals(count: int) -> list[RetrievalToJudge]:
    return [
        RetrievalToJudge(
            tenant="help.example.com",
            retrieval_id=f"r-{n}",
            searched_query=f"question {n}",
            message=f"question {n}",
            conversation=(),
            passages=tuple(
                PassageToJudge(rank=k, passage_id=f"d-{k}", kind="document", text=f"Passage {k} of {n}. " * 20)
                for k in range(1, 6)
            ),
        )
        for n in range(count)
    ]


async def run(case: Case, port: int, count: int) -> tuple[float, int]:
    started = time.perf_counter()
    done = 0
    async for verdict in a_judge(case, port).judge(retrievals(count)):
        done += verdict.status is Status.JUDGED
    return time.perf_counter() - started, done


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)


def refusals(port: int) -> int:
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GET /refused HTTP/1.0\r\n\r\n")
        answer = b""
        while piece := connection.recv(4096):
            answer += piece
    return int(json.loads(answer.split(b"\r\n\r\n")[1])["refused"])


def virtual() -> None:
    from tests.judging.test_throughput import CASES as CASES_IN_VIRTUAL_TIME
    from tests.judging.test_throughput import in_virtual_time

    print(f"{'limit':36} {'ideal/s':>8} {'reached/s':>9} {'share':>6}")
    for name, case in CASES_IN_VIRTUAL_TIME.items():
        reached = in_virtual_time(case)
        print(f"{name:36} {case.ideal:8.2f} {reached:9.2f} {reached / case.ideal:6.3f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--virtual", action="store_true")
    arguments = parser.parse_args()
    if arguments.virtual:
        virtual()
        return
    print(f"{'limit':36} {'calls':>6} {'ideal/s':>8} {'reached/s':>9} {'share':>6} {'429s':>5}")
    for case in CASES:
        port = free_port()
        server = multiprocessing.Process(target=serve, args=(case, port), daemon=True)
        server.start()
        wait_for(port)
        count = int(case.ideal * arguments.seconds)
        seconds, done = asyncio.run(run(case, port, count))
        # The last answer takes its time whatever the limit is.
        reached = done / (seconds - case.latency)
        print(
            f"{case.name:36} {done:6} {case.ideal:8.2f} {reached:9.2f} {reached / case.ideal:6.3f} {refusals(port):5}",
            flush=True,
        )
        server.terminate()
        server.join()


if __name__ == "__main__":
    main()
