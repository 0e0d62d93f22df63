"""Configurations of tenants in the warehouse, and the file that applications read them from."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from pipelines.io.files_whole import read_whole, write_whole
from pipelines.io.warehouse import Connection, NoWarehouseError, Warehouse
from pipelines.tenants import published
from pipelines.tenants.configuration import GateMode, GateSwitch, StaleConfigurationError, TenantConfiguration
from pipelines.tenants.name import exact
from schemas import sql


def get(warehouse: Warehouse, tenant: str) -> TenantConfiguration:
    """Return what is in force for a tenant: the newest version, or version 0 where nothing was ever set."""
    name = exact(tenant)
    return next(iter(_current(warehouse, name)), TenantConfiguration(tenant=name))


def everyone(warehouse: Warehouse) -> tuple[TenantConfiguration, ...]:
    """Return what is in force for every tenant for whom something was set."""
    return _current(warehouse, None)


def put(
    warehouse: Warehouse, tenant: str, gate: GateSwitch, *, based_on: int, at: datetime, by: str
) -> TenantConfiguration:
    """Store the next version of a tenant's configuration and return it.

    Raises `StaleConfigurationError` where another version than `based_on` is in force; then nothing is changed.
    """
    wanted = TenantConfiguration(tenant=exact(tenant), gate=gate, changed_at=at, changed_by=by)
    parameters = {
        "tenant": wanted.tenant,
        "based_on": based_on,
        "gate": gate.mode.value,
        "gate_percent": gate.percent,
        "changed_at": at,
        "changed_by": by,
    }
    with warehouse.write() as connection:
        row = connection.execute(sql.load("tenants/put.sql"), parameters).fetchone()
        if row is None:
            in_force = _rows(connection, wanted.tenant)
            raise StaleConfigurationError(wanted.tenant, based_on, in_force[0].version if in_force else 0)
    return replace(wanted, version=row[0])


def publish(warehouse: Warehouse, folder: Path) -> Path:
    """Write all configurations to the file that applications read, in one step, and return its path."""
    write_whole(folder / published.FILE, published.encode(everyone(warehouse)))
    return folder / published.FILE


def read_published(folder: Path) -> dict[str, TenantConfiguration]:
    """Return the configurations as an application reads them, by tenant; none where none was ever published.

    The warehouse is not opened. A tenant that is not there has version 0: its gate is off.
    """
    content = read_whole(folder / published.FILE)
    return {} if content is None else published.decode(content)


def _current(warehouse: Warehouse, tenant: str | None) -> tuple[TenantConfiguration, ...]:
    try:
        with warehouse.read() as connection:
            return _rows(connection, tenant)
    except NoWarehouseError:
        return ()


def _rows(connection: Connection, tenant: str | None) -> tuple[TenantConfiguration, ...]:
    rows = connection.execute(sql.load("tenants/current.sql"), {"tenant": tenant}).fetchall()
    return tuple(
        TenantConfiguration(
            tenant=name,
            version=version,
            gate=GateSwitch(mode=GateMode(gate), percent=percent),
            changed_at=changed_at,
            changed_by=changed_by,
        )
        for name, version, gate, percent, changed_at, changed_by in rows
    )
