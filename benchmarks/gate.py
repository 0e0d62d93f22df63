"""The gate against people, and against the clock.

People rewrote each turn of three public collections of conversations so that it stands alone (TREC CAsT 2019 and
2020, iKAT 2023); a turn to which they had to add words is dependent, one of which they changed nothing is standalone,
and what lies between is near. To combine a dependent turn is right, to combine a standalone one is wrong.

Repeat with:

    .venv/bin/python -m benchmarks.gate            # people, trade-off, throughput
    .venv/bin/python -m benchmarks.gate --misses   # and every turn that is decided otherwise than people did
"""

import argparse
import gzip
import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import numpy as np
from statsmodels.stats.proportion import proportion_confint

from pipelines.resolution.gate import Decision, Limits, Resolution, Turn, resolve

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "gate"
SOURCES = {"CAsT 2019": "cast2019.jsonl", "CAsT 2020": "cast2020.jsonl", "iKAT 2023": "ikat2023.jsonl.gz"}
CLASSES = ("dependent", "near", "standalone")
SHORT = 8
#: what the requirement states for a plain baseline: recall of short dependent turns, wrong firings on standalone turns
STATED = {"CAsT 2019": (0.70, 0.39), "CAsT 2020": (0.69, 0.50), "iKAT 2023": (0.76, 0.79)}
RESAMPLES = 2000

_POINTING = re.compile(
    r"\b(?:it|its|itself|they|them|their|theirs|he|him|his|she|her|hers|this|that|these|those|there|one|ones|other|others|another"
    r"|same|else|more)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"\W*(?:yes|yeah|no|nope|ok|okay|sure|thanks|great|good|nice|interesting"
    r"|and|but|or|so|also|then|now|what about|how about)\b",
    re.IGNORECASE,
)
_BASELINE_WORDS = 4


def baseline(message: str) -> bool:
    """Fire on a pronoun or demonstrative, an opening nod or connective, or at most four words."""
    return bool(_POINTING.search(message) or _OPENING.match(message) or len(message.split()) <= _BASELINE_WORDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """A turn after the first, and what people's rewrite says of it."""

    conversation: str
    message: str
    history: tuple[Turn, ...]
    label: str

    @property
    def short(self) -> bool:
        return len(self.message.split()) < SHORT


def load(name: str) -> list[Labelled]:
    """Read the later turns of one source; the decisions of earlier ones are made once and kept, as an agent does."""
    content = (FOLDER / name).read_bytes()
    if name.endswith(".gz"):
        content = gzip.decompress(content)
    rows = [json.loads(line) for line in content.splitlines()]
    turns = []
    for row in rows:
        if not row["first_turn"]:
            history: list[Turn] = []
            for said in row["history"]:
                decision = resolve(said["text"], history).decision if said["role"] == "user" else None
                history.append(Turn(role=said["role"], text=said["text"], decision=decision))
            turns.append(
                Labelled(
                    conversation=str(row["conv_id"]),
                    message=row["utterance"],
                    history=tuple(history),
                    label=row["label3"],
                )
            )
    return turns


def decide(turns: Sequence[Labelled], limits: Limits | None = None) -> list[Resolution]:
    return [resolve(turn.message, turn.history, limits=limits or Limits()) for turn in turns]


def fires(resolution: Resolution) -> bool:
    return resolution.decision is Decision.FOLLOW_UP


def interval(turns: Sequence[Labelled], of: Sequence[bool], among: Sequence[bool]) -> str:
    """Return the share of `of` among `among` with its 95 % interval.

    Conversations are resampled as wholes. Where all or none hit, resampling knows no spread: the interval is the wider
    of the resampled one and Wilson's.
    """
    cells: dict[str, list[int]] = {}
    for turn, hit, counted in zip(turns, of, among, strict=True):
        cell = cells.setdefault(turn.conversation, [0, 0])
        cell[0] += hit and counted
        cell[1] += counted
    counts = np.array(list(cells.values()))
    total = counts.sum(axis=0)
    if not total[1]:
        return "none"
    rng = np.random.default_rng(20261130)
    sums = counts[rng.integers(0, len(counts), (RESAMPLES, len(counts)))].sum(axis=1)
    shares = sums[sums[:, 1] > 0]
    low, high = np.quantile(shares[:, 0] / shares[:, 1], [0.025, 0.975])
    wilson = proportion_confint(total[0], total[1], method="wilson")
    return f"{total[0] / total[1]:.2f} [{min(low, wilson[0]):.2f}, {max(high, wilson[1]):.2f}]"


def show_people(name: str, turns: Sequence[Labelled], decisions: Sequence[Resolution]) -> None:
    gate = [fires(resolution) for resolution in decisions]
    plain = [baseline(turn.message) for turn in turns]
    print(f"\n{name}: {len(turns)} turns after the first, {len({turn.conversation for turn in turns})} conversations")
    print(f"  {'':22}{'n':>5}  {'gate':<22}{'baseline here':<22}baseline as stated")
    dependent = [turn.label == "dependent" for turn in turns]
    standalone = [turn.label == "standalone" for turn in turns]
    short = [turn.label == "dependent" and turn.short for turn in turns]

    def row(
        what: str,
        of: Callable[[Sequence[bool]], Iterable[bool]],
        among: Callable[[Sequence[bool]], list[bool]],
        note: str = "",
    ) -> None:
        cells = [interval(turns, list(of(fired)), among(fired)) for fired in (gate, plain)]
        print(f"  {what:<22}{sum(among(gate)):>5}  {cells[0]:<22}{cells[1]:<22}{note}")

    stated = STATED[name]
    row("recall, short dep.", lambda fired: fired, lambda _: short, f"{stated[0]:.2f}")
    row("wrong firings", lambda fired: fired, lambda _: standalone, f"{stated[1]:.2f}, half of it {stated[1] / 2:.3f}")
    row("recall, dependent", lambda fired: fired, lambda _: dependent)
    row("precision, dependent", lambda _: dependent, list)
    row("fired on near", lambda fired: fired, lambda _: [turn.label == "near" for turn in turns])
    row("recall, standalone", lambda fired: [not hit for hit in fired], lambda _: standalone)
    row("precision, standalone", lambda _: standalone, lambda fired: [not hit for hit in fired])
    print("  decisions:", end="")
    for label in CLASSES:
        counts = Counter(
            resolution.decision.value for turn, resolution in zip(turns, decisions, strict=True) if turn.label == label
        )
        print(f"  {label} " + ", ".join(f"{name} {count}" for name, count in sorted(counts.items())), end=";")
    print()


def show_rules(everything: Sequence[tuple[Labelled, Resolution]]) -> None:
    print("\nrule by rule, all sources: on how many turns of each kind it decides")
    counts = Counter((resolution.decision.value, resolution.reason, turn.label) for turn, resolution in everything)
    for decision, reason in sorted({key[:2] for key in counts}):
        print(
            f"  {decision:<12}{reason:<17}"
            + "".join(f"{label} {counts[decision, reason, label]:<5}" for label in CLASSES)
        )


def show_trade_off(loaded: dict[str, list[Labelled]]) -> None:
    print("\ntrade-off: the more a setting recalls, the more it fires on turns that stand alone")
    shipped = Limits()
    names = ("choice", "frame", "reference", "definite", "open_set", "two_place", "connective")
    settings: list[tuple[str, Callable[[Labelled], bool]]] = []
    for most in (0, 1, 2, 3, 4, 6):
        limits = replace(shipped, **{name: min(most, getattr(shipped, name)) for name in names})
        settings.append((f"at most {most} topic words", _gate_with(limits)))
    settings.append(("shipped", _gate_with(shipped)))
    for most in (3, 5):
        wide = dict.fromkeys(("definite", "open_set", "two_place", "connective"), most)
        settings.append((f"open rules up to {most}", _gate_with(replace(shipped, **wide))))
    settings.append(("shipped or baseline", lambda turn: _gate_with(shipped)(turn) or baseline(turn.message)))
    settings.append(("baseline", lambda turn: baseline(turn.message)))
    settings.append(("always", lambda _: True))
    for name, turns in loaded.items():
        print(f"  {name:<24}{'recall, short dep.':<22}{'recall, dependent':<22}wrong firings")
        short = [turn.label == "dependent" and turn.short for turn in turns]
        dependent = [turn.label == "dependent" for turn in turns]
        standalone = [turn.label == "standalone" for turn in turns]
        for what, fires_on in settings:
            fired = [fires_on(turn) for turn in turns]
            cells = [interval(turns, fired, among) for among in (short, dependent, standalone)]
            print(f"  {what:<24}{cells[0]:<22}{cells[1]:<22}{cells[2]}")


def _gate_with(limits: Limits) -> Callable[[Labelled], bool]:
    return lambda turn: fires(resolve(turn.message, turn.history, limits=limits))


def show_throughput(loaded: dict[str, list[Labelled]]) -> None:
    turns = [turn for part in loaded.values() for turn in part]
    messages = [turn.message for turn in turns]
    recent = [turn.history[-2:] for turn in turns]
    gate_rates, plain_rates = [], []
    for _ in range(9):
        start = time.process_time()
        for message, history in zip(messages, recent, strict=True):
            resolve(message, history)
        middle = time.process_time()
        for message in messages:
            baseline(message)
        end = time.process_time()
        gate_rates.append(len(messages) / (middle - start))
        plain_rates.append(len(messages) / (end - middle))
    mean = sum(map(len, messages)) / len(messages)
    print(f"\nthroughput on one core: {len(messages)} messages, {mean:.0f} characters on average, median of 9 rounds")
    print(f"  gate      {median(gate_rates):>10,.0f} messages/s")
    print(f"  baseline  {median(plain_rates):>10,.0f} messages/s")


UNITS = (
    "we have already tried that one ",
    "yes,,,,,,,",
    "it ",
    "1 2 3-",
    "a@b.",
    "e\u0301",
    "\u0301\u0316",
    "\u200b ",
    "?!",
    "asdf",
    "the ",
    "vos prix sont ils ",
)


#: with something said before, so that no rule is spared
BEFORE = (
    Turn(role="user", text="What does your company do?", decision=Decision.SUBSTANTIVE),
    Turn(role="assistant", text="We sell paint. Which colour do you want?"),
)


def show_length() -> None:
    print(f"\nlong messages: the slowest of {len(UNITS)} adversarial texts, milliseconds")
    for size in (25_000, 50_000, 100_000):
        slowest = (0.0, "")
        for unit in UNITS:
            message = unit * (size // len(unit.encode()))
            times = []
            for _ in range(3):
                start = time.process_time()
                resolve(message, BEFORE)
                times.append(time.process_time() - start)
            slowest = max(slowest, (min(times), unit))
        print(f"  {size // 1000:>4} kB  {slowest[0] * 1000:6.1f}  {slowest[1]!r}")


def show_agreement(loaded: dict[str, list[Labelled]]) -> list[tuple[Labelled, Resolution]]:
    """Print all that does not depend on the machine; return each turn with its decision."""
    decided = {name: decide(turns) for name, turns in loaded.items()}
    for name, turns in loaded.items():
        show_people(name, turns, decided[name])
    everything = [pair for name in loaded for pair in zip(loaded[name], decided[name], strict=True)]
    show_rules(everything)
    show_trade_off(loaded)
    return everything


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the gate against people and against the clock.")
    parser.add_argument(
        "--misses", action="store_true", help="print each turn that is decided otherwise than people did"
    )
    arguments = parser.parse_args()
    loaded = {name: load(file) for name, file in SOURCES.items()}
    everything = show_agreement(loaded)
    show_throughput(loaded)
    show_length()
    if arguments.misses:
        for turn, resolution in everything:
            if turn.label != "near" and fires(resolution) != (turn.label == "dependent"):
                print(f"{turn.label:<11}{resolution.decision.value:<12}{resolution.reason:<16}{turn.message}")


if __name__ == "__main__":
    main()
