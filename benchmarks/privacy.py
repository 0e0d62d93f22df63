"""How well and how fast personal data is found, on texts that others marked, and what is dropped of ordinary traffic.

    .venv/bin/python -m benchmarks.privacy

Reads `../shared/data/pii` (its README says where the files come from): 1,500 sentences made from templates with
invented people, and 164 addresses with the verdict of the isemail test suite. A marked text counts as found where a
find of the kind touches it; a find counts as right where it touches a marked text of the kind. Intervals are Wilson's,
95 %, over texts; since many texts come from one template, the column of templates says how many different ones there
are. Then ordinary traffic (`mtrag`, `gate`, `retrieval`), where nothing is marked: how much of it would be dropped.
Speed is CPU time of one process.
"""

import gzip
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from email_validator import EmailNotValidError, validate_email
from scipy.stats import binomtest

from pipelines.privacy import (
    DETECTOR_VERSION,
    Cleaned,
    Kind,
    Span,
    Substitution,
    clean,
    find_personal_data,
    find_possible_names,
    ordinary_words,
)

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
MARKS = {Kind.EMAIL: "EMAIL_ADDRESS", Kind.TELEPHONE: "PHONE_NUMBER", Kind.AGE: "AGE", Kind.NAME: "PERSON"}
SURE_NAMES = frozenset({"title", "introduction", "capital"})


def main() -> None:
    sentences = _lines(DATA / "pii" / "presidio_research_synth_dataset_v2.jsonl")
    print(f"detector version {DETECTOR_VERSION}\n")
    _per_kind(sentences)
    _isemail(_lines(DATA / "pii" / "isemail_tests.jsonl"))
    _ordinary_traffic()
    _speed([row["text"] for row in sentences])


def _per_kind(sentences: list[dict[str, Any]]) -> None:
    ordinary = ordinary_words(row["text"] for row in sentences)
    finders: dict[str, tuple[Kind, Callable[[str], Iterable[Span]]]] = {
        kind.value: (kind, lambda text, kind=kind: [s for s in find_personal_data(text) if s.kind == kind])
        for kind in (Kind.EMAIL, Kind.TELEPHONE, Kind.AGE)
    }
    finders["name (to read)"] = (Kind.NAME, lambda text: find_possible_names(text, ordinary=ordinary))
    finders["name, surer"] = (
        Kind.NAME,
        lambda text: [s for s in find_possible_names(text, ordinary=ordinary) if s.rule in SURE_NAMES],
    )
    print(f"{'kind':16s}{'recall':40s}{'templates':>10s}  {'precision':40s}wrong finds touch")
    for name, (kind, find) in finders.items():
        _print_kind(name, MARKS[kind], find, sentences)
    print()


def _print_kind(name: str, mark: str, find: Callable[[str], Iterable[Span]], sentences: list[dict[str, Any]]) -> None:
    marked = found = finds = right = 0
    templates, wrong = set(), Counter[str]()
    for row in sentences:
        spans = list(find(row["text"]))
        wanted = [each for each in row["spans"] if each["type"] == mark]
        templates |= {row["template_id"]} if wanted else set()
        marked += len(wanted)
        found += sum(any(_touch(span, each) for span in spans) for each in wanted)
        finds += len(spans)
        for span in spans:
            touched = {each["type"] for each in row["spans"] if _touch(span, each)}
            right += mark in touched
            wrong.update([] if mark in touched else (touched or {"nothing marked"}))
    touching = ", ".join(f"{kind} {count}" for kind, count in wrong.most_common(4))
    print(f"{name:16s}{_rate(found, marked):40s}{len(templates):10d}  {_rate(right, finds):40s}{touching}")


def _isemail(rows: list[dict[str, Any]]) -> None:
    whole, part, none, accepted = (Counter[str]() for _ in range(4))
    missed = []
    for row in rows:
        category, address = row["category"].removeprefix("ISEMAIL_"), row["address"]
        spans = [s for s in find_personal_data(f"write to {address} now") if s.kind == Kind.EMAIL]
        accepted[category] += _is_valid(address)
        first, last = 9, 9 + len(address.rstrip())
        if any(span.start <= first and span.end >= last for span in spans):
            whole[category] += 1
        elif spans:
            part[category] += 1
        else:
            none[category] += 1
            missed.append(f"{row['id']} {category}")
    headings = f"{'addresses':>10s}{'found whole':>13s}{'in part':>9s}{'not':>6s}{'email-validator accepts':>25s}"
    print(f"{'isemail verdict':18s}{headings}")
    for category, count in Counter(row["category"].removeprefix("ISEMAIL_") for row in rows).most_common():
        counts = f"{count:10d}{whole[category]:13d}{part[category]:9d}{none[category]:6d}{accepted[category]:25d}"
        print(f"{category:18s}{counts}")
    print("not found (test number, verdict):", ", ".join(missed), "\n")


def _is_valid(address: str) -> bool:
    try:
        validate_email(
            address,
            check_deliverability=False,
            allow_quoted_local=True,
            allow_domain_literal=True,
            test_environment=True,
            globally_deliverable=False,
        )
    except EmailNotValidError:
        return False
    return True


def _ordinary_traffic() -> None:
    with gzip.open(DATA / "mtrag" / "events.jsonl.gz", "rt") as file:
        turns = [event["payload"] for event in map(json.loads, file) if event["event_type"] == "turn"]
    print(f"{'ordinary traffic':36s}{'dropped':42s}by kind")
    _print_dropped("mtrag: visitors' messages", [turn["message"] for turn in turns])
    _print_dropped("mtrag: answers", [turn["answer"] for turn in turns if turn.get("answer")])
    for name in ("cast2019", "cast2020"):
        rows = _lines(DATA / "gate" / f"{name}.jsonl")
        _print_dropped(f"{name}: messages", [row["utterance"] for row in rows])
    retrieval = _lines(DATA / "retrieval" / "turns.jsonl")
    _print_dropped(
        "retrieval: turns with their history",
        ["\n\n".join([row["raw"], *(said["text"] for said in row["history"])]) for row in retrieval],
    )
    print()


def _print_dropped(name: str, texts: list[str]) -> None:
    substitution = Substitution(b"the key of this benchmark")
    results = [clean(text, substitution) for text in texts]
    kinds = Counter(kind.value for each in results if not isinstance(each, Cleaned) for kind in each.kinds)
    dropped = sum(not isinstance(each, Cleaned) for each in results)
    print(f"{name:36s}{_rate(dropped, len(texts)):42s}{dict(kinds)}")


def _speed(texts: list[str]) -> None:
    characters = sum(map(len, texts))
    began = time.process_time()
    for _ in range(5):
        for text in texts:
            find_personal_data(text)
    seconds = (time.process_time() - began) / 5
    print(
        f"{len(texts) / seconds:,.0f} texts a second ({characters / len(texts):.0f} characters on average), "
        f"{characters / seconds / 1e6:.1f} MB a second"
    )


def _touch(span: Span, mark: dict[str, Any]) -> bool:
    return bool(span.start < mark["end"] and mark["start"] < span.end)


def _rate(hits: int, of: int) -> str:
    if of == 0:
        return "-"
    interval = binomtest(hits, of).proportion_ci(method="wilson")
    return f"{hits:4d} of {of:4d}  {hits / of:6.1%} [{interval.low:.1%}, {interval.high:.1%}]"


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    main()
