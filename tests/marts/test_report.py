"""The report's page and the Markdown for reading: complete, self-contained, and proof against strangers' text."""

import re
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.marts.markdown import INLINE, brief, literal, reading
from pipelines.marts.report import OUTCOMES, Conditions, Report, page
from pipelines.marts.trend import DefinitionChange, NightRate, Trend
from pipelines.marts.visible import visible

DAY = date(2026, 3, 2)
EVIL = "</td><script>alert(1)</script><img src=x onerror=alert(1)> ![p](http://evil.example/p.png) | [l](x) `c` \"'&"
CONDITIONS = Conditions(
    judge="openai",
    model="m-2026-01-01",
    rubric_version="r1",
    frame_size=50,
    sample_size=20,
    cap=40,
    seed="s",
    published=True,
)


def rate(measure: str, *, tenant: str = "*", value: float | None = 0.25) -> dict[str, Any]:
    """Return a row of the relevance mart."""
    interval = {"low": None, "high": None} if value is None else {"low": value / 2, "high": value * 2}
    return {
        "tenant": tenant, "slice": "all", "value": "all", "measure": measure, "rate": value, "passages": 80, "retrievals": 20,
        "coverage": 0.9, "best": 0.2, "worst": 0.3, "pending": 4 if value is None else 0,
    } | interval  # fmt: skip


def worst(text: str) -> dict[str, Any]:
    """Return a row of the worst retrievals that holds this text wherever strangers can put theirs."""
    passage = {
        "passage_id": text,
        "kind": "document",
        "title": text,
        "text": f"x{text}",
        "query_grade": 0,
        "need_grade": 0,
    }
    return {
        "tenant": "acme.example", "place": 1, "irrelevant": 1, "judged": 1, "fault": "retriever", "message": text,
        "searched_query": text, "resolution": "as_typed", "retrieval_id": text, "conversation_id": text,
        "passages": [passage | {"evidence": text}],
    }  # fmt: skip


def report_of(text: str = "words", *, value: float | None = 0.25, alerts: tuple[str, ...] = ()) -> Report:
    """Return a report with one tenant, one worst retrieval, and a change of judge."""
    nights = (NightRate(day=date(2026, 3, 1), rate=0.2, low=0.1, high=0.3, passages=9, coverage=1), NightRate(day=DAY))
    changes = (DefinitionChange(day=DAY, what="judge", before="lexical", after="openai"),)
    empty = pl.DataFrame(schema=dict.fromkeys(("tenant", "turn", "language", "reason"), pl.String))
    measures = ("irrelevant_need", "irrelevant_query")
    faults = [rate("") | {"fault": each} for each in ("ok", "query", "retriever", "lucky")]
    outcomes = [
        rate("", value=each) | {"outcome": name, "turn": "all", "language": "*", "answers": 12}
        for name, each in zip(OUTCOMES, (0.1, 0.2, 0.3, 0.4), strict=True)
    ]
    return Report(
        day=DAY,
        environment="production",
        conditions=CONDITIONS,
        trends=(Trend(tenant="*", nights=nights, changes=changes), Trend(tenant="acme.example", nights=nights)),
        windows=pl.DataFrame(
            [{"nights": each, "held": min(each, 14)} | rate("irrelevant_need", value=value) for each in (1, 7, 28)]
        ),
        relevance=pl.DataFrame([rate(measure, value=value) for measure in measures]),
        faults=pl.DataFrame(faults),
        worst=pl.DataFrame([worst(text)]),
        gate=empty,
        disclaims=empty,
        outcomes=pl.DataFrame(outcomes),
        costs=pl.DataFrame(
            [
                {
                    "status": "judged",
                    "retrievals": 20,
                    "calls": 21,
                    "prompt_tokens": 9000,
                    "cached_tokens": 0,
                    "completion_tokens": 7,
                }
            ]
        ),
        alerts=alerts,
    )


class Elements(HTMLParser):
    """Collects the elements of a page with their attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    """Return every element of a page."""
    parser = Elements()
    parser.feed(html)
    return parser.found


def test_the_page_says_the_rate_its_interval_coverage_and_cost() -> None:
    """What one wants to know first stands first."""
    html = page(report_of())

    assert "25.0% of the retrieved passages were irrelevant" in html
    assert "95 % interval 12.5% to 50.0%, from 80 judged passages" in html
    assert "90.0% of the sampled passages have a grade" in html
    assert "No alert stands on this night." in html
    assert "openai (m-2026-01-01, rubric r1)" in html
    assert "9,000" in html
    assert "Definition changed on 2026-03-02: judge openai, before lexical" in html


def test_the_headline_names_its_judge() -> None:
    """A model with its rubric; of the judge that compares words, what it cannot know, and that it names no evidence."""
    model = page(report_of())
    words = page(replace(report_of(), conditions=replace(CONDITIONS, judge="lexical", model="word-overlap")))

    (by_model,), (by_words,) = (re.findall(r'<p class="headline">.*?</p>', each) for each in (model, words))
    assert by_model.endswith("irrelevant <small>by openai (m-2026-01-01, rubric r1)</small></p>")
    assert by_words.endswith("irrelevant <small>by the lexical judge</small></p>")
    assert "this measures them, not relevance" in words
    assert "this measures them, not relevance" not in model
    assert ("names no evidence" in words, ">evidence</th>" in words) == (True, False)
    assert ("names no evidence" in model, ">evidence</th>" in model) == (False, True)


def test_a_window_that_is_not_full_says_so() -> None:
    """Of 28 nights fourteen were run; of 7 all."""
    heads = re.findall(r"<th[^>]*>([^<]+)</th>", page(report_of()).split("<h2>Tenants</h2>")[1])

    assert heads[:4] == ["tenant", "this night", "7 nights", "14 of 28 nights"]


def test_a_night_without_calls_says_that_it_cost_nothing() -> None:
    """Else what it took, and what it has cost."""
    known = report_of()
    offline = known.costs.with_columns(calls=0, prompt_tokens=0, completion_tokens=0)

    assert "20 of 50 retrievals drawn (at most 40 a tenant)" in page(known)
    assert "21 calls, 9,000 tokens in (0 of them cached), 7 tokens out, no cost" in page(known)
    assert "7 tokens out, cost 1.2500 by the price table" in page(replace(known, cost=1.25))
    assert "no calls, no cost" in page(replace(known, costs=offline))


def test_the_page_says_which_half_broke_and_what_answers_made_of_it() -> None:
    """Four faults of a passage and four outcomes of an answer, each as a share with its interval."""
    html = page(report_of())

    assert "<h2>Which half broke</h2>" in html
    assert re.findall(r"<th class=.n.>([^<]+)</th>", html.split("Which half broke</h2>")[1])[:4] == [
        "ok",
        "query broke",
        "retriever broke",
        "lucky",
    ]
    assert "answered with nothing useful" in html
    assert "40.0%<br><small>[20.0%, 80.0%]" in html


def test_an_incomplete_night_has_bounds_and_no_rate() -> None:
    """A missing verdict is never a zero."""
    html = page(report_of(value=None))

    assert "The night is not complete." in html
    assert "4 drawn passages still lack a verdict" in html
    assert "between 20.0% and 30.0%" in html
    assert "None" not in html


def test_a_day_without_anything_to_judge_is_said_to_be_one() -> None:
    """An empty day has a report."""
    nothing = report_of()
    without = {"relevance", "faults", "outcomes", "trends", "windows", "worst", "costs"}
    empty = Report(
        **{name: getattr(nothing, name) for name in Report.__slots__ if name not in without},
        faults=nothing.faults.clear(), outcomes=nothing.outcomes.clear(),
        relevance=nothing.relevance.clear(), trends=(), windows=nothing.windows.clear(), worst=nothing.worst.clear(),
        costs=nothing.costs.clear(),
    )  # fmt: skip

    assert "Nothing to judge" in page(empty)


def test_the_page_loads_nothing_and_runs_nothing() -> None:
    """One file is enough, and opening it tells no one."""
    names = {"script", "link", "img", "iframe", "object", "embed", "form", "a", "base"}

    found = elements(page(report_of()))

    assert not names & {tag for tag, _ in found}
    assert not {"src", "href", "onload", "onerror"} & {name for _, attributes in found for name in attributes}


def test_strangers_text_is_text() -> None:
    """The elements of the page are the same whatever visitors typed, passages say and alerts quote."""
    plain, evil = page(report_of("words", alerts=("words",))), page(report_of(EVIL, alerts=(EVIL,)))

    assert [tag for tag, _ in elements(evil)] == [tag for tag, _ in elements(plain)]
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in evil


@pytest.mark.property
@given(st.text())
def test_no_punctuation_of_literal_text_is_markup(text: str) -> None:
    """Every ASCII punctuation mark stands behind a backslash, which makes it literal in Markdown."""
    shown = literal(text)

    assert re.sub(r"\\[!-/:-@\[-`{-~]", "", shown) == re.sub(r"[!-/:-@\[-`{-~]", "", visible(" ".join(text.split())))
    assert "\n" not in shown


def test_the_markdown_for_reading_keeps_its_table_whole() -> None:
    """A bar, a line break or a link in a passage ends no cell and loads nothing."""
    lines = reading([worst(f"a | b\nc {EVIL}")]).splitlines()

    (row,) = [line for line in lines if line.startswith("| 0")]
    assert len(re.findall(r"(?<!\\)\|", row)) == 4
    assert "**evidence** a \\| b c" in row
    assert "![p]" not in row
    assert "http://" not in row


@pytest.mark.parametrize(("passages", "length"), [(1, 10), (5, 900), (40, 900), (300, 20_000)])
def test_a_brief_reading_always_fits_where_it_is_shown(passages: int, length: int) -> None:
    """With its query and as many passages as there is room for, their grades and evidence, none of it markup."""
    row = worst(EVIL)
    row["passages"] = row["passages"] * passages
    row["passages"] = [each | {"text": "*" * length} for each in row["passages"]]

    text = brief(row)

    assert len(text) <= INLINE
    assert "**searched** \\<\\/td\\>" in text
    assert text.splitlines()[-1].startswith("| 0 | 0 | document: ")
    assert re.search(r"(?<!\\)<", text) is None


def test_what_turns_a_line_round_is_shown_in_markdown() -> None:
    """A page in a browser follows marks of direction as a terminal does."""
    assert literal("a\u202eb\x1b\x00") == "a\ufffdb\ufffd\ufffd"
