"""How well and how fast disclaimers are found, on data that others marked.

    .venv/bin/python -m benchmarks.disclaim

Reads `../shared/data/disclaim` (its README says where the files come from). Two things to know of their labels: the
phrases of the voice assistants are marked all alike, also those that say "I did not understand" or "I can't help with
that", which are no disclaimers by our definition; and the answers carry whether the *question* was answerable, not
whether the answer disclaims. So a firing on an answerable question is a false alarm only if the answer does not say
that it does not know, and `READ_AND_FOUND_WRONG` names the ones for which that was so when all firings were read.
Intervals are Wilson's, 95 %. Speed is CPU time of one process.
"""

import json
import re
import time
from pathlib import Path
from typing import Any

import polars as pl
from scipy.stats import binomtest

from pipelines.disclaim import DISCLAIM_VERSION, detect, detect_all

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data" / "disclaim"

#: marked phrases that say something else than "I don't know", by the words that make them so; kept apart from the
#: detector's vocabulary on purpose, so that the two can disagree
SOMETHING_ELSE = re.compile(
    r"understand|understood|rephrase|didn't catch|different way"
    r"|can't help you with that"
    r"|compris|comprends|reformuler|autre façon|compétences"
    r"|entiendo|pillado|te sigo|reformula|otra manera|no puedo ayudarte"
    r"|capisco|capito|ridirlo|altra frase|non posso aiutarti"
)

#: substrings of the phrase found, on answers to answerable questions, where the answer states a fact all the same:
#: a release note or a condition that "is not mentioned" and so does not exist
READ_AND_FOUND_WRONG = ("notes do not mention", "documents do not indicate")

REPEAT = 10


def main() -> None:
    print(f"disclaim version {DISCLAIM_VERSION}\n")
    phrases, answers = show_agreement()
    _speed([row["answer"] for row in answers], "answers of 568 characters on average")
    _speed([row["answer"] for row in phrases], "phrases of 32 characters on average")


def show_agreement() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Print all that does not depend on the machine; return the phrases and the answers."""
    phrases, answers = _rows("multilingual_handed.jsonl"), _rows("mtrag_answers_handed.jsonl")
    _phrases(phrases)
    _answers(answers)
    return phrases, answers


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def _rate(hits: int, of: int) -> str:
    if of == 0:
        return "-"
    interval = binomtest(hits, of).proportion_ci(method="wilson")
    return f"{hits:4d} of {of:4d}  {hits / of:6.1%}  [{interval.low:.1%}, {interval.high:.1%}]"


def _phrases(rows: list[dict[str, Any]]) -> None:
    print("marked phrases found (disclaimed is true)")
    knows = [row for row in rows if not SOMETHING_ELSE.search(row["answer"])]
    other = [row for row in rows if SOMETHING_ELSE.search(row["answer"])]
    for name, group, wide in (
        ("say that they do not know", knows, False),
        ("say something else (aim: none)", other, False),
        ("all, as marked", rows, False),
        ("all, as marked, --wide", rows, True),
    ):
        for stated in (True, False):
            hits = sum(detect(r["answer"], r["lang"] if stated else None, wide=wide).disclaimed is True for r in group)
            print(f"  {name:32s} {'language stated' if stated else 'not stated':16s} {_rate(hits, len(group))}")
    for language in ("en", "fr", "es", "it"):
        group = [row for row in knows if row["lang"] == language]
        hits = sum(detect(row["answer"], language).disclaimed is True for row in group)
        print(f"  {'say that they do not know':32s} {language:16s} {_rate(hits, len(group))}")


def _answers(rows: list[dict[str, Any]]) -> None:
    print("\nanswers, by whether the question was answerable")
    found = [detect(row["answer"], row["lang"]) for row in rows]
    for source, name in (("mtrag_reference", "people"), ("mtrag_llm_answer:mixtral-8x7b", "model")):
        for label in ("ANSWERABLE", "PARTIAL", "UNANSWERABLE"):
            group = [
                f for r, f in zip(rows, found, strict=True) if r["src"] == source and r["answerability"] == [label]
            ]
            for outcome in (True, "partial"):
                hits = sum(one.disclaimed == outcome for one in group)
                print(f"  {name:7s} {label:13s} {outcome!s:8s} {_rate(hits, len(group))}")
    answerable = [f for r, f in zip(rows, found, strict=True) if r["answerability"] == ["ANSWERABLE"]]
    wrong = [f for f in answerable if f.phrase and any(words in f.phrase for words in READ_AND_FOUND_WRONG)]
    whole = sum(one.disclaimed is True for one in answerable)
    print(f"  all answerable, disclaimed is true          {_rate(whole, len(answerable))}")
    print(f"  all answerable, firings read and found wrong {_rate(len(wrong), len(answerable))}")


def _speed(answers: list[str], what: str) -> None:
    for language in ("en", None):
        many = pl.Series(answers * REPEAT)
        stated = pl.repeat(language, len(many), dtype=pl.String, eager=True)
        detect_all(many[:50], stated[:50])
        start = time.process_time()
        detect_all(many, stated)
        spent = time.process_time() - start
        print(f"\n{what}, language {'stated' if language else 'not stated'}: {len(many) / spent:,.0f} a second")


if __name__ == "__main__":
    main()
