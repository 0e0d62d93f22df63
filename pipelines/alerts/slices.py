"""What is watched: overlapping slices of the traffic, each a union of leaves.

A leaf is a stratum of the sample: tenant x kind x position. Every leaf belongs to slices of its tenant and to the same
slices of the fleet: its kind or all kinds, by its position, by *as typed* (first and later as typed), by *later* (later
as typed and combined), or all positions. A retrieval whose passages are of several kinds is `mixed`: as a whole it is
among all kinds, and its document passages alone, a leaf `mixed:document`, among documents. So no slice sees it twice.
"""

from dataclasses import dataclass
from functools import lru_cache

ANY = "*"
MIXED = "mixed"

_CELLS = {
    "first": ("first", "as_typed", ANY),
    "later_as_typed": ("later_as_typed", "as_typed", "later", ANY),
    "combined": ("combined", "later", ANY),
}


@dataclass(frozen=True, slots=True, order=True)
class Leaf:
    """A stratum: what has a baseline of its own, so that a shift of traffic between strata moves no chart."""

    tenant: str
    kind: str
    position: str


@dataclass(frozen=True, slots=True, order=True)
class Slice:
    """A union of leaves; `*` stands for all."""

    tenant: str
    kind: str
    cell: str

    @property
    def share_of(self) -> str:
        """Return the group that it shares its weight with: fleet, tenant_kind or rest."""
        if self.tenant == ANY:
            return "fleet"
        return "tenant_kind" if self.kind != ANY and self.cell == ANY else "rest"

    def holds(self, leaf: Leaf) -> bool:
        """Whether the leaf is part of it."""
        return self in slices_of(leaf)

    def within(self, other: "Slice") -> bool:
        """Whether every leaf of this slice is part of the other one too."""
        of_cell = {position for position, cells in _CELLS.items() if self.cell in cells}
        in_cell = {position for position, cells in _CELLS.items() if other.cell in cells}
        return (
            other.tenant in (ANY, self.tenant)
            and other.kind in (ANY, self.kind)
            and (other.cell == ANY or (self.cell != ANY and of_cell <= in_cell))
        )

    def __str__(self) -> str:
        """Say it in words."""
        tenant = "all tenants" if self.tenant == ANY else self.tenant
        kind = "all kinds" if self.kind == ANY else self.kind
        cell = "all turns" if self.cell == ANY else self.cell.replace("_", " ")
        return f"{tenant}, {kind}, {cell}"


def _kinds(kind: str) -> tuple[str, ...]:
    """Return the kinds of slices that a leaf of this kind is part of."""
    if kind == MIXED:
        return (ANY,)
    if kind.startswith(f"{MIXED}:"):
        return (kind.removeprefix(f"{MIXED}:"),)
    return (ANY, kind)


@lru_cache(maxsize=100_000)
def slices_of(leaf: Leaf) -> tuple[Slice, ...]:
    """Return every slice that the leaf is part of."""
    return tuple(
        Slice(tenant, kind, cell)
        for tenant in (ANY, leaf.tenant)
        for kind in _kinds(leaf.kind)
        for cell in _CELLS.get(leaf.position, (ANY,))
    )
