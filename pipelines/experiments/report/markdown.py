"""A report as Markdown."""

from collections.abc import Mapping

from pipelines.experiments.confirmation import Confirmation
from pipelines.experiments.reading import Reading
from pipelines.experiments.report.tables import Table, headline, tables
from pipelines.experiments.wording import notes


def as_markdown(reading: Reading, confirmed: Mapping[str, Confirmation]) -> str:
    """Return the report: which run, its tables, and what a reader must know."""
    parts = [f"# Experiment on {reading.stored.run.dataset}", *headline(reading)]
    for table in tables(reading, confirmed):
        parts += [f"## {table.title}", table_as_markdown(table)]
        if table.note:
            parts.append(table.note)
    parts += ["## How to read it", "\n".join(f"- {note}" for note in notes(reading))]
    return "\n\n".join(parts) + "\n"


def table_as_markdown(table: Table) -> str:
    """Return one table; figures are set to the right."""
    rule = ["---", *("---:" if _is_figure(table, column) else "---" for column in range(1, len(table.columns)))]
    lines = [table.columns, tuple(rule), *table.rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _is_figure(table: Table, column: int) -> bool:
    return all(row[column][:1] in "+-±0123456789[" for row in table.rows)
