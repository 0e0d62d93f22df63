"""What may be set for one tenant, and what the gate's switch means for a conversation; pure.

A configuration has a version. Who changes it says which version the change is based on, and a change based on another
version than the one in force fails instead of overwriting what someone else has set meanwhile.
"""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from hashlib import blake2b

from pipelines.errors import NightcheckError, UsageError


class GateMode(StrEnum):
    """What becomes of the gate's decision. Messages of fewer than ten characters are not searched in any of them."""

    #: the gate is not asked, and the message is searched as it was typed
    OFF = "off"
    #: its decision is recorded, and the message is searched as it was typed
    SHADOW = "shadow"
    #: its decision is obeyed
    ON = "on"
    #: obeyed in a share of the conversations, recorded in the others
    PERCENT = "percent"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSwitch:
    """How far the gate is turned on; `percent` is given for the mode of that name alone."""

    mode: GateMode = GateMode.OFF
    percent: float | None = None

    def __str__(self) -> str:
        """Return the switch as `read_gate` reads it."""
        return self.mode.value if self.percent is None else f"{self.percent:g}%"


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantConfiguration:
    """The settings of one tenant. Version 0 is what holds for a tenant for whom nothing was ever set."""

    tenant: str
    version: int = 0
    gate: GateSwitch = field(default_factory=GateSwitch)
    changed_at: datetime | None = None
    changed_by: str | None = None


class StaleConfigurationError(NightcheckError):
    """Someone else changed the configuration since it was read."""

    def __init__(self, tenant: str, based_on: int, in_force: int) -> None:
        super().__init__(
            tenant,
            f"the change is based on version {based_on}, and version {in_force} is in force",
            f"Read it again (nightcheck tenants get {tenant}) and decide anew",
        )
        self.in_force = in_force


def read_gate(text: str) -> GateSwitch:
    """Read `off`, `shadow`, `on` or a percentage of conversations such as `25%`; raises `UsageError` otherwise."""
    if text in {GateMode.OFF, GateMode.SHADOW, GateMode.ON}:
        return GateSwitch(mode=GateMode(text))
    number = text.removesuffix("%")
    try:
        percent = float(number) if text.endswith("%") else -1.0
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise UsageError(
            f"gate={text}", "that is no position of the switch", "Use off, shadow, on, or a share like 25%"
        )
    return GateSwitch(mode=GateMode.PERCENT, percent=percent)


def gate_for(switch: GateSwitch, tenant: str, conversation_id: str) -> GateMode:
    """Return what the switch means for one conversation: `off`, `shadow` or `on`.

    A conversation stays where it is for as long as the share stays, in every process; a larger share only adds
    conversations. Tenants are independent of each other.
    """
    if switch.mode is not GateMode.PERCENT or switch.percent is None:
        return switch.mode
    return GateMode.ON if _place(tenant, conversation_id) < switch.percent / 100 else GateMode.SHADOW


def _place(tenant: str, conversation_id: str) -> float:
    """Return where between 0 and 1 a conversation falls."""
    name = f"gate\x00{tenant}\x00{conversation_id}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(name, digest_size=8).digest()) / 2**64
