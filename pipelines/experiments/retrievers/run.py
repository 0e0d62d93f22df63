"""Retrievers that need the world: over a dataset's passages, by an embeddings endpoint, or the user's own service."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipelines.address import checked_address, checked_setting
from pipelines.errors import UsageError
from pipelines.experiments.datasets.dataset import Dataset
from pipelines.experiments.datasets.passage import Passage
from pipelines.experiments.datasets.run import load_passages
from pipelines.experiments.retrievers.bm25 import Bm25
from pipelines.experiments.retrievers.dense import Dense, Embed, Vectors
from pipelines.experiments.retrievers.fusion import Fused
from pipelines.experiments.retrievers.query import Query, Ranked, Retriever
from pipelines.experiments.retrievers.two_channels import TwoChannels
from pipelines.io.embeddings import EmbeddingEndpoint, VectorFile
from pipelines.io.search_endpoint import SearchEndpoint

CHOICES = "bm25, dense, hybrid (both, fused), two-channels, or the http address of your own"
_OFFICIAL_MODEL = "text-embedding-3-small"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What was chosen: its identity, the retriever of each tenant, and what must be open while it works."""

    identity: str
    retriever_of: Callable[[str, int], Retriever]
    opened: tuple[AbstractAsyncContextManager[object], ...] = ()


class OwnService:
    """The user's retriever behind one address; it is told the tenant, the query, its keywords and k."""

    def __init__(self, endpoint: SearchEndpoint, url: str, tenant: str) -> None:
        self._endpoint = endpoint
        self._tenant = tenant
        self.identity = f"http {url}"

    async def search(self, query: Query, k: int) -> Sequence[Ranked]:
        """Ask the service; raises `SearchError`. What it returns past k, and a second time, is left out."""
        keywords = query.keywords
        found = await self._endpoint.search(
            {
                "tenant": self._tenant,
                "query": query.text,
                "k": k,
                "keywords": None
                if keywords is None
                else {"high_level": keywords.high_level, "low_level": keywords.low_level},
            }
        )
        unique = {each.passage_id: each for each in reversed(found)}
        kept = [each for each in found if unique.pop(each.passage_id, None) is not None]
        return tuple(
            Ranked(
                passage_id=each.passage_id,
                text=each.text,
                score=each.score,
                title=each.title or "",
                kind=each.kind,
                source_date=each.source_date,
                channel=each.channel or "passages",
            )
            for each in kept[:k]
        )


def choose_retriever(
    name: str, *, folder: Path, dataset: Dataset, environment: Mapping[str, str], cache: Path
) -> Chosen:
    """Return the retriever that a text names. `cache` is where vectors are kept. Raises `UsageError`."""
    if name.startswith(("http://", "https://")):
        endpoint = SearchEndpoint(checked_address("the retriever", name))
        return Chosen(
            identity=f"http {name}",
            retriever_of=lambda tenant, _again: OwnService(endpoint, name, tenant),
            opened=(endpoint,),
        )
    if name not in {"bm25", "dense", "hybrid", "two-channels"}:
        raise UsageError(f"retriever {name!r}", "there is none of that name", f"There are: {CHOICES}")
    tenants = sorted({item.tenant for item in dataset.items})
    passages = {tenant: tuple(load_passages(folder, dataset, tenant)) for tenant in tenants}
    if name in {"bm25", "two-channels"}:
        return _lexical(name, passages)
    return _with_vectors(name, passages, environment, cache)


def _lexical(name: str, passages: Mapping[str, Sequence[Passage]]) -> Chosen:
    found: dict[str, Retriever] = {}
    for tenant, collection in passages.items():
        text = Bm25(collection)
        found[tenant] = text if name == "bm25" else TwoChannels(text, Bm25(collection, name="keywords"))
    return Chosen(identity=_identity(name, found), retriever_of=lambda tenant, _again: found[tenant])


def _with_vectors(
    name: str, passages: Mapping[str, Sequence[Passage]], environment: Mapping[str, str], cache: Path
) -> Chosen:
    model = environment.get("NIGHTCHECK_EMBEDDINGS_MODEL", _OFFICIAL_MODEL)
    endpoint = EmbeddingEndpoint(
        base_url=checked_setting("NIGHTCHECK_EMBEDDINGS_BASE_URL", environment),
        api_key=environment.get("OPENAI_API_KEY") or "none",
        model=model,
    )
    file = VectorFile(cache)
    found: dict[tuple[str, bool], Retriever] = {}

    def retriever_of(tenant: str, again: int) -> Retriever:
        """Queries of a repetition are embedded afresh: a remembered answer would measure no noise."""
        fresh = again > 0
        if (tenant, fresh) not in found:
            query_embed = plain_embed(endpoint) if fresh else remembering(endpoint, file)
            dense = _Later(passages[tenant], remembering(endpoint, file), query_embed, model)
            found[tenant, fresh] = dense if name == "dense" else Fused([Bm25(passages[tenant]), dense])
        return found[tenant, fresh]

    identities = {tenant: retriever_of(tenant, 0) for tenant in passages}
    return Chosen(identity=_identity(name, identities), retriever_of=retriever_of, opened=(endpoint,))


class _Later:
    """A dense retriever whose passages are embedded when it is first asked, inside the event loop."""

    def __init__(self, passages: Sequence[Passage], embed: Embed, query_embed: Embed, model: str) -> None:
        self._passages = passages
        self._embed = embed
        self._query_embed = query_embed
        self._model = model
        self._dense: Dense | None = None
        self.identity = Dense.identity_of(passages, model)

    async def search(self, query: Query, k: int) -> Sequence[Ranked]:
        """Return the k nearest passages."""
        if self._dense is None:
            vectors = await Dense.vectors_of(self._passages, self._embed)
            self._dense = Dense(self._passages, vectors, embed=self._query_embed, model=self._model)
        return await self._dense.search(query, k)


def plain_embed(endpoint: EmbeddingEndpoint) -> Embed:
    """Return an embedder that asks every time."""

    async def embed(texts: Sequence[str]) -> Vectors:
        return np.stack(await endpoint.embed(texts))

    return embed


def remembering(endpoint: EmbeddingEndpoint, file: VectorFile) -> Embed:
    """Return an embedder that asks once for every text."""

    async def embed(texts: Sequence[str]) -> Vectors:
        keys = [hashlib.sha256(f"{endpoint.model}\x00{text}".encode()).hexdigest() for text in texts]
        known = file.read(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            new = dict(zip(missing, await endpoint.embed(list(missing.values())), strict=True))
            file.write(new)
            known |= new
        return np.stack([known[key] for key in keys])

    return embed


def _identity(name: str, retrievers: Mapping[str, Retriever]) -> str:
    lines = "\n".join(f"{tenant} {each.identity}" for tenant, each in sorted(retrievers.items()))
    return f"{name}, {len(retrievers)} collections {hashlib.sha256(lines.encode()).hexdigest()[:12]}"
