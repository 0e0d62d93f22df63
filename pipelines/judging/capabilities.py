"""What an endpoint can do, found by asking it, and the body of a call that makes the best of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pipelines.judging.families import Family
from pipelines.judging.rubric import Rubric


class AnswerForm(StrEnum):
    """How the form of the answer is asked for, the surest way first. The instructions ask for it in every case."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT_WITH_SCHEMA = "json_object_with_schema"
    JSON_OBJECT = "json_object"
    TEXT = "text"


#: the parameters that some endpoint or other does not know
OPTIONAL = (
    "max_completion_tokens",
    "temperature",
    "seed",
    "reasoning_effort",
    "prompt_cache_key",
    "prompt_cache_options",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What one endpoint does with one model: how it answers, what parameters it refuses, whether it runs batches."""

    form: AnswerForm = AnswerForm.TEXT
    refused: frozenset[str] = frozenset()
    batches: bool = False


def assumed(family: Family, *, official: bool) -> Capabilities:
    """Return what to count on before a probe: OpenAI's own service as documented, any other only with plain text."""
    if official and family.json_schema:
        return Capabilities(form=AnswerForm.JSON_SCHEMA, batches=True)
    return Capabilities(refused=frozenset({"seed", "reasoning_effort", "prompt_cache_key", "prompt_cache_options"}))


def request_body(
    *,
    rubric: Rubric,
    document: str,
    model: str,
    family: Family,
    capabilities: Capabilities,
    effort: str,
    output_limit: int,
    correction: str | None = None,
) -> dict[str, Any]:
    """Return the body of one chat completion: instructions, document, and what was wrong with an answer before."""
    able = {name for name in OPTIONAL if name not in capabilities.refused}
    breakpoints = family.cache_breakpoints and "prompt_cache_options" in able
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": _instructions(rubric, breakpoints=breakpoints)},
        {"role": "user", "content": document},
    ]
    if correction is not None:
        messages.append({"role": "user", "content": correction})
    limit = family.limit_field if family.limit_field in able | {"max_tokens"} else "max_tokens"
    body: dict[str, Any] = {"model": model, "messages": messages, limit: output_limit}
    if family.temperature and "temperature" in able:
        body["temperature"] = 0
    if family.seed and "seed" in able:
        body["seed"] = 0
    if family.effort and "reasoning_effort" in able:
        body["reasoning_effort"] = effort
    if family.cache_key and "prompt_cache_key" in able:
        body["prompt_cache_key"] = rubric.version
    if breakpoints:
        body["prompt_cache_options"] = {"mode": "explicit"}
    response_format = _response_format(capabilities.form, rubric.schema)
    return body if response_format is None else body | {"response_format": response_format}


def _instructions(rubric: Rubric, *, breakpoints: bool) -> str | list[dict[str, Any]]:
    if not breakpoints:
        return rubric.instructions
    return [{"type": "text", "text": rubric.instructions, "prompt_cache_breakpoint": {"mode": "explicit"}}]


def _response_format(form: AnswerForm, schema: Mapping[str, Any]) -> dict[str, Any] | None:
    match form:
        case AnswerForm.JSON_SCHEMA:
            return {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": schema}}
        case AnswerForm.JSON_OBJECT_WITH_SCHEMA:
            return {"type": "json_object", "schema": schema}
        case AnswerForm.JSON_OBJECT:
            return {"type": "json_object"}
        case AnswerForm.TEXT:
            return None
