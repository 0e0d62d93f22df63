"""What a model's provider family lets one say, read off the model's id.

The table is keyed on families because ids come and go: an id that nobody has seen falls back to its family, and an id
without a known family to what every server of the OpenAI protocol understands. Sources: the parameter descriptions of
the installed openai SDK (`types/chat/completion_create_params.py`), and for the rest the servers' own documentation.
What an endpoint refuses on top of that is found by probing it (`capabilities`).
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """The optional parameters that models of one family accept."""

    name: str
    #: a sampling temperature; reasoning models answer anything but their default with an error
    temperature: bool = True
    #: a best-effort seed
    seed: bool = True
    #: an effort for reasoning
    effort: bool = False
    #: a routing key for the provider's prompt cache
    cache_key: bool = False
    #: explicit breakpoints of the prompt cache (these families bill what they write to it)
    cache_breakpoints: bool = False
    #: the field that limits the answer's tokens
    limit_field: str = "max_tokens"
    #: a strict JSON schema, before any probe
    json_schema: bool = False
    #: ids that end in a date name one snapshot, ids without one move
    dated: bool = False


OPENAI_CACHING = Family(
    name="openai-caching",
    temperature=False,
    seed=False,
    effort=True,
    cache_key=True,
    cache_breakpoints=True,
    limit_field="max_completion_tokens",
    json_schema=True,
    dated=True,
)
OPENAI_REASONING = Family(
    name="openai-reasoning",
    temperature=False,
    seed=False,
    effort=True,
    cache_key=True,
    limit_field="max_completion_tokens",
    json_schema=True,
    dated=True,
)
OPENAI_CHAT = Family(
    name="openai-chat", cache_key=True, limit_field="max_completion_tokens", json_schema=True, dated=True
)
#: before structured output and `max_completion_tokens`
OPENAI_OLD = Family(name="openai-old", seed=False, dated=True)
ANTHROPIC = Family(name="anthropic", temperature=False, seed=False, dated=True)
GOOGLE = Family(name="google", seed=False)
OPEN_WEIGHTS = Family(name="open-weights")
OTHER = Family(name="other", seed=False)

_VENDOR = re.compile(r"^(?:[\w.-]+/)+")
_GPT = re.compile(r"^(?:ft:)?gpt-(\d+)(?:\.(\d+))?(?!\d)")
_O_SERIES = re.compile(r"^(?:ft:)?o\d")
_CODEX = re.compile(r"^codex-")
_OLD = re.compile(r"^(?:ft:)?gpt-(?:3\.5|4(?:-|$))")
_OPEN = re.compile(
    r"gpt-oss|llama|qwen|qwq|mistral|mixtral|ministral|magistral|gemma|phi-?\d|deepseek|smollm|granite|command-[ra]|glm|"
    r"kimi|olmo|falcon|nemotron|yi-|internlm|minicpm|hermes|vicuna|solar|exaone|tinyllama"
)


def family_of(model: str) -> Family:
    """Return the family of a model id, with or without its vendor's path before it. Never fails."""
    name = _VENDOR.sub("", model.strip().lower())
    if _OPEN.search(name):
        return OPEN_WEIGHTS
    if name.startswith("claude"):
        return ANTHROPIC
    if name.startswith("gemini"):
        return GOOGLE
    return _openai_family(name)


def _openai_family(name: str) -> Family:
    if name.startswith(("chatgpt-4o", "gpt-4o", "gpt-4.1", "gpt-audio")):
        return OPENAI_CHAT
    if _OLD.match(name):
        return OPENAI_OLD
    if _O_SERIES.match(name) or _CODEX.match(name):
        return OPENAI_REASONING
    version = _GPT.match(name)
    if version is None:
        return OPENAI_REASONING if name.startswith("gpt-") else OTHER
    number = (int(version[1]), int(version[2] or 0))
    if number < (5, 0):
        return OPENAI_CHAT
    return OPENAI_CACHING if number >= (5, 6) else OPENAI_REASONING


_DATE = re.compile(r"(?:^|[-@_])(?:20\d\d-?[01]\d-?[0-3]\d|[01]\d[0-3]\d)(?:$|[-:])")


def names_a_snapshot(model: str) -> bool:
    """Say whether an id names one snapshot for good: it ends in a date, or its family has no moving names."""
    family = family_of(model)
    if model.strip().lower().endswith("latest"):
        return False
    return not family.dated or _DATE.search(model) is not None
