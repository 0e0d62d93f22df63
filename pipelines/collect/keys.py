"""Write keys: what a key looks like, and how one is recognised without being stored; pure.

A key is `nk_<id>_<secret>` with 256 random bits. A hash of such a secret can't be guessed back, so one round of SHA-256
is enough, and a request costs no key stretching.
"""

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from datetime import datetime

import msgspec

_KEY = re.compile(r"nk_([0-9a-f]{12})_([0-9a-f]{64})")


class StoredKey(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a key."""

    key_id: str
    tenant: str
    digest: str
    created_at: datetime
    revoked_at: datetime | None = None


def mint(tenant: str, created_at: datetime, token: Callable[[int], str]) -> tuple[str, StoredKey]:
    """Return a new key, to be shown once, and what is kept of it. `token(n)` gives n random bytes in hexadecimal."""
    key_id, secret = token(6), token(32)
    key = f"nk_{key_id}_{secret}"
    return key, StoredKey(key_id=key_id, tenant=tenant, digest=_digest(key), created_at=created_at)


def recognise(header: str | None, keys: Mapping[str, StoredKey]) -> StoredKey | None:
    """Return the key of an `Authorization` header, or None where there is none or it was revoked."""
    scheme, _, key = (header or "").partition(" ")
    match = _KEY.fullmatch(key.strip())
    if scheme.lower() != "bearer" or match is None:
        return None
    stored = keys.get(match.group(1))
    if stored is None or stored.revoked_at is not None or not hmac.compare_digest(stored.digest, _digest(key.strip())):
        return None
    return stored


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
