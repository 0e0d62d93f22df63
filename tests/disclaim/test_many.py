"""Whether many answers at once lose nothing that a closer look would find."""

import json
import re
import sys
import unicodedata
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.disclaim import LANGUAGES, detect
from pipelines.disclaim.detector import fold
from pipelines.disclaim.many import IN_NFC, candidates
from pipelines.disclaim.vocabulary import compile_cues, loosened
from tests.disclaim.outcomes import one_by_one, together

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

    assert len(candidates(pl.Series([answer]))) or found.disclaimed is False
    assert together([answer], [tag]) == one_by_one([answer], [tag])


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

    assert found.to_list() == [5]
    assert candidates(pl.Series([], dtype=pl.String)).to_list() == []


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


def test_what_is_not_normalised_is_normal_whatever_stands_beside_it() -> None:
    """No letter that the fast way leaves as it is would be changed by the normal form, nor combines with another."""
    left_alone = re.compile(f"[{IN_NFC}]")

    assigned = [letter for letter in map(chr, range(sys.maxunicode + 1)) if left_alone.match(letter)]

    assert len(assigned) > 5000
    assert [each for each in assigned if unicodedata.combining(each)] == []
    for before in ("", "e", "\u1100", "\u0915"):
        assert [each for each in assigned if unicodedata.normalize("NFC", before + each) != before + each] == []


def test_letters_beside_marks_are_told_as_one_by_one() -> None:
    """Texts in the normal form, texts that are not, and texts of ASCII, together and in order."""
    answers = [
        "Je ne sais pas où c\u2019est. \U0001f600",
        "Je ne sais pas ou\u0300 c'est.",
        "Il prezzo e\u0300 di dieci euro, non di piu\u0300.",
        "I DO NOT KNOW.",
        "JE\u00a0NE\u202fSAIS PAS, D\u00c9SOL\u00c9.",
        "No lo s\u00e9.",
        "No lo se\u0301.",
        "Nothing of the kind.",
    ]

    for tag in (None, "en", "fr", "es", "it"):
        found = together(answers, [tag] * len(answers))
        assert found == one_by_one(answers, [tag] * len(answers))
        assert sum(disclaimed != "no" for disclaimed, _, _ in found) >= 1


def test_real_answers_are_told_as_one_by_one(shared_data: Path) -> None:
    """On answers of people and models nothing is lost, and few are looked at in vain."""
    lines = (shared_data / "disclaim" / "mtrag_answers_handed.jsonl").read_text().splitlines()
    answers = [json.loads(line)["answer"] for line in lines]

    stated = ["en"] * len(answers)

    found = together(answers, stated)

    assert found == one_by_one(answers, stated)
    disclaiming = sum(disclaimed != "no" for disclaimed, _, _ in found)
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
