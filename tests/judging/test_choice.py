"""Choosing a judge by its name, and reading the settings of the one that asks a model."""

import json
from pathlib import Path

import pytest

from pipelines.errors import NightcheckError, UsageError
from pipelines.judging.choice.run import choose_judge
from pipelines.judging.labels import LabelsJudge
from pipelines.judging.lexical import LexicalJudge
from pipelines.judging.settings import Mode, read_settings

MODEL = {"NIGHTCHECK_JUDGE_MODEL": "gpt-5.4-mini-2026-03-17", "OPENAI_API_KEY": "sk-none"}


def chosen(text: str, home: Path, **environment: str) -> object:
    """Return the judge that a text names."""
    return choose_judge(text, home=home, environment=environment, warn=lambda _: None)


def test_each_name_makes_its_judge(tmp_path: Path) -> None:
    """The offline judge needs nothing; labels are read from the file that is named."""
    labels = tmp_path / "votes:odd name.jsonl"
    labels.write_text('{"tenant": "t", "retrieval_id": "r", "passage_id": "p", "votes": {}}\n')

    assert isinstance(chosen("lexical", tmp_path), LexicalJudge)
    assert isinstance(chosen(f"labels:{labels}", tmp_path), LabelsJudge)


@pytest.mark.parametrize("text", ["", "oracle", "lexical:3", "labels", "labels:", "openai:gpt"])
def test_an_unknown_name_lists_the_choices(text: str, tmp_path: Path) -> None:
    """The error is one of usage and says what there is."""
    with pytest.raises(UsageError, match=r"lexical.*openai.*labels:FILE"):
        chosen(text, tmp_path)


def test_a_missing_labels_file_is_named(tmp_path: Path) -> None:
    """The path is in the error."""
    with pytest.raises(NightcheckError, match=r"absent\.jsonl"):
        chosen(f"labels:{tmp_path / 'absent.jsonl'}", tmp_path)


@pytest.mark.parametrize(
    ("environment", "complaint"),
    [
        ({}, "NIGHTCHECK_JUDGE_MODEL"),
        ({"NIGHTCHECK_JUDGE_MODEL": "m-2026-01-01"}, "OPENAI_API_KEY"),
        *(
            (MODEL | {"NIGHTCHECK_JUDGE_BASE_URL": url}, "BASE_URL")
            for url in (
                "ftp://x",
                "http://a/v\x001",
                "http://127.0.0.1:abc/v1",
                "http://127.0.0.1:99999/v1",
                "http://[::1/v1",
                "http://[v1.x]/v1",
                "http://a..b/v1",
                f"http://{'a' * 70}/v1",
                "http://xn--\u00fc/v1",
            )
        ),
        *(
            (MODEL | {f"NIGHTCHECK_JUDGE_{name}": value}, name)
            for name in ("OUTPUT_TOKENS", "MOST_AT_ONCE")
            for value in ("0.5", "0", "1e300", "1.5")
        ),
        (MODEL | {"NIGHTCHECK_JUDGE_EFFORT": "huge"}, "EFFORT"),
        (MODEL | {"NIGHTCHECK_JUDGE_MODE": "slow"}, "MODE"),
        (MODEL | {"NIGHTCHECK_JUDGE_TOKENS_PER_MINUTE": "many"}, "TOKENS_PER_MINUTE"),
        (MODEL | {"NIGHTCHECK_JUDGE_BUDGET_NIGHT": "-1"}, "BUDGET_NIGHT"),
        (MODEL | {"NIGHTCHECK_JUDGE_BUDGET_NIGHT": "nan"}, "BUDGET_NIGHT"),
        (MODEL, "no price"),
    ],
)
def test_a_setting_that_is_missing_or_wrong_is_named(
    environment: dict[str, str], complaint: str, tmp_path: Path
) -> None:
    """Nothing is guessed where money or the instrument depends on it."""
    with pytest.raises(UsageError, match=complaint):
        chosen("openai", tmp_path, **environment)


def test_a_priced_model_is_taken_and_its_concerns_are_said(tmp_path: Path) -> None:
    """The price is found by the exact id; an alias is warned of loudly."""
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps({"gpt-6-sol": {"input": 1, "output": 4}}))
    said: list[str] = []
    environment = MODEL | {"NIGHTCHECK_JUDGE_MODEL": "gpt-6-sol", "NIGHTCHECK_JUDGE_PRICES": str(prices)}

    judge = choose_judge("openai", home=tmp_path, environment=environment, warn=said.append)

    assert judge.identity.model == "gpt-6-sol"
    assert any("no dated snapshot" in text for text in said)


def test_what_changes_the_measurement_changes_the_identity(tmp_path: Path) -> None:
    """Another effort or answer limit is another instrument; a limit on calls at once is not."""
    local = {"NIGHTCHECK_JUDGE_BASE_URL": "http://127.0.0.1:1/v1", "NIGHTCHECK_JUDGE_MODEL": "gpt-5.4-mini-2026-03-17"}

    def hash_of(**more: str) -> str:
        environment = local | {f"NIGHTCHECK_JUDGE_{name}": value for name, value in more.items()}
        return choose_judge("openai", home=tmp_path, environment=environment, warn=lambda _: None).identity.prompt_hash

    assert hash_of() == hash_of(MOST_AT_ONCE="3", MODE="auto", REQUESTS_PER_MINUTE="60")
    assert hash_of() != hash_of(OUTPUT_TOKENS="900")
    assert hash_of() != hash_of(EFFORT="none")


def test_settings_are_read_as_they_are_set() -> None:
    """Every variable arrives where it belongs."""
    settings = read_settings(
        MODEL
        | {
            "NIGHTCHECK_JUDGE_REQUESTS_PER_MINUTE": "500",
            "NIGHTCHECK_JUDGE_TOKENS_PER_MINUTE": "200000",
            "NIGHTCHECK_JUDGE_MOST_AT_ONCE": "16",
            "NIGHTCHECK_JUDGE_BUDGET_NIGHT": "5",
            "NIGHTCHECK_JUDGE_BUDGET_TENANT": "0.5",
            "NIGHTCHECK_JUDGE_MODE": "batch",
            "NIGHTCHECK_JUDGE_EFFORT": "none",
        }
    )

    assert (settings.limits.requests_per_minute, settings.limits.tokens_per_minute) == (500, 200_000)
    assert (settings.limits.most_at_once, settings.ceiling.night, settings.ceiling.tenant) == (16, 5, 0.5)
    assert (settings.mode, settings.effort, settings.official) == (Mode.BATCH, "none", True)
