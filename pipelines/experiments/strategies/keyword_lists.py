"""Keyword lists out of a model's answer."""

import re

import msgspec

from pipelines.experiments.retrievers.query import Keywords
from pipelines.experiments.strategies.plan import Ask
from pipelines.resolution.clean import clean

INSTRUCTIONS = """Which keywords would find what the visitor's last message asks for? Take them from the message,
and from the conversation only where the message refers to it. A greeting, a farewell or a meaningless string has none.
Answer with JSON: {"high_level": [themes and relations], "low_level": [names of things]}."""
#: what is kept of each list
MOST = 8
_BRACES = re.compile(r"\{.*\}", re.DOTALL)


class _Lists(msgspec.Struct):
    high_level: list[str] = []
    low_level: list[str] = []


async def ask_keywords(ask: Ask) -> Keywords | None:
    """Ask the model for keywords; None where it gives none that may be searched."""
    lists = _read(await ask("keywords", INSTRUCTIONS))
    keywords = Keywords(high_level=_kept(lists.high_level, ask), low_level=_kept(lists.low_level, ask))
    return keywords if keywords.all else None


def _read(text: str) -> _Lists:
    """Read the JSON in an answer; an answer without any is a list of names, with commas between."""
    if "{" not in text:
        return _Lists(low_level=re.split(r"[,;\n]", text))
    found = _BRACES.search(text)
    try:
        return msgspec.json.decode(found[0] if found else text, type=_Lists)
    except msgspec.DecodeError:
        return _Lists()


def _kept(words: list[str], ask: Ask) -> tuple[str, ...]:
    kept = (ask.keep(clean(word)) for word in words if word.strip())
    return tuple(dict.fromkeys(word for word in kept if word is not None))[:MOST]
