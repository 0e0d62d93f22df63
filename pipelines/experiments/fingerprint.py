"""What code a result was made by: a digest of the sources that decided it."""

import hashlib
import importlib.util
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_LENGTH = 12


def fingerprint(names: Iterable[str], *facts: str) -> str:
    """Return a short digest of the sources of modules and whole packages, and of further facts.

    It changes when any byte of them does, a comment too: what was measured by other code is to be measured again.
    """
    digest = hashlib.sha256()
    for name in sorted(set(names)):
        digest.update(_sources(name))
    for fact in facts:
        digest.update(f"\x1e{fact}".encode())
    return digest.hexdigest()[:_LENGTH]


@cache
def _sources(name: str) -> bytes:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        msg = f"{name} is no module whose source can be read"
        raise ValueError(msg)
    origin = Path(spec.origin)
    if origin.name != "__init__.py":
        return name.encode() + origin.read_bytes()
    files = sorted(path for path in origin.parent.rglob("*") if path.suffix in {".py", ".toml", ".txt", ".md"})
    return b"".join(str(path.relative_to(origin.parent)).encode() + path.read_bytes() for path in files)
