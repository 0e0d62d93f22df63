"""Two people can't overwrite each other, and a canary is the same conversations everywhere."""

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.errors import NightcheckError, UsageError
from pipelines.io.warehouse import Warehouse
from pipelines.tenants import GateMode, GateSwitch, StaleConfigurationError, gate_for, read_gate
from pipelines.tenants.run import everyone, get, publish, put, read_published

AT = datetime(2026, 11, 30, 6, 0, tzinfo=UTC)
TENANT = "help.example.com"


@pytest.fixture
def warehouse(tmp_path: Path) -> Warehouse:
    """Return an empty warehouse."""
    return Warehouse(tmp_path / "warehouse.duckdb")


def _set(warehouse: Warehouse, gate: str, based_on: int, tenant: str = TENANT) -> int:
    return put(warehouse, tenant, read_gate(gate), based_on=based_on, at=AT, by="someone").version


def test_a_tenant_for_whom_nothing_was_set_has_its_gate_off(warehouse: Warehouse) -> None:
    """Version 0 is what a first change is based on."""
    assert get(warehouse, TENANT).version == 0
    assert get(warehouse, TENANT).gate == GateSwitch(mode=GateMode.OFF)


def test_each_change_is_the_next_version(warehouse: Warehouse) -> None:
    """The newest is in force, for this tenant alone."""
    assert _set(warehouse, "shadow", 0) == 1
    assert _set(warehouse, "25%", 1) == 2

    found = get(warehouse, TENANT)
    assert (found.version, str(found.gate), found.changed_by, found.changed_at) == (2, "25%", "someone", AT)
    assert get(warehouse, "other.example.com").version == 0
    assert [each.tenant for each in everyone(warehouse)] == [TENANT]


@pytest.mark.parametrize("based_on", [0, 2, 7])
def test_a_change_based_on_another_version_fails_and_changes_nothing(warehouse: Warehouse, based_on: int) -> None:
    """The one who comes second learns which version is in force."""
    _set(warehouse, "shadow", 0)

    with pytest.raises(StaleConfigurationError, match=f"based on version {based_on}, and version 1 is in force"):
        _set(warehouse, "on", based_on)

    assert str(get(warehouse, TENANT).gate) == "shadow"


def test_a_tenant_is_an_exact_name(warehouse: Warehouse) -> None:
    """Spellings of one host are one tenant; a subdomain is another; what is no host name is refused."""
    _set(warehouse, "on", 0, "HELP.example.com")

    assert get(warehouse, TENANT).version == 1
    assert get(warehouse, "example.com").version == 0
    with pytest.raises(UsageError, match="exact host name"):
        get(warehouse, "https://help.example.com")


def test_applications_read_the_published_file(warehouse: Warehouse, tmp_path: Path) -> None:
    """The file says what the warehouse says, without opening it; where there is none, nothing is set."""
    assert read_published(tmp_path / "published") == {}
    _set(warehouse, "12.5%", 0)

    publish(warehouse, tmp_path / "published")

    assert read_published(tmp_path / "published") == {TENANT: get(warehouse, TENANT)}
    (tmp_path / "published" / "tenants.json").write_text("{}")
    with pytest.raises(NightcheckError, match=r"tenants\.json"):
        read_published(tmp_path / "published")


@pytest.mark.parametrize("text", ["", "ON", "percent", "25", "101%", "-1%", "nan%", "%", "1e3%"])
def test_what_is_no_position_of_the_switch_is_refused(text: str) -> None:
    """A share needs its sign, and lies between 0 and 100."""
    with pytest.raises(UsageError, match="no position of the switch"):
        read_gate(text)


@pytest.mark.property
@given(st.text(max_size=20), st.floats(0, 100), st.floats(0, 100))
def test_a_larger_share_only_adds_conversations(conversation: str, one: float, other: float) -> None:
    """Who was in the canary stays in it when it grows."""
    small, large = (GateSwitch(mode=GateMode.PERCENT, percent=share) for share in sorted((one, other)))

    if gate_for(small, TENANT, conversation) is GateMode.ON:
        assert gate_for(large, TENANT, conversation) is GateMode.ON


def test_a_share_is_about_that_share_and_the_others_are_recorded() -> None:
    """A quarter of many conversations is obeyed, the rest shadowed; 0 % is nobody and 100 % everybody."""
    names = [f"c-{number}" for number in range(4_000)]

    def obeyed(percent: float) -> int:
        switch = GateSwitch(mode=GateMode.PERCENT, percent=percent)
        modes = [gate_for(switch, TENANT, name) for name in names]
        assert set(modes) <= {GateMode.ON, GateMode.SHADOW}
        return modes.count(GateMode.ON)

    assert obeyed(0) == 0
    assert obeyed(100) == len(names)
    assert 880 < obeyed(25) < 1_120


@pytest.mark.golden
def test_the_place_of_a_conversation_never_changes() -> None:
    """Fixed values: another hash would move conversations in and out of running canaries."""
    switch = GateSwitch(mode=GateMode.PERCENT, percent=50)

    modes = [gate_for(switch, TENANT, f"c-{number}").value for number in range(8)]

    assert modes == ["on", "shadow"] * 4
