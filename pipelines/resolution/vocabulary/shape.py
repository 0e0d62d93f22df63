"""The shape of a vocabulary file. Knows what each list is for; the words themselves are in the `.toml` files."""

import msgspec

Phrases = list[str]


class Signs(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """By what the language is recognised."""

    words: Phrases
    #: letters and punctuation that only this language, of those there are, uses
    letters: str = ""


class VocabularyFile(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One language.

    A phrase is a row of words; `[a|b]` stands for any one of its alternatives (each may be several words or nothing)
    and `<name>` for the group of that name. A word with accents is also known without them unless that would make it
    one of `accents_matter`.
    """

    signs: Signs
    groups: dict[str, Phrases] = {}
    accents_matter: Phrases = []

    #: whether a statement becomes a question by its tone alone: then a question mark says that it is no narrative
    told_by_tone: bool = False

    #: narratives that reject what was offered
    correction: Phrases
    #: the visitor says again, in other words, what was meant
    repair: Phrases
    #: yes, no, go on
    nod: Phrases
    #: picks one of what was offered
    choice: Phrases
    #: opens a question whose predicate is the one before ("what about …")
    frame: Phrases
    #: words that open a continuation ("and", "but")
    connective: Phrases
    #: pronouns and demonstratives
    reference: Phrases
    #: a reference only where a clause begins or ends with it, or before a generic word ("that" also joins clauses)
    edge_reference: Phrases = []
    #: subject pronouns that may repeat the subject of their own clause ("le plan inclut-il …")
    resumptive: Phrases = []
    #: what begins such a subject, where its noun may be a generic one ("les prix sont-ils …")
    determiner: Phrases = []
    #: topic words that have such an ending by chance
    topic: Phrases = []
    #: verbs that, first in their message, leave their subject to the conversation ("¿incluye …?")
    subjectless: Phrases = []
    #: endings that hang a pronoun on a verb of five letters or more
    reference_endings: Phrases = []
    #: comparing words that want two sides
    comparison: Phrases
    #: words that join two sides of a comparison
    joining: Phrases
    #: articles that single out something known; none where the language has its article before any noun
    definite: Phrases = []
    #: adjectives and the like that choose from a set which, without a preposition, is not named ("the main …", "any …")
    grading: Phrases
    #: nouns of two sides with a preposition for one of them ("the impact on")
    two_place: Phrases
    #: prepositions that could name the set or the other side
    preposition: Phrases
    #: phrases in which a pronoun or demonstrative points at nothing earlier ("is it possible to", "this week")
    neutral: Phrases
    #: what names the company, the product or the site, which a search knows already
    company: Phrases
    #: words that begin a new clause
    clause: Phrases
    #: words without a topic: grammar, and nouns, verbs and adjectives that need an "of what"
    generic: Phrases
    #: asking words and orders; with one of them a message is no bare answer
    asking: Phrases
    #: comments on what was said ("interesting", "good to know"), never a reason for anything
    filler: Phrases
    #: thanks, greetings and farewells
    courtesy: Phrases
    #: words that may stand around a typed address or identifier ("my e-mail is …")
    typed: Phrases
    #: words that people type to try whether anything happens
    nonsense: Phrases
