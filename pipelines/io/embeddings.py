"""The door to embeddings: any endpoint that speaks OpenAI's `/embeddings`, and a file that remembers what it said."""

import fcntl
import os
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import openai

from pipelines.errors import NightcheckError

Vector = npt.NDArray[np.float32]

#: texts of one request
_BATCH = 64
_LENGTHS = struct.Struct(">II")


class EmbeddingError(NightcheckError):
    """The endpoint gave no embeddings."""

    def __init__(self, model: str, reason: str) -> None:
        super().__init__(
            f"embeddings by {model}", reason, "Check NIGHTCHECK_EMBEDDINGS_BASE_URL, the key and the model"
        )


class EmbeddingEndpoint:
    """One base URL, key and model. Use it as an async context manager, inside one event loop."""

    def __init__(self, *, base_url: str | None, api_key: str, model: str, timeout: float = 60.0) -> None:
        self.model = model
        self._client = openai.AsyncOpenAI(base_url=base_url, api_key=api_key, timeout=timeout, max_retries=2)

    async def __aenter__(self) -> "EmbeddingEndpoint":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Return one vector a text, in order; raises `EmbeddingError`."""
        vectors: list[Vector] = []
        for start in range(0, len(texts), _BATCH):
            batch = [text or " " for text in texts[start : start + _BATCH]]  # an empty text is an error there
            try:
                answer = await self._client.embeddings.create(model=self.model, input=batch, encoding_format="float")
                ordered = sorted(answer.data, key=lambda each: each.index)
                found = [np.asarray(each.embedding, dtype=np.float32) for each in ordered]
            except (openai.OpenAIError, ValueError, TypeError, AttributeError, RecursionError) as error:
                # The client takes an answer of any shape for what it asked for, so that only its use is an error.
                raise EmbeddingError(self.model, f"{type(error).__name__}: {error}") from error
            if len(found) != len(batch) or not all(each.ndim == 1 and np.isfinite(each).all() for each in found):
                raise EmbeddingError(self.model, f"it is not one vector of numbers for each of {len(batch)} texts")
            vectors += found
        return vectors


class VectorFile:
    """Vectors by key in one append-only file; a record that was cut off by a crash, and what follows it, is not known.

    A record is the length of the key and of the vector's bytes (4 bytes each, big-endian), the key, and 32-bit floats.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, Vector] | None = None

    def read(self, keys: Sequence[str]) -> dict[str, Vector]:
        """Return the vectors of those keys that are known."""
        known = self._load()
        return {key: known[key] for key in keys if key in known}

    def write(self, vectors: Mapping[str, Vector]) -> None:
        """Remember vectors; a known key keeps what it has."""
        known = self._load()
        new = {key: vector for key, vector in vectors.items() if key not in known}
        records = b"".join(_record(key, vector) for key, vector in new.items())
        with self._path.open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.write(records)
        known |= new

    def _load(self) -> dict[str, Vector]:
        if self._known is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._path.touch()
            whole, end = _records(self._path.read_bytes())
            os.truncate(self._path, end)
            self._known = whole
        return self._known


def _record(key: str, vector: Vector) -> bytes:
    name, numbers = key.encode(), np.asarray(vector, dtype=np.float32).tobytes()
    return _LENGTHS.pack(len(name), len(numbers)) + name + numbers


def _records(content: bytes) -> tuple[dict[str, Vector], int]:
    """Return the whole records and where they end."""
    found: dict[str, Vector] = {}
    at = 0
    while at + _LENGTHS.size <= len(content):
        name, numbers = _LENGTHS.unpack_from(content, at)
        start = at + _LENGTHS.size
        end = start + name + numbers
        if end > len(content):
            break
        found[content[start : start + name].decode()] = np.frombuffer(content[start + name : end], np.float32)
        at = end
    return found, at
