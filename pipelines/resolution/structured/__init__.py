"""Structured reads: what a question names exactly (a time, people) is read from tables and pinned before a search."""

from pipelines.resolution.structured.expression import Expression
from pipelines.resolution.structured.interval import Anchor, Interval
from pipelines.resolution.structured.languages import LANGUAGES
from pipelines.resolution.structured.people import Person, named_people
from pipelines.resolution.structured.pins import Hit, Pinned, Records, fill, pin
from pipelines.resolution.structured.readings import resolve
from pipelines.resolution.structured.render import render
from pipelines.resolution.structured.when import Reading, Span, parse, read

__all__ = [
    "LANGUAGES",
    "Anchor",
    "Expression",
    "Hit",
    "Interval",
    "Person",
    "Pinned",
    "Reading",
    "Records",
    "Span",
    "fill",
    "named_people",
    "parse",
    "pin",
    "read",
    "render",
    "resolve",
]
