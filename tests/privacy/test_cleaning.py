"""Cleaning keeps people apart and texts readable, and never lets through what it can still see."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipelines.privacy import (
    Cleaned,
    DetectorFailedError,
    Dropped,
    Kind,
    PersonalDataLeftError,
    Substitution,
    clean,
    find_personal_data,
    is_reserved,
    require_clean,
)

KEY = b"a key that only these tests know"
PIECES = st.sampled_from(
    [
        "lowe",
        "a",
        "7",
        "@",
        ".",
        " at ",
        " dot ",
        "com",
        "corp.io",
        '"',
        "[at]",
        "(",
        ")",
        "+",
        "é",
        "%40",
        "\u200b",
        " ",
        "\n",
        "=",
        "0612345678",
        "I am 14",
        "-",
        "_",
        "<",
        ">",
        "[1.2.3.4]",
        "&#64;",
        "/",
    ]
)


def _cleaned(text: str, substitution: Substitution) -> str:
    result = clean(text, substitution)
    assert isinstance(result, Cleaned)
    return result.text


@pytest.mark.property
@given(st.lists(PIECES, max_size=25).map("".join))
def test_nothing_personal_is_left_whatever_the_text(text: str) -> None:
    """A cleaned text holds no address but those handed out; else it was dropped or refused."""
    substitution = Substitution(KEY)

    try:
        result = clean(text, substitution)
    except PersonalDataLeftError:
        return

    if isinstance(result, Cleaned):
        spans = find_personal_data(result.text)
        assert all(substitution.issued(result.text[span.start : span.end]) for span in spans)


@pytest.mark.property
@given(st.text(max_size=80))
def test_a_text_without_finds_stays_as_it_is(text: str) -> None:
    """Cleaning changes nothing but what was found."""
    if not find_personal_data(text):
        assert clean(text, Substitution(KEY)) == Cleaned(text=text, replaced=0)


def test_the_shape_of_an_address_stays() -> None:
    """Dots, digits, capitals, signs and the number of the host's labels stay where they were."""
    synthetic = _cleaned("Mary.Lowe-87+shop@mail.corp.io", Substitution(KEY))

    local, host = synthetic.split("@")
    assert [("A" if c.isupper() else "a" if c.isalpha() else "9" if c.isdigit() else c) for c in local] == list(
        "Aaaa.Aaaa-99+aaaa"
    )
    assert host.endswith(".example")
    assert host.count(".") == 2
    assert is_reserved(synthetic)


def test_one_person_stays_one_person() -> None:
    """Case, dots and a tag are spellings of one mailbox; they stay spellings of one synthetic mailbox."""
    substitution = Substitution(KEY)

    spellings = [
        _cleaned(text, substitution)
        for text in ("mary.lowe@corp.io", "MaryLowe@CORP.io", "mary.lowe+x@corp.io", "mary dot lowe [at] corp [dot] io")
    ]

    mailboxes = {address.partition("@")[0].partition("+")[0].replace(".", "").lower() for address in spellings}
    assert len(mailboxes) == 1
    assert len({address.partition("@")[2] for address in spellings}) == 1


def test_different_people_stay_apart_even_with_short_addresses() -> None:
    """A thousand one- and two-letter addresses on one host get a thousand synthetic ones."""
    substitution = Substitution(KEY)
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    addresses = [f"{first}{second}@corp.io" for first in letters for second in letters]

    synthetic = {substitution.address_for(address) for address in addresses}

    assert len(synthetic) == len(addresses)


def test_colleagues_stay_colleagues() -> None:
    """Two people on one host have synthetic addresses on one host; another host is another."""
    substitution = Substitution(KEY)

    mary, john, other = (substitution.address_for(a) for a in ("mary@corp.io", "john@corp.io", "mary@else.io"))

    assert mary.partition("@")[2] == john.partition("@")[2]
    assert mary.partition("@")[2] != other.partition("@")[2]


def test_the_key_decides_and_a_short_one_is_refused() -> None:
    """The same key gives the same address in any process, another key another, and a guessable key none."""
    same = {Substitution(KEY).address_for("mary.lowe@corp.io") for _ in range(2)}

    assert len(same) == 1
    assert Substitution(KEY[::-1]).address_for("mary.lowe@corp.io") not in same
    with pytest.raises(ValueError, match="fewer than 16 bytes"):
        Substitution(b"short")


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("I am 14, write to mary@corp.io", (Kind.AGE,)),
        ("call +44 20 7946 0018", (Kind.TELEPHONE,)),
        ("I am 14, call +44 20 7946 0018", (Kind.AGE, Kind.TELEPHONE)),
    ],
)
def test_ages_and_telephone_numbers_drop_the_text(text: str, kinds: tuple[Kind, ...]) -> None:
    """Nothing can stand for them, so the whole text goes, with the reason."""
    assert clean(text, Substitution(KEY)) == Dropped(kinds=kinds)


def test_an_address_left_behind_is_refused_without_being_quoted() -> None:
    """The error says where and what kind, and does not repeat the address."""
    with pytest.raises(
        PersonalDataLeftError, match=r"items\.jsonl line 3: personal data is left \(email at 9-21\)"
    ) as caught:
        require_clean("write to mary@corp.io", is_reserved, where="items.jsonl line 3")

    assert "mary" not in str(caught.value)


def test_a_detector_that_fails_stops_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a broken detector would have found is unknown, so no text passes."""

    def broken(text: str) -> tuple[()]:
        raise RuntimeError(text)

    monkeypatch.setattr("pipelines.privacy.cleaning.find_personal_data", broken)

    with pytest.raises(DetectorFailedError, match=r"turn 7: .* \(RuntimeError\)"):
        clean("nothing here", Substitution(KEY), where="turn 7")
