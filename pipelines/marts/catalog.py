"""Which marts there are and what each is made from, read off the SQL itself; pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter

from pipelines.errors import UsageError
from pipelines.nearest import meant
from schemas import sql

MARTS: tuple[str, ...] = sql.names("marts")
_TABLE = re.compile(r"\b(?:from|join)\s+((?:marts|canonical|night|ingest|alerts|privacy)\.[a-z_]+)", re.IGNORECASE)
_COMMENT = re.compile(r"--[^\n]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A query that returns the rows which must not be there."""

    mart: str
    name: str
    query: str
    description: str


def known(mart: str) -> str:
    """Return the name of a mart, or raise `UsageError` with those there are. The door for names from outside."""
    if mart not in MARTS:
        raise UsageError(
            f"mart {mart!r}", "there is none of that name", f"{meant(mart, MARTS)}There are: {', '.join(MARTS)}"
        )
    return mart


@cache
def sources(mart: str) -> frozenset[str]:
    """Return the schema-qualified tables that a mart's query reads."""
    return tables_in(sql.load(f"marts/{known(mart)}/query.sql"))


def tables_in(query: str) -> frozenset[str]:
    """Return the schema-qualified tables that a query of ours reads."""
    return frozenset(name.lower() for name in _TABLE.findall(_COMMENT.sub("", query)))


@cache
def in_order() -> tuple[str, ...]:
    """Return all marts, each after those that it is made from."""
    graph: Mapping[str, set[str]] = {
        mart: {source.removeprefix("marts.") for source in sources(mart) if source.startswith("marts.")}
        for mart in MARTS
    }
    return tuple(TopologicalSorter({mart: sorted(graph[mart]) for mart in MARTS}).static_order())


@cache
def checks(mart: str) -> tuple[Check, ...]:
    """Return the checks of a mart, by name. The comment at the head of each file is its description."""
    prefix = f"marts/{known(mart)}/checks/"
    found = []
    for path in sql.files(prefix):
        query = sql.load(path)
        comment = " ".join(line.removeprefix("--").strip() for line in query.splitlines() if line.startswith("--"))
        found.append(
            Check(mart=mart, name=path.removeprefix(prefix).removesuffix(".sql"), query=query, description=comment)
        )
    return tuple(found)
