"""What is seen as personal data, and what only looks like it."""

import pytest

from pipelines.privacy import Kind, find_personal_data, find_possible_names

EMAILS = [
    ("dotted", "Write to mary.ann.lowe@mail.corp-site.org please", "mary.ann.lowe@mail.corp-site.org"),
    ("run together", "it is maryannlowe@corp.io.", "maryannlowe@corp.io"),
    ("digits", "(lowe1987x02@corp.io)", "lowe1987x02@corp.io"),
    ("tag", "use lowe+shop@corp.io!", "lowe+shop@corp.io"),
    ("quoted", 'from "mary lowe"@corp.io today', '"mary lowe"@corp.io'),
    ("quoted with a sign in it", 'from "mary@home"@corp.io today', "mary@home"),
    ("international", "écrivez à zoé@bücher.example-shop.de", "zoé@bücher.example-shop.de"),
    ("Cyrillic", "пишите мария@почта.рф", "мария@почта.рф"),
    ("full width", "lowe\uff20corp\uff0eio", "lowe\uff20corp\uff0eio"),
    ("invisible character", "lowe@\u200bcorp.io", "lowe@\u200bcorp.io"),
    ("escaped", "?to=lowe%40corp.io&x=1", "lowe%40corp.io"),
    ("entity", "lowe&#64;corp.io", "lowe&#64;corp.io"),
    ("link", "mailto:lowe@corp.io?subject=x", "lowe@corp.io"),
    ("no dot", "lowe@intranet", "lowe@intranet"),
    ("address literal", "lowe@[192.0.2.7]", "lowe@[192.0.2.7]"),
    ("bare address", "root@192.0.2.7", "root@192.0.2.7"),
    ("comment", "lowe@(the office)corp.io", "lowe@(the office)corp.io"),
    ("spaces in the host", "lowe @ corp . com", "lowe @ corp . com"),
    ("half quoted", 'to lowe"@corp.io', 'lowe"@corp.io'),
    ("spaces", "lowe @ corp.io", "lowe @ corp.io"),
    ("brackets", "lowe [at] corp [dot] io", "lowe [at] corp [dot] io"),
    ("words", "lowe at corp dot com", "lowe at corp dot com"),
    ("dotted words", "mary dot lowe at corp dot com", "mary dot lowe at corp dot com"),
    ("French", "lowe arobase corp point fr", "lowe arobase corp point fr"),
    ("Spanish", "lowe arroba corp punto es", "lowe arroba corp punto es"),
    ("Italian", "lowe chiocciola corp punto it", "lowe chiocciola corp punto it"),
]
NO_EMAILS = [
    "npm install left@18.2.0",
    "ask @corp on the forum",
    "two for @ 5 each",
    "look at example dot com",
    "we met at noon",
    "a @ b",
]
TELEPHONES = [
    "+44 20 7946 0018",
    "call me on 020 7946 0018",
    "(212) 555-0147",
    "212.555.0147 x33",
    "00 33 1 99 00 12 34",
    "appelez le 01 99 00 12 34",
    "llámame al 912 345 678",
    "il mio cellulare: 347 123 4567",
    "555-0147",
    "my mobile is 0471234567",
    "2125550147",
    "0612345678 0698765432",
    "reach me at 0612345678 14:30",
    "+\uff11 \uff12\uff11\uff12 \uff15\uff15\uff15 \uff10\uff11\uff14\uff17",
]
NO_TELEPHONES = [
    "on 2026-11-29 12:30",
    "29.11.2026",
    "from 1939-1945",
    "the poet (1894-1962) wrote",
    "192.168.100.200",
    "version 10.11.12.13",
    "1 200 000 people",
    "€1234567",
    "card 4111 1111 1111 1111",
    "order number 12345678",
    "pi is 3.14159265",
    "12345678901234567890",
    "item AB-12345678",
    "lowe0612345678@corp.io",
]
AGES = [
    ("en", "I am 14"),
    ("en", "I\u2019m fourteen, can I join?"),
    ("en", "My daughter is 9 years old."),
    ("en", "my youngest son just turned 7"),
    ("en", "a seat for a 3-year-old"),
    ("en", "my grandmother, aged 91"),
    ("en", "32 y/o here"),
    ("en", "I was born in May 1984"),
    ("en", "Date of birth: 3 May 1984"),
    ("fr", "J'ai 14 ans"),
    ("fr", "ma fille a neuf ans"),
    ("fr", "mon fils de 9 ans"),
    ("fr", "une dame âgée de quatre-vingt-dix ans"),
    ("es", "Tengo 14 años"),
    ("es", "tengo 14 anos"),
    ("es", "mi hija de nueve años"),
    ("es", "cumple treinta y dos años"),
    ("it", "Ho 14 anni"),
    ("it", "mia figlia ha nove anni"),
    ("it", "un bambino di 3 anni"),
    ("it", "all'età di ottantadue anni"),
]
NO_AGES = [
    "I am 14 km away",
    "I'm 5 minutes late",
    "I am 100% sure",
    "il y a 10 ans",
    "j'ai 10 ans d'expérience",
    "una garantía de 2 años",
    "tengo 3 años de experiencia",
    "ho 10 anni di esperienza",
    "una garanzia di 2 anni",
    "the price will be 50.",
    "turn 3 pages",
    "page 14",
    "version 2 is out",
]


def _found(text: str, kind: Kind) -> list[str]:
    return [text[span.start : span.end] for span in find_personal_data(text) if span.kind == kind]


@pytest.mark.parametrize(("text", "address"), [pytest.param(*case[1:], id=case[0]) for case in EMAILS])
def test_an_address_is_found_whole_however_it_is_written(text: str, address: str) -> None:
    """Each spelling is found, from its first character to its last."""
    assert _found(text, Kind.EMAIL) == [address]


@pytest.mark.parametrize("text", NO_EMAILS)
def test_what_holds_an_at_sign_is_not_always_an_address(text: str) -> None:
    """Versions, handles, prices and places are left alone."""
    assert _found(text, Kind.EMAIL) == []


@pytest.mark.parametrize("text", TELEPHONES)
def test_telephone_numbers_of_several_countries_are_found(text: str) -> None:
    """National and international spellings, with words around them or without."""
    assert _found(text, Kind.TELEPHONE)


@pytest.mark.parametrize("text", NO_TELEPHONES)
def test_other_numbers_are_no_telephone_numbers(text: str) -> None:
    """Dates, addresses, amounts, cards and identifiers are left alone."""
    assert _found(text, Kind.TELEPHONE) == []


def test_numbers_side_by_side_are_two_numbers() -> None:
    """A blank between two numbers does not make them one that is too long to be any."""
    assert _found("0612345678 0698765432", Kind.TELEPHONE) == ["0612345678", "0698765432"]


def test_a_table_of_digits_is_refused_rather_than_searched_for_ever() -> None:
    """A text with more groups of digits than anyone types counts as one that holds a number."""
    text = " ".join(f"{number:02d}" for number in range(11, 99)) * 200

    rules = {span.rule for span in find_personal_data(text) if span.kind == Kind.TELEPHONE}

    assert "too many digits" in rules


@pytest.mark.parametrize(("language", "text"), AGES)
def test_a_disclosed_age_is_found_in_each_language(language: str, text: str) -> None:
    """Digits and words, with accents or without, of the writer and of others; the rule names the language."""
    rules = [span.rule for span in find_personal_data(text) if span.kind == Kind.AGE]

    assert rules == [language]


@pytest.mark.parametrize("text", NO_AGES)
def test_a_number_is_no_age_by_itself(text: str) -> None:
    """Distances, durations, shares and amounts are left alone."""
    assert _found(text, Kind.AGE) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Could you ask Mary Lowe about it?", "Mary Lowe"),
        ("my name is mary lowe", "mary lowe"),
        ("je m'appelle zoé", "zoé"),
        ("Mme Dupont a appelé", "Dupont"),
        ("me llamo Íñigo", "Íñigo"),
        ("la signora Rossi", "Rossi"),
        ("see Dr. O'Hara-Smith", "O'Hara-Smith"),
    ],
)
def test_possible_names_are_listed(text: str, name: str) -> None:
    """Introduced or titled names in any letters, others by their capitals."""
    assert name in [text[span.start : span.end] for span in find_possible_names(text)]


def test_words_that_others_write_small_are_no_names() -> None:
    """The vocabulary of the whole harvest takes ordinary words off the list."""
    text = "Does Billing open on Monday?"

    without = [text[span.start : span.end] for span in find_possible_names(text)]
    ordinary = find_possible_names(text, ordinary=frozenset({"billing"}))

    assert without == ["Billing"]
    assert ordinary == ()
