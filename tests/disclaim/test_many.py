"""Whether many answers at once lose nothing that a closer look would find."""

import json
import re
import sys
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.disclaim import LANGUAGES, detect, detect_all
from pipelines.disclaim.detector import fold
from pipelines.disclaim.many import candidates
from pipelines.disclaim.vocabulary import compile_cues, loosened

#: one pattern a cue: hypothesis makes texts of a small pattern fast, of all cues in one slowly
_PATTERNS = [
    compile_cues((cue,))
    for vocabulary in LANGUAGES.values()
    for cue in (*vocabulary.unknowing, *vocabulary.openings, *vocabulary.unable)
]
#: what a cue may stand between: nothing, letters of every kind, marks, blanks that not everyone calls so
_BESIDE = st.one_of(
    st.text(max_size=6),
    st.sampled_from(["", " ", "\n", "\x1c", "\u2003", "é", "²", "\u0301", "'", "\u201c", "sorry, ", "if ", ". ", "?"]),
)
_CUED = st.tuples(_BESIDE, st.sampled_from(_PATTERNS).flatmap(st.from_regex), _BESIDE).map("".join)
_TAGS = st.sampled_from([None, "en", "fr-CA", "es", "it", "xx"])


@pytest.mark.property
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])  # how fast texts are made is not the matter
@given(_CUED, _TAGS)
def test_no_candidate_means_no_disclaimer(answer: str, tag: str | None) -> None:
    """Whatever a cue can be and stand beside: an answer that is passed over disclaims in no language."""
    found = detect(answer, tag)

    assert candidates(pl.Series([answer])) or found.disclaimed is False
    assert detect_all([answer], [tag]) == [found]


def test_what_says_nothing_of_its_own_knowledge_is_passed_over() -> None:
    """Words that look like the beginning of a cue are not enough, in any language; a cue is."""
    answers = [
        "It does not rain in the hall, and no ticket is needed.",
        "Il ne passe pas par la gare.",
        "No hay que pagar nada.",
        "Non si paga nulla.",
        "",
        "I do not know.",
    ]

    found = candidates(pl.Series(answers))

    assert found == [5]
    assert candidates(pl.Series([], dtype=pl.String)) == []


def test_every_letter_is_folded_as_the_detector_folds_it() -> None:
    """A cue with one letter, blank or apostrophe written in any other way that folds to it is not passed over."""
    cues = ["I don't know", "No idea", "Je ne sais pas", "Non so", "I lack knowledge", "Lo ignoro"]
    odd = [chr(code) for code in range(128, sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    folded = [(letter, plain) for letter in odd if (plain := fold(letter)[1]).isascii()]
    written = [
        f"{cue[:at]}{letter}{cue[at + 1 :]}"
        for cue in cues
        for letter, plain in folded
        for at, c in enumerate(cue)
        if c.lower() == plain
    ]

    found = candidates(pl.Series(written))

    disclaiming = [
        place for place, text in enumerate(written) if any(detect(text, tag).disclaimed for tag in LANGUAGES)
    ]
    assert len(disclaiming) > 25
    assert set(disclaiming) <= set(found)


def test_real_answers_are_told_as_one_by_one(shared_data: Path) -> None:
    """On answers of people and models nothing is lost, and few are looked at in vain."""
    lines = (shared_data / "disclaim" / "mtrag_answers_handed.jsonl").read_text().splitlines()
    answers = [json.loads(line)["answer"] for line in lines]

    found = detect_all(answers, ["en"] * len(answers))

    assert found == [detect(answer, "en") for answer in answers]
    disclaiming = sum(one.disclaimed is not False for one in found)
    assert disclaiming <= len(candidates(pl.Series(answers))) <= 1.1 * disclaiming


@pytest.mark.parametrize(
    ("cue", "loose"),
    [
        ("not sure", r"not[\s\x1c-\x1f]+sure"),
        (r"(?:no|any)(?! (?:longer|[)]|\)) than) idea", r"(?:no|any)[\s\x1c-\x1f]+idea"),
        (r"hm{1,3}+ ?\++", r"hm{1,3}[\s\x1c-\x1f]*\++"),
        (r"(?<=a)b[\w-]++[?+]+c", "b[^ ]+[?+]+c"),
    ],
)
def test_a_cue_is_loosened(cue: str, loose: str) -> None:
    """Look-arounds and possession go, whatever is inside them; escapes and classes stay."""
    assert loosened(cue) == loose


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_a_loose_pattern_holds_nothing_that_engines_read_differently(code: str) -> None:
    """Words, digits and boundaries are others in Rust than in Python; white space is spelled out."""
    assert set(re.findall(r"\\[a-zA-Z]", LANGUAGES[code].loose_cues)) <= {r"\s", r"\x"}
