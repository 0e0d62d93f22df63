"""Time phrases against reference implementations, and speed side by side with dateparser.

    .venv/bin/python -m benchmarks.when            # agreement and speed
    .venv/bin/python -m benchmarks.when --misses   # also print every item that is not exact

Reads `../shared/data/time`: phrases with the spans that Recognizers-Text, duckling and ctparse give. An item is *exact*
when the parser gives one of the item's spans, both ends equal. An item with one span is decided; Recognizers-Text gives
two (the last and the coming occurrence) where the phrase does not say which, and one of the two must be hit.
"""

import argparse
import gzip
import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipelines.resolution.structured import Reading, Span, read

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data" / "time"

#: what the references say differently, or in a form that is no interval, and the phrases (patterns) that show it:
#: these items count neither for nor against, whatever the parser says. The two without patterns are about weekdays and
#: were set aside after they had been missed (docs/adr/0007-time-phrase-readings.md says why, one by one): the figure
#: that counts them as missed is printed, too
DISAGREE: dict[str, tuple[str, ...]] = {
    "last/next N units: one reference gives only the first unit, aligned to the calendar": (
        r"(last|past|next) (\d+|two|three)",
    ),
    "N years ago: one reference means the month, the other the day": (r"\w+ years? ago",),
    "since: one reference gives only the first unit of an open span": ("since ",),
    "from A alone: one reference means the day or period, one the open span from it": ("from ",),
    "a weekday that is today: one reference means today, two the next one": (),
    "the reference's span is not on the weekday of the phrase": (),
    "no such day": ("feb 30",),
}  # fmt: skip
OUTSIDE: dict[str, tuple[str, ...]] = {
    "month and day without a space": ("mar3", "14april"),
    "inside an identifier, a path or an address": ("2002-10-09", "2018-09-23", "2020-07-01"),
}
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def items(name: str) -> Iterator[dict[str, Any]]:
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        item["text"] = item.get("input") or item["phrase"] or ""
        item["at"] = datetime.fromisoformat(item["ref"] or "2016-11-07T00:00:00").replace(tzinfo=UTC)
        yield item


def span_of(item: dict[str, Any], reading: Reading) -> Span | None:
    """Return the span of the reading that covers most of the item's phrase."""
    phrase = (item["phrase"] or "").lower()
    places = [found.start() for found in re.finditer(re.escape(phrase), item["text"].lower())]
    best = [
        (min(at + len(phrase), s.offset + len(s.phrase)) - max(at, s.offset), s) for s in reading.spans for at in places
    ]
    best = [(overlap, s) for overlap, s in best if overlap > 0]
    return max(best, key=lambda pair: pair[0])[1] if best else None


def expected(item: dict[str, Any]) -> list[tuple[str | None, str | None]]:
    return [(a[0], a[1]) for a in item["alternatives_start_endexcl"] if isinstance(a, list)]


def given(span: Span) -> tuple[str | None, str | None]:
    start, end = span.interval.start, span.interval.end
    return (start and start.date().isoformat(), end and end.date().isoformat())


def reason(item: dict[str, Any], span: Span | None) -> str:
    """Return why an item does not count or why it was missed; "exact" where it was hit."""
    phrase = item["phrase"].lower()
    spans = expected(item)
    for kind, table in (("disagree", DISAGREE), ("outside", OUTSIDE)):
        for why, patterns in table.items():
            if any(re.match(pattern, phrase) for pattern in patterns):
                return f"{kind}: {why}"
    if span is not None and given(span) in spans:
        return "exact"
    named = [n for n, name in enumerate(WEEKDAYS) if re.search(rf"\b{name}(?:\b|day|sday|nesday|rsday|urday)", phrase)]
    days = [datetime.fromisoformat(start) for start, _ in spans if start]
    if named and not any(day.weekday() in named for day in days):
        return "disagree: the reference's span is not on the weekday of the phrase"
    if named and item["at"].weekday() in named and any(day.date() == item["at"].date() for day in days):
        return "disagree: a weekday that is today: one reference means today, two the next one"
    return "missed: no span" if span is None else "missed: another span"


def closed_set(show: bool) -> float:
    """Print the table of the closed set; return the share of exact spans among claimed phrases, those set aside late included."""
    counts: Counter[str] = Counter()
    decided: Counter[str] = Counter()
    hits = 0
    for item in items("closed_set_en.jsonl"):
        span = span_of(item, read(item["text"], at=item["at"], language="en"))
        why = reason(item, span)
        counts[why] += 1
        decided[why] += len(expected(item)) == 1
        hits += given(span) in expected(item) if span is not None else not expected(item)
        if show and why != "exact":
            print(f"  {why:12.60} | {item['phrase']!r} in {item['text'][:60]!r} at {item['ref']}: {expected(item)} "
                  f"given {span and given(span)}")  # fmt: skip
    print(f"closed_set_en.jsonl: {counts.total()} items")
    for which, count in (("all", counts), ("with one span only", decided)):
        claimed = sum(n for why, n in count.items() if why.startswith(("exact", "missed")))
        share = count["exact"] / claimed
        print(f"  claimed, references agree, {which}: {count['exact']} of {claimed} exact = {share:.1%}")
    found, claimed = counts["exact"], sum(n for why, n in counts.items() if why.startswith(("exact", "missed")))
    late = sum(counts[f"disagree: {why}"] for why, patterns in DISAGREE.items() if not patterns)
    print(f"  and the {late} about weekdays that are set aside, as missed: {found} of {claimed + late} exact = "
          f"{found / (claimed + late):.1%}")  # fmt: skip
    print(
        f"  every item, whatever the references say of it: {hits} of {counts.total()} exact = {hits / counts.total():.1%}"
    )
    for why, n in counts.most_common():
        if why != "exact":
            print(f"  {n:5} {why}")
    return found / (claimed + late)


def open_sets(show: bool) -> None:
    """Everything that the references read, in and out of the closed set: what the parser says about it, by kind."""
    print("\nall phrases of day grain or coarser, by kind of expression (for information: most are outside the set)")
    table: dict[str, Counter[str]] = defaultdict(Counter)
    for name in ("recognizers_en.jsonl", "duckling_en.jsonl"):
        for item in items(name):
            if not item["phrase"] or not expected(item):
                continue
            span = span_of(item, read(item["text"], at=item["at"], language="en"))
            kind = "(no span)" if span is None else type(span.expression).__name__
            exact = span is not None and given(span) in expected(item)
            same_start = span is not None and given(span)[0] in [start for start, _ in expected(item)]
            table[kind]["exact" if exact else "start" if same_start else "other"] += 1
            if show and span is not None and not exact:
                where = f"{item['phrase']!r} ({item['src'][:8]}) at {item['ref'][:10]}"
                print(f"  {kind} | {where}: {expected(item)} given {given(span)}")
    print(f"  {'kind':12} {'exact':>6} {'same start, other end':>22} {'other':>6}")
    for kind, count in sorted(table.items()):
        print(f"  {kind:12} {count['exact']:6} {count['start']:22} {count['other']:6}")
    for name, negative in (("recognizers_en.jsonl", "NONE"), ("duckling_en.jsonl", "NONE")):
        texts = {
            item["text"]: item
            for item in items(name)
            if negative in {item.get("type"), item.get("kind")} and item["text"]
        }
        alarms = [
            (text, [s.phrase for s in r.spans])
            for text, i in texts.items()
            if (r := read(text, at=i["at"], language="en")).spans
        ]
        print(f"  {name}: {len(alarms)} of {len(texts)} texts without a date got a span")
        if show:
            for text, phrases in alarms:
                print(f"    {text[:90]!r}: {phrases}")


def ordinary_questions(show: bool) -> None:
    """How often questions that people asked for other reasons get a window; with --misses each is shown, to be read."""
    at = datetime(2026, 11, 30, 9, tzinfo=UTC)
    texts: dict[str, str] = {}
    for path in sorted(DATA.parent.glob("gate/*.jsonl*")):
        with gzip.open(path, "rt") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
            texts |= {json.loads(line)["utterance"]: path.name.split(".")[0] for line in lines}
    with gzip.open(DATA.parent / "mtrag" / "events.jsonl.gz", "rt") as lines:
        for event in map(json.loads, lines):
            if event["event_type"] == "turn":
                texts[event["payload"]["message"]] = "mtrag"
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for text, source in texts.items():
        reading = read(text, at=at, language="en")
        counts[source][reading.dated] += 1
        if show and reading.spans:
            print(f"  {source} | {text[:100]!r}: {[span.phrase for span in reading.spans]}")
    print("\nturns of public conversations, which seldom ask about a time: what came of them")
    print(f"  {'source':12} {'window':>8} {'unread':>8} {'none':>8}")
    for source, count in sorted(counts.items()):
        print(f"  {source:12} {count['window']:8} {count['unread']:8} {count['none']:8}")


def speed() -> None:
    from dateparser.search import search_dates

    texts = sorted({item["text"] for name in ("closed_set_en.jsonl", "recognizers_en.jsonl") for item in items(name)})
    at = datetime(2016, 11, 7, tzinfo=UTC)
    settings = {"RELATIVE_BASE": at.replace(tzinfo=None)}
    for text in texts:  # both warm
        read(text, at=at, language="en")
    search_dates(texts[0], languages=["en"], settings=settings)
    rounds = 5
    began = time.perf_counter()
    for _ in range(rounds):
        for text in texts:
            read(text, at=at, language="en")
    ours = (time.perf_counter() - began) / rounds
    began = time.perf_counter()
    for _ in range(rounds):
        for text in texts:
            read(text, at=at)
    detected = (time.perf_counter() - began) / rounds
    began = time.perf_counter()
    for text in texts:
        search_dates(text, languages=["en"], settings=settings)
    theirs = time.perf_counter() - began
    print(f"\nspeed, {len(texts)} texts of {sum(map(len, texts)) / len(texts):.0f} characters on average, one process")
    for name, seconds in (
        ("read, language given", ours),
        ("read, language detected", detected),
        ("dateparser search_dates, language given", theirs),
    ):
        print(f"  {name:40} {1e6 * seconds / len(texts):8.1f} µs a text   {theirs / seconds:7.1f}x")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--misses", action="store_true")
    arguments = parser.parse_args()
    closed_set(arguments.misses)
    open_sets(arguments.misses)
    ordinary_questions(arguments.misses)
    speed()
