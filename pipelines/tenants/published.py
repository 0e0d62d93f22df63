"""The configurations as applications read them at run time: one small file, replaced as a whole."""

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from pipelines.errors import NightcheckError
from pipelines.tenants.configuration import TenantConfiguration

FILE = "tenants.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Published:
    tenants: list[TenantConfiguration]


def encode(configurations: Iterable[TenantConfiguration]) -> bytes:
    """Return the file's content; equal configurations give equal bytes."""
    ordered = sorted(configurations, key=lambda each: each.tenant)
    return msgspec.json.format(msgspec.json.encode(_Published(tenants=ordered), order="sorted")) + b"\n"


def decode(content: bytes) -> dict[str, TenantConfiguration]:
    """Return the configurations by tenant; raises `NightcheckError` for a file that is none of ours."""
    try:
        return {each.tenant: each for each in msgspec.json.decode(content, type=_Published).tenants}
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise NightcheckError(FILE, str(error), "It is written anew by nightcheck tenants set") from error
