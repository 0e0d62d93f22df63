"""What holds for every message: generated text, adversarial length, other processes."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import SupportsIndex, overload

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.resolution.gate import Decision, Resolution, Turn, resolve
from pipelines.resolution.gate.length import too_short
from pipelines.resolution.gate.reading import read
from pipelines.resolution.language import detect_language
from pipelines.resolution.vocabulary import languages, lexicon_of
from pipelines.resolution.vocabulary.lexicon import TOKEN, Lexicon, Node, normalise, tokens_of
from tests.resolution.gate.conversation import said
from tests.resolution.gate.minimal_pairs import CONVERSATIONS, PAIRS

pytestmark = pytest.mark.property

ROOT = Path(__file__).resolve().parents[3]
PIECES = sorted({word for pairs in PAIRS.values() for pair in pairs for text in pair for word in text.split()})
MESSAGES = st.one_of(
    st.text(max_size=60),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=12).map(" ".join),
)
HISTORIES = st.lists(
    st.builds(
        Turn,
        role=st.sampled_from(["user", "assistant"]),
        text=MESSAGES,
        decision=st.one_of(st.none(), st.sampled_from(list(Decision))),
    ),
    max_size=5,
)


@given(message=MESSAGES, history=HISTORIES)
def test_nothing_is_searched_exactly_when_the_skip_says_so(message: str, history: list[Turn]) -> None:
    """A short message is skipped whatever it says, and nothing else is."""
    resolution = resolve(message, history)

    assert (resolution.decision is Decision.SKIP) == too_short(message) == (resolution.query is None)


@given(message=MESSAGES, history=HISTORIES)
def test_no_byte_is_changed(message: str, history: list[Turn]) -> None:
    """The query is the message, or an earlier visitor's message, a space, and the message."""
    resolution = resolve(message, history)

    if resolution.combined_with is not None:
        earlier = history[resolution.combined_with]
        assert resolution.decision is Decision.FOLLOW_UP
        assert earlier.role == "user"
        assert resolution.query == earlier.text + " " + message
    elif resolution.decision is not Decision.SKIP:
        assert resolution.query == message


@given(message=MESSAGES, history=HISTORIES)
def test_the_decisions_made_are_the_decisions_kept(message: str, history: list[Turn]) -> None:
    """Giving a history the decisions that the gate makes for it changes nothing."""
    bare = [Turn(role=turn.role, text=turn.text) for turn in history]
    kept: list[Turn] = []
    for turn in bare:
        decision = resolve(turn.text, kept).decision if turn.role == "user" else None
        kept.append(Turn(role=turn.role, text=turn.text, decision=decision))

    assert resolve(message, bare) == resolve(message, kept)


@given(message=MESSAGES)
def test_a_first_message_is_never_combined(message: str) -> None:
    """Without an earlier message there is no follow-up at all."""
    assert resolve(message).decision is not Decision.FOLLOW_UP


class _Asked(list[Turn]):
    """A history that counts the turns it hands out."""

    asked = 0

    @overload
    def __getitem__(self, place: SupportsIndex) -> Turn: ...
    @overload
    def __getitem__(self, place: slice) -> list[Turn]: ...
    def __getitem__(self, place: SupportsIndex | slice) -> Turn | list[Turn]:
        """Answer and count."""
        if isinstance(place, slice):
            found = super().__getitem__(place)
            self.asked += len(found)
            return found
        self.asked += 1
        return super().__getitem__(place)


@pytest.mark.parametrize("text", ["Thanks a lot, bye!", "SSO SAML SCIM 1234", "And what about it?", "12345678901"])
def test_a_long_history_without_decisions_is_decided_in_one_pass(text: str) -> None:
    """Each earlier message is decided once, and looks back at a bounded number of turns."""
    turns = 2000
    history = _Asked(Turn(role="user", text=text) for _ in range(turns))

    resolve("And does it include SSO?", history)

    assert history.asked <= 12 * turns


@given(text=st.text(st.characters(max_codepoint=127), max_size=60))
def test_the_short_way_to_tokens_is_the_long_one(text: str) -> None:
    """ASCII text is cut into the words and marks that the pattern finds."""
    assert TOKEN.findall(text.lower()) == tokens_of(text)


@given(text=st.text(max_size=200), fallback=st.sampled_from(["en", "it", "de", "xx"]))
def test_the_language_is_a_known_one_or_the_fallback(text: str, fallback: str) -> None:
    """Nothing but a language of the vocabulary or the fallback is ever answered."""
    assert detect_language(text, fallback) in {*languages(), fallback}


class _Counted(dict[str, Node]):
    """A dictionary that counts how often it is asked."""

    asked = 0

    def get(self, key: str, default: Node | None = None) -> Node | None:  # type: ignore[override]
        """Answer and count."""
        _Counted.asked += 1
        return super().get(key, default)


def _counted(lexicon: Lexicon) -> Lexicon:
    seen: dict[int, Node] = {}

    def copy(node: Node) -> Node:
        if id(node) not in seen:
            seen[id(node)] = made = Node(kinds=node.kinds, spoken=node.spoken)
            made.after = _Counted({word: copy(after) for word, after in node.after.items()})
        return seen[id(node)]

    first = _Counted({word: copy(node) for word, node in lexicon.first.items()})
    return replace(lexicon, first=first)


ADVERSARIAL = [
    "we have already tried that one ",
    "we have already we have already ",
    "no, " * 3,
    "yes,,,,,,,,,,,,",
    "it ",
    "on l'a déjà ",
    "ya lo hemos ",
    "non l'abbiamo ",
    "1 2 3-",
    "a@",
    "a.b.",
    "?!",
    "e\u0301",
    "\u200b ",
    "asdf",
]


@pytest.mark.parametrize("unit", ADVERSARIAL)
@pytest.mark.parametrize("language", languages())
def test_reading_asks_the_vocabulary_a_bounded_number_of_times_a_word(unit: str, language: str) -> None:
    """However a message is made, each of its words costs at most a phrase's length of look-ups."""
    lexicon = _counted(lexicon_of(language))
    tokens = tokens_of(unit * (100_000 // len(unit)))
    _Counted.asked = 0

    read(tokens, lexicon)

    assert _Counted.asked <= _LONGEST_PHRASE * max(len(tokens), 1)


#: more words than any phrase of a vocabulary has
_LONGEST_PHRASE = 16


@pytest.mark.parametrize("unit", ADVERSARIAL)
def test_a_message_of_100_kilobytes_is_decided(unit: str) -> None:
    """Length alone breaks nothing, and the message comes back whole."""
    message = unit * (100_000 // len(unit))

    resolution = resolve(message, said(*CONVERSATIONS["en"]))

    assert resolution.query is None or resolution.query.endswith(message)


def test_composing_piled_up_accents_is_linear() -> None:
    """All marks of two classes on one letter, which composing would have to sort, are cut down before that."""
    piled = "a" + "\u0301\u0316" * 50_000

    assert len(normalise(piled)) < 20
    assert normalise("e\u0301te\u0301") == "été"


PROGRAM = """
import sys
from pipelines.resolution.gate import Turn, resolve
from tests.resolution.gate.minimal_pairs import CONVERSATIONS, PAIRS
for code, pairs in PAIRS.items():
    user, assistant = CONVERSATIONS[code]
    history = [Turn(role="user", text=user), Turn(role="assistant", text=assistant)]
    for pair in pairs:
        for text in pair:
            sys.stdout.buffer.write(repr(resolve(text, history)).encode() + b"\\n")
"""


@pytest.mark.integration
def test_any_process_locale_and_time_zone_decides_alike() -> None:
    """The hash seed, the locale and the time zone of the process change no byte of any answer."""
    places = [
        {"PYTHONHASHSEED": "0", "LC_ALL": "C", "TZ": "UTC"},
        {"PYTHONHASHSEED": "1", "LC_ALL": "tr_TR.UTF-8", "TZ": "Pacific/Kiritimati"},
        {"PYTHONHASHSEED": "2", "LC_ALL": "fr_FR.UTF-8", "TZ": "America/Caracas", "PYTHONUTF8": "1"},
    ]

    answers = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, **place, "PYTHONPATH": "."},
            cwd=ROOT,
            capture_output=True,
            check=True,
        ).stdout
        for place in places
    }

    assert len(answers) == 1
    assert answers.pop().count(b"\n") == sum(2 * len(pairs) for pairs in PAIRS.values())


def test_an_answer_is_a_value() -> None:
    """Two equal questions have equal answers."""
    expected = Resolution(decision=Decision.SKIP, reason="too_short", query=None, combined_with=None, language="en")

    assert resolve("Why?") == resolve("Why?") == expected
