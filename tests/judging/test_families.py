"""Parameters are decided by a model's family, and every id has one."""

from typing import get_args

import pytest
from openai.types.shared import ChatModel

from pipelines.io.llm import announced_shutdowns
from pipelines.judging.capabilities import Capabilities, request_body
from pipelines.judging.families import (
    ANTHROPIC,
    GOOGLE,
    OPEN_WEIGHTS,
    OPENAI_CACHING,
    OPENAI_CHAT,
    OPENAI_OLD,
    OPENAI_REASONING,
    OTHER,
    Family,
    family_of,
    names_a_snapshot,
)
from pipelines.judging.rubric import load_rubric
from pipelines.judging.settings import concerns


@pytest.mark.parametrize("model", get_args(ChatModel))
def test_every_id_that_the_client_lists_has_a_family_of_its_provider(model: str) -> None:
    """None of the provider's real ids falls through to what is unknown."""
    assert family_of(model).name.startswith("openai-")


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-6.2-astra", OPENAI_CACHING),
        ("gpt-5.6-terra", OPENAI_CACHING),
        ("gpt-11-nova", OPENAI_CACHING),
        ("openai/gpt-5.10-mini", OPENAI_CACHING),
        ("gpt-5.5-2026-04-23", OPENAI_REASONING),
        ("gpt-5.4-mini-2026-03-17", OPENAI_REASONING),
        ("gpt-5-mini", OPENAI_REASONING),
        ("o3-mini-2025-01-31", OPENAI_REASONING),
        ("o9-preview", OPENAI_REASONING),
        ("gpt-next", OPENAI_REASONING),
        ("codex-mini-latest", OPENAI_REASONING),
        ("gpt-4.1-nano-2025-04-14", OPENAI_CHAT),
        ("gpt-4o-mini-2024-07-18", OPENAI_CHAT),
        ("ft:gpt-4o-mini-2024-07-18:acme::abc", OPENAI_CHAT),
        ("gpt-4.5-preview", OPENAI_CHAT),
        ("gpt-4-0613", OPENAI_OLD),
        ("gpt-3.5-turbo-0125", OPENAI_OLD),
        ("gpt-oss-20b", OPEN_WEIGHTS),
        ("meta-llama/Llama-3.3-70B-Instruct", OPEN_WEIGHTS),
        ("Qwen/Qwen3-8B-AWQ", OPEN_WEIGHTS),
        ("qwen3:8b", OPEN_WEIGHTS),
        ("mistralai/Mistral-Small-24B", OPEN_WEIGHTS),
        ("SmolLM2-135M-Instruct.Q4_1.gguf", OPEN_WEIGHTS),
        ("claude-sonnet-4-5-20250929", ANTHROPIC),
        ("models/gemini-2.5-flash", GOOGLE),
        ("my-own-model", OTHER),
        ("", OTHER),
    ],
)
def test_an_id_that_nobody_has_seen_falls_back_to_its_family(model: str, family: Family) -> None:
    """A new size, date or vendor's path changes nothing; a stranger is asked with what every server understands."""
    assert family_of(model) is family


def fields_of(model: str, *refused: str) -> set[str]:
    """Return the fields of a call beyond the model and its messages."""
    body = request_body(
        rubric=load_rubric(),
        document="{}",
        model=model,
        family=family_of(model),
        capabilities=Capabilities(refused=frozenset(refused)),
        effort="low",
        output_limit=10,
    )
    return set(body) - {"model", "messages"}


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        ("gpt-6-sol", {"max_completion_tokens", "reasoning_effort", "prompt_cache_key", "prompt_cache_options"}),
        ("gpt-5.4-mini-2026-03-17", {"max_completion_tokens", "reasoning_effort", "prompt_cache_key"}),
        ("gpt-4.1-2025-04-14", {"max_completion_tokens", "temperature", "seed", "prompt_cache_key"}),
        ("gpt-4-0613", {"max_tokens", "temperature"}),
        ("qwen3:8b", {"max_tokens", "temperature", "seed"}),
        ("my-own-model", {"max_tokens", "temperature"}),
    ],
)
def test_a_family_is_sent_only_what_it_takes(model: str, fields: set[str]) -> None:
    """No temperature for reasoning models, no cache options for models before they existed."""
    assert fields_of(model) == fields


def test_what_an_endpoint_refuses_is_not_sent_to_it() -> None:
    """A probe's findings take away from what the family would be sent."""
    assert fields_of("gpt-4.1-2025-04-14", "seed", "prompt_cache_key", "max_completion_tokens") == {
        "max_tokens",
        "temperature",
    }


def test_the_cache_breakpoint_stands_at_the_end_of_the_instructions() -> None:
    """Only the instructions are written to the cache by models that bill for writing."""
    body = request_body(
        rubric=load_rubric(),
        document="{}",
        model="gpt-6-sol",
        family=OPENAI_CACHING,
        capabilities=Capabilities(),
        effort="low",
        output_limit=10,
    )

    [block] = body["messages"][0]["content"]
    assert block["prompt_cache_breakpoint"] == {"mode": "explicit"}
    assert body["prompt_cache_options"] == {"mode": "explicit"}
    assert body["messages"][1]["content"] == "{}"


@pytest.mark.parametrize(
    ("model", "snapshot"),
    [
        ("gpt-5.4-mini-2026-03-17", True),
        ("gpt-4-0613", True),
        ("claude-sonnet-4-5-20250929", True),
        ("Qwen/Qwen3-8B", True),
        ("gpt-5.4-mini", False),
        ("gpt-6-sol", False),
        ("gpt-5-chat-latest", False),
        ("llama3:latest", False),
    ],
)
def test_a_name_that_moves_is_told_from_a_snapshot(model: str, snapshot: bool) -> None:
    """A date names a snapshot for good; "latest" never does."""
    assert names_a_snapshot(model) is snapshot


def test_an_alias_and_a_model_that_ends_are_said_aloud() -> None:
    """The end comes from what the installed client announces."""
    shutdowns = announced_shutdowns()

    assert len(shutdowns) > 20
    assert concerns("gpt-5.4-mini-2026-03-17", shutdowns) == []
    [ends] = concerns("gpt-4.1-2025-04-14", shutdowns)
    assert "2027-01-14" in ends
    moves, ends_too = concerns("gpt-4o", shutdowns)
    assert "dated snapshot" in moves
    assert "2027-01-14" in ends_too
