"""The doors of an experiment: what embeddings and retrievers send is an answer or an error that says what to check."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from pipelines.errors import UsageError
from pipelines.experiments.models.run import model_chooser
from pipelines.experiments.retrievers.run import choose_retriever
from pipelines.io.embeddings import EmbeddingEndpoint, EmbeddingError
from pipelines.io.search_endpoint import SearchEndpoint, SearchError
from tests.experiments.datasets.build import dataset
from tests.experiments.test_doors import server

ODD = [
    b"not json",
    b'"text"',
    b"{}",
    b'{"data": [5]}',
    b'{"data": [{"index": "x"}]}',
    b'{"data": [{"index": 0, "embedding": ["a"]}]}',
    b'{"data": [{"index": 0, "embedding": {"a": 1}}]}',
    b'{"data":' * 100_000,
]


@pytest.mark.parametrize("body", ODD)
def test_embeddings_of_another_shape_are_an_error_that_says_what_to_check(body: bytes) -> None:
    """The client takes them for what it asked for."""

    async def ask(address: str) -> None:
        async with EmbeddingEndpoint(base_url=address, api_key="k", model="m") as endpoint:
            await endpoint.embed(["a"])

    with server(lambda _: (200, body)) as (address, _), pytest.raises(EmbeddingError):
        asyncio.run(ask(address))


@pytest.mark.parametrize("body", ODD)
def test_passages_of_another_shape_are_an_error_that_says_what_to_send(body: bytes) -> None:
    """Endless nesting too."""

    async def ask(address: str) -> None:
        async with SearchEndpoint(address) as endpoint:
            await endpoint.search({})

    with server(lambda _: (200, body)) as (address, _), pytest.raises(SearchError):
        asyncio.run(ask(address))


@pytest.mark.parametrize("url", ["http://127.0.0.1:abc/v1", "http://[::1/v1", "http://a..b/v1"])
def test_an_address_that_cannot_be_meant_is_refused(url: str, tmp_path: Path) -> None:
    """Before anything is asked."""
    environment = {"NIGHTCHECK_MODEL_BASE_URL": url, "NIGHTCHECK_EMBEDDINGS_BASE_URL": url}
    choose = partial(
        choose_retriever, folder=tmp_path, dataset=dataset(), environment=environment, cache=tmp_path / "v"
    )

    with pytest.raises(UsageError, match="NIGHTCHECK_MODEL_BASE_URL"):
        model_chooser([], environment)
    with pytest.raises(UsageError, match="NIGHTCHECK_EMBEDDINGS_BASE_URL"):
        choose("dense")
    with pytest.raises(UsageError, match="retriever"):
        choose(url)
