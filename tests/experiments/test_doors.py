"""The doors of an experiment, against a real server on loopback: embeddings, the user's retriever, a model."""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

from pipelines.experiments.models.run import ChatModel, NoAnswerError, messages, model_chooser
from pipelines.experiments.retrievers import Keywords, Query
from pipelines.experiments.retrievers.run import OwnService, remembering
from pipelines.experiments.strategies import Prompt, Recorded
from pipelines.io.embeddings import EmbeddingEndpoint, EmbeddingError, VectorFile
from pipelines.io.llm import ChatEndpoint
from pipelines.io.search_endpoint import SearchEndpoint, SearchError
from tests.experiments.build import item

pytestmark = pytest.mark.integration

Answer = Callable[[dict[str, Any]], tuple[int, Any]]


@contextmanager
def server(answer: Answer) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Serve POST requests on loopback; yields the address and the bodies that came."""
    bodies: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            bodies.append(body)
            status, found = answer(body)
            content = found if isinstance(found, bytes) else json.dumps(found).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as listening:
        thread = Thread(target=listening.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.server_port}", bodies
        finally:
            listening.shutdown()
            thread.join()


def _embedded(body: dict[str, Any]) -> tuple[int, Any]:
    """Answer in another order than asked, as the contract allows."""
    data = [
        {"object": "embedding", "index": at, "embedding": [float(len(text)), 1.0]}
        for at, text in enumerate(body["input"])
    ]
    return 200, {"object": "list", "data": data[::-1], "model": "m", "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def test_embeddings_come_in_order_and_are_asked_for_once(tmp_path: Path) -> None:
    """A known text costs no call, in this process or the next."""
    with server(_embedded) as (address, bodies):

        async def twice() -> tuple[Any, Any]:
            endpoint = EmbeddingEndpoint(base_url=address, api_key="k", model="m")
            async with endpoint:
                first = await remembering(endpoint, VectorFile(tmp_path / "v.bin"))(["a", "bbb", "a"])
                again = await remembering(endpoint, VectorFile(tmp_path / "v.bin"))(["bbb"])
            return first, again

        first, again = asyncio.run(twice())

    assert first.tolist() == [[1.0, 1.0], [3.0, 1.0], [1.0, 1.0]]
    assert again.tolist() == [[3.0, 1.0]]
    assert [body["input"] for body in bodies] == [["a", "bbb"]]


def test_an_endpoint_without_embeddings_is_an_error_that_says_what_to_check() -> None:
    """A wrong model or key is not retried for ever."""
    with server(lambda _body: (404, {"error": {"message": "no such model"}})) as (address, _):

        async def ask() -> None:
            async with EmbeddingEndpoint(base_url=address, api_key="k", model="m") as endpoint:
                await endpoint.embed(["a"])

        with pytest.raises(EmbeddingError, match="NIGHTCHECK_EMBEDDINGS_BASE_URL"):
            asyncio.run(ask())


def test_a_vector_that_was_cut_off_is_not_known(tmp_path: Path) -> None:
    """Whatever a crash leaves at the end is cut; what was whole stays, and more can be written after it."""
    path = tmp_path / "v.bin"
    VectorFile(path).write({"a": np.array([1, 2], np.float32), "b": np.array([3, 4], np.float32)})
    path.write_bytes(path.read_bytes()[:-3])

    found = VectorFile(path).read(["a", "b"])
    VectorFile(path).write({"c": np.array([5], np.float32)})

    assert {key: vector.tolist() for key, vector in found.items()} == {"a": [1.0, 2.0]}
    assert set(VectorFile(path).read(["a", "b", "c"])) == {"a", "c"}


def _search(address: str, k: int = 2) -> Sequence[Any]:
    async def ask() -> Sequence[Any]:
        async with SearchEndpoint(address) as endpoint:
            service = OwnService(endpoint, address, "help.example.com")
            return await service.search(Query(text="plan", keywords=Keywords(low_level=("Team",))), k)

    return asyncio.run(ask())


def test_the_users_own_retriever_is_told_the_tenant_and_answers_in_rank_order() -> None:
    """A passage that comes twice counts once, what comes past k not at all."""
    passages = [
        {"passage_id": "a", "text": "A", "score": 2.0, "title": "T", "kind": "graph", "more": 1},
        {"passage_id": "a", "text": "A"},
        {"passage_id": "b", "text": "B"},
        {"passage_id": "c", "text": "C"},
    ]

    with server(lambda _body: (200, {"passages": passages})) as (address, bodies):
        found = _search(address)

    assert [(each.passage_id, each.kind, each.title) for each in found] == [("a", "graph", "T"), ("b", "document", "")]
    assert bodies == [
        {
            "tenant": "help.example.com",
            "query": "plan",
            "k": 2,
            "keywords": {"high_level": [], "low_level": ["Team"]},
        }
    ]


@pytest.mark.parametrize(("status", "content"), [(500, {}), (200, b"not json"), (200, {"passages": [{"text": "x"}]})])
def test_a_retriever_that_answers_otherwise_is_an_error(status: int, content: Any) -> None:
    """It fails the item, and says what is expected."""
    with server(lambda _body: (status, content)) as (address, _), pytest.raises(SearchError, match="It must answer"):
        _search(address)


def _complete(address: str) -> Any:
    turn = item(message="And the second?", said=("Which plans?", "Team and Company."))

    async def ask() -> Any:
        endpoint = ChatEndpoint(base_url=address, api_key="k", timeout=5)
        async with endpoint:
            prompt = Prompt(purpose="rewrite", instructions="Rewrite.", item=turn)
            return await ChatModel("small", endpoint).complete(prompt)

    return asyncio.run(ask())


def test_a_model_is_shown_the_conversation_as_data_and_its_cost_is_noted() -> None:
    """Tokens are the endpoint's, the time is measured."""
    reply = {
        "choices": [{"message": {"content": "price of Company"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 40, "completion_tokens": 4},
        "model": "small-1",
    }

    with server(lambda _body: (200, reply)) as (address, bodies):
        completion = _complete(address)

    assert (completion.text, completion.prompt_tokens, completion.completion_tokens) == ("price of Company", 40, 4)
    assert completion.latency_ms > 0
    (body,) = bodies
    assert body["messages"][0] == {"role": "system", "content": "Rewrite."}
    assert "assistant: Team and Company.\nvisitor's last message: And the second?" in body["messages"][1]["content"]


def test_a_model_that_is_cut_off_gives_no_answer() -> None:
    """Half a rewrite is none."""
    reply = {"choices": [{"message": {"content": "price of"}, "finish_reason": "length"}], "usage": {}, "model": "s"}

    with server(lambda _body: (200, reply)) as (address, _), pytest.raises(NoAnswerError, match="truncated"):
        _complete(address)


def test_a_recorded_name_is_replayed_and_any_other_is_a_model() -> None:
    """Several recorded names with commas between are one model with several lines."""
    choose, _ = model_chooser([item(recorded={"one": "x", "two": "y"})], {})

    assert isinstance(choose("one,two"), Recorded)
    assert isinstance(choose("one,three"), ChatModel)
    assert len(messages(Prompt(purpose="p", instructions="i", item=item()))) == 2
