"""What the demonstration's visitors ask about, and how people talk. The texts are in one module per language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One subject of a knowledge base. Its questions and facts share their words; two topics share almost none."""

    title: str
    questions: tuple[str, ...]
    facts: tuple[str, ...]
    #: messages that only mean something after one of the questions
    follow_ups: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """How a language's visitors and its agent speak, whatever the subject."""

    language: str
    topics: tuple[Topic, ...]
    #: shorter than ten characters: nothing is searched
    short: tuple[str, ...]
    #: long enough to be searched, and meaningless alone
    nods: tuple[str, ...]
    #: the visitor rejects what was proposed
    corrections: tuple[str, ...]
    farewells: tuple[str, ...]
    courtesies: tuple[str, ...]
    disclaimers: tuple[str, ...]
    #: begins an answer that disclaims a part
    partial: tuple[str, ...]
    #: how a snippet of an earlier conversation begins; {question} and {fact} are put in
    snippet: str
    #: how a rewriting model phrases a query; {title} and {question} are put in
    rewrite: str
