"""People named in a question: whole words, any case, accents, initials."""

import pytest

from pipelines.resolution.structured.people import Person, named_people

TUNDE = Person(person_id="p1", name="Tunde Bakare")
CHLOE = Person(person_id="p2", name="Chloé Lefèvre", aliases=("Coco",))
WILL = Person(person_id="p3", name="Will Ng")
OTHER_TUNDE = Person(person_id="p4", name="Tunde Ade")
PEOPLE = (TUNDE, CHLOE, WILL)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When did I last see Tunde?", (TUNDE,)),
        ("when did i last see tunde", (TUNDE,)),
        ("TUNDE's birthday", (TUNDE,)),
        ("Did Bakare call?", (TUNDE,)),
        ("Has T. Bakare answered?", (TUNDE,)),
        ("Was Tunde B. there?", (TUNDE,)),
        ("Ask TB about it", (TUNDE,)),
        ("Ask T.B. about it", (TUNDE,)),
        ("tb or not tb", ()),
        ("Et Chloe, et le dîner ?", (CHLOE,)),
        ("Lunch with CHLOÉ LEFÈVRE and Tunde", (CHLOE, TUNDE)),
        ("Is coco coming?", (CHLOE,)),
        ("Ask Mme Lefe\u0300vre", (CHLOE,)),  # the accent as a character of its own
        ("Will it rain?", ()),
        ("It will rain", ()),
        ("When did I meet Will?", (WILL,)),
        ("Will Ng wrote", (WILL,)),
        ("Tunder and tundes", ()),
        ("", ()),
    ],
)
def test_people_are_named_by_whole_words(question: str, expected: tuple[Person, ...]) -> None:
    """Each spelling of a name finds its person; parts of words and common words do not."""
    assert named_people(question, PEOPLE) == expected


def test_a_full_name_does_not_name_others_who_share_a_part() -> None:
    """The name "Tunde Bakare" is one person, "Tunde" alone may be either."""
    people = (TUNDE, OTHER_TUNDE)

    assert named_people("Where is Tunde Bakare?", people) == (TUNDE,)
    assert named_people("Where is Tunde?", people) == (TUNDE, OTHER_TUNDE)
