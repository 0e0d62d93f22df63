"""Who takes part in the demonstration. The host names are reserved ones that no one can own."""

from dataclasses import dataclass

from pipelines.demo.english import ENGLISH
from pipelines.demo.french import FRENCH
from pipelines.demo.italian import ITALIAN
from pipelines.demo.spanish import SPANISH
from pipelines.demo.topics import Talk

#: the eleventh day, counted from 0
RISE_DAY = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoTenant:
    """One application whose traffic is made up, and how often its retriever misses."""

    host: str
    talk: Talk
    #: hours that its clients' clocks are ahead of UTC
    offset_hours: int
    #: share of passages about another subject
    missed_documents: float
    missed_snippets: float
    #: the same for documents from `rises_on` (a day counted from 0) to the end
    rises_on: int | None = None
    missed_after: float = 0.6


TENANTS = (
    DemoTenant(
        host="help.north.example",
        talk=ENGLISH,
        offset_hours=0,
        missed_documents=0.22,
        missed_snippets=0.14,
        rises_on=RISE_DAY,
    ),
    DemoTenant(host="aide.rivage.example", talk=FRENCH, offset_hours=1, missed_documents=0.2, missed_snippets=0.13),
    DemoTenant(host="ayuda.vivero.example", talk=SPANISH, offset_hours=1, missed_documents=0.18, missed_snippets=0.12),
    DemoTenant(host="docs.harbour.example", talk=ITALIAN, offset_hours=1, missed_documents=0.24, missed_snippets=0.15),
)
