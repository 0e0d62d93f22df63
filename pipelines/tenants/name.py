"""The name of a tenant: an exact host name. `a.example.com` and `b.example.com` have nothing in common."""

import re
from dataclasses import dataclass

import idna

from pipelines.errors import UsageError

_LABEL = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class InvalidTenantName:
    """Why a text is no tenant's name."""

    reason: str


def normalise(text: str) -> str | InvalidTenantName:
    """Return the exact host name in `text`, in lower case after IDNA, or why it is none. Nothing is ever shortened.

    A scheme, port, path, user, address or empty label (a trailing dot too) is a fault of the sender and not trimmed:
    two spellings that are trimmed to one tenant would be a way from one owner's data to another's.
    """
    for character, what in (
        ("/", "a scheme or path"),
        ("@", "a user"),
        (":", "a port or an address"),
        ("[", "an address"),
    ):
        if character in text:
            return InvalidTenantName(f"{text!r} has {what}; a tenant is a host name alone")
    try:
        name = idna.encode(text, uts46=True, std3_rules=True).decode("ascii") if text else ""
    except idna.IDNAError as error:
        return InvalidTenantName(f"{text!r} is no host name: {error}")
    labels = name.split(".")
    if not all(_LABEL.fullmatch(label) for label in labels) or len(name) > 253:
        return InvalidTenantName(f"{text!r} is no host name: an empty, over-long or ill-formed label")
    if labels[-1].isdigit() or re.fullmatch(r"0x[0-9a-f]*", labels[-1]):
        return InvalidTenantName(f"{text!r} is an address, not a host name")
    return name


def exact(text: str) -> str:
    """Return the host name that a person gave, or raise `UsageError`."""
    name = normalise(text)
    if isinstance(name, InvalidTenantName):
        raise UsageError(text, name.reason, "Use the exact host name")
    return name
