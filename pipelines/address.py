"""Which addresses of HTTP services can be meant; pure."""

from collections.abc import Mapping
from ipaddress import IPv6Address
from urllib.parse import urlsplit

from pipelines.errors import UsageError


def checked_address(name: str, url: str) -> str:
    """Return the address that a setting holds. The error does not repeat it: an address may hold a secret.

    Raises:
        UsageError: no client can call it, since its scheme, its host or its port is none.
    """
    if not _can_be_called(url):
        raise UsageError(name, "it holds no address", "Write one such as http://127.0.0.1:8000/v1")
    return url


def checked_setting(name: str, environment: Mapping[str, str]) -> str | None:
    """Return the address that a variable holds, or None where it is not set; raises as `checked_address`."""
    url = environment.get(name)
    return checked_address(name, url) if url else None


def _can_be_called(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        if "[" in parts.netloc:
            IPv6Address(host)
        host.encode("idna").decode("idna")
    except ValueError:  # so are errors of addresses, of ports and of encodings
        return False
    named = host not in {"", "."} and " " not in host and url.isprintable()
    return named and port != 0 and parts.scheme in {"http", "https"}
