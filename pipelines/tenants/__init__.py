"""Who owns the data, and each owner's configuration."""

from pipelines.tenants.configuration import (
    GateMode,
    GateSwitch,
    StaleConfigurationError,
    TenantConfiguration,
    gate_for,
    read_gate,
)

__all__ = ["GateMode", "GateSwitch", "StaleConfigurationError", "TenantConfiguration", "gate_for", "read_gate"]
