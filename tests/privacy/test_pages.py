"""What pages of assets have shown of a visitor is blanked, and nothing else is."""

import json

import pytest

from pipelines.privacy.erasure import Probe
from pipelines.privacy.pages import ERASED, without

ROWS = [
    {"retrieval_id": "r-7", "message": "mine", "place": 1},
    {"retrieval_id": "r-71", "message": "other", "place": 2},
]


def _page(*rows: dict[str, object], markdown: str = "### tenant") -> str:
    records = [{"__class__": "TableRecord", "data": row} for row in rows]
    table = {"__class__": "TableMetadataEntryData", "records": records}
    return json.dumps(
        {"entries": [table, {"__class__": "MarkdownMetadataEntryData", "md_str": markdown}], "run": "r-7x"}
    )


def _probe(text: str, *, is_id: bool = True) -> Probe:
    return Probe(pattern=text.encode(), is_id=is_id)


def test_a_row_is_found_by_its_id_and_takes_the_markdown_with_it() -> None:
    """A short id is looked for as a whole: another that begins alike stays."""
    blanked = without(_page(*ROWS, markdown="mine, in words"), [_probe("r-7")])

    assert blanked is not None
    table, markdown = json.loads(blanked)["entries"]
    assert [each["data"] for each in table["records"]] == [
        {"retrieval_id": ERASED, "message": ERASED, "place": 1},
        ROWS[1],
    ]
    assert markdown["md_str"] == ERASED
    assert json.loads(blanked)["run"] == "r-7x"


@pytest.mark.parametrize("markdown", ["it\\'s the lantern\\!", "it's the lantern!"])
def test_words_are_found_in_markdown_escaped_or_not(markdown: str) -> None:
    """Markdown puts a backslash before every sign; the words are the same."""
    blanked = without(_page(markdown=markdown), [_probe("it's the lantern!", is_id=False)])

    assert blanked is not None
    assert "lantern" not in blanked


def test_a_page_that_says_nothing_of_the_visitor_stays_as_it_is() -> None:
    """None: there is nothing to write."""
    assert without(_page(*ROWS), [_probe("r-8"), _probe("somebody-else")]) is None
