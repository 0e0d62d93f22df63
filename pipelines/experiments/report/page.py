"""A report as one HTML page that needs nothing else: no script, no network, pictures inside."""

from collections.abc import Mapping
from html import escape

from pipelines.experiments.confirmation import Confirmation
from pipelines.experiments.reading import Reading
from pipelines.experiments.report.pictures import pictures
from pipelines.experiments.report.tables import Table, headline, tables
from pipelines.experiments.wording import notes

#: the page asks nobody for anything
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1d2330; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: .5rem 0; font-size: 13px; }
th, td { border-bottom: 1px solid #d9dde5; padding: .25rem .6rem; text-align: left; vertical-align: top; }
th { background: #f4f6fa; }
td { font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
.note { color: #5b6472; font-size: 13px; }
svg { max-width: 100%; height: auto; }
"""


def as_page(reading: Reading, confirmed: Mapping[str, Confirmation]) -> str:
    """Return the page."""
    title = f"Experiment on {reading.stored.run.dataset}"
    main, *others = tables(reading, confirmed)
    body = [f"<h1>{escape(title)}</h1>", *(f"<p>{escape(line)}</p>" for line in headline(reading)), _table(main)]
    body += [f"<h2>{escape(each.title)}</h2><div class=wide>{each.svg}</div>" for each in pictures(reading)]
    body += [_table(each) for each in others]
    listed = "".join(f"<li>{escape(note)}</li>" for note in notes(reading))
    body.append(f"<h2>How to read it</h2><ul>{listed}</ul>")
    head = (
        f"<meta charset=utf-8><title>{escape(title)}</title>"
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<style>{_STYLE}</style>"
    )
    return f"<!doctype html><html lang=en><head>{head}</head><body>{''.join(body)}</body></html>\n"


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in table.rows)
    note = f"<p class=note>{escape(table.note)}</p>" if table.note else ""
    return (
        f"<h2>{escape(table.title)}</h2><div class=wide><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>{note}"
    )
