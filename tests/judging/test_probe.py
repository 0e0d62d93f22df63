"""Finding out what an endpoint can do, and asking in the best way that was found."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pipelines.cli import app
from pipelines.errors import NightcheckError
from pipelines.io.judge_files import read_capabilities
from pipelines.judging.answer import Answer, read_answer
from pipelines.judging.capabilities import AnswerForm
from pipelines.judging.choice.run import choose_judge
from pipelines.judging.endpoint.run import probe_endpoint
from pipelines.judging.openai import OpenAIJudge
from pipelines.judging.settings import read_settings
from pipelines.judging.verdict import Status
from tests.judging.build import Clock, a_retrieval, judged
from tests.judging.scripted_endpoint import Call, Failed, Reply, Said, ScriptedBatches, scripted, well


def knowing(
    *fields: str, forms: tuple[str, ...], refusal: int = 400, pays_no_heed: bool = False
) -> Callable[[Call], Reply]:
    """Return an endpoint that knows these fields and response formats, and fails at any other with an HTTP status."""

    def script(call: Call) -> Reply:
        known = {"model", "messages", "response_format", *fields}
        asked: dict[str, Any] = call.body.get("response_format") or {"type": "text"}
        form = asked["type"] + ("+schema" if asked["type"] == "json_object" and "schema" in asked else "")
        if set(call.body) - known or form not in ("text", *forms):
            return Failed(status=refusal)
        if form in ("json_schema", "json_object+schema") and not pays_no_heed:
            return well(call)
        return Said(text='Sure! {"p1": "good"}') if form.startswith("json") else well(call)

    return script


#: which fields and forms servers take, each as seen in the wild
SERVERS = {
    "everything": (
        knowing("max_completion_tokens", "temperature", "seed", "prompt_cache_key", forms=("json_schema",)),
        AnswerForm.JSON_SCHEMA,
        {"reasoning_effort", "prompt_cache_options"},
    ),
    "no schema, answers 500": (
        knowing("max_tokens", "temperature", "seed", forms=("json_object", "json_object+schema"), refusal=500),
        AnswerForm.JSON_OBJECT_WITH_SCHEMA,
        {"max_completion_tokens", "prompt_cache_key", "reasoning_effort", "prompt_cache_options"},
    ),
    "takes a schema and pays no heed": (
        knowing("max_tokens", "temperature", forms=("json_schema", "json_object"), pays_no_heed=True),
        AnswerForm.TEXT,
        {"max_completion_tokens", "seed", "prompt_cache_key", "reasoning_effort", "prompt_cache_options"},
    ),
    "text only": (
        knowing("max_tokens", forms=()),
        AnswerForm.TEXT,
        {
            "max_completion_tokens",
            "temperature",
            "seed",
            "prompt_cache_key",
            "reasoning_effort",
            "prompt_cache_options",
        },
    ),
}


def environment_of(base_url: str, home: Path) -> dict[str, str]:
    """Return the settings of a judge at an address."""
    return {
        "NIGHTCHECK_JUDGE_BASE_URL": base_url,
        "NIGHTCHECK_JUDGE_MODEL": "gpt-4o-2024-11-20",
        "NIGHTCHECK_HOME": str(home),
    }


@pytest.mark.parametrize("name", SERVERS)
def test_each_kind_of_server_is_asked_in_its_best_way(name: str, tmp_path: Path) -> None:
    """The probe finds the way, stores it, and the judge that is made next uses it and says so."""
    script, form, refused = SERVERS[name]
    with scripted(script) as endpoint:
        environment = environment_of(endpoint.base_url, tmp_path)
        result = CliRunner().invoke(app, ["judge", "probe", "--json"], env=environment)
        probed = len(endpoint.calls)
        judge = choose_judge("openai", home=tmp_path, environment=environment, warn=lambda _: None)
        assert isinstance(judge, OpenAIJudge)
        verdict = judged(judge, [a_retrieval("The plan.", "Bread.")])["r-1"]

        assert len(endpoint.calls) == probed + 1
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout.splitlines()[-1])
    assert (found["form"], set(found["refused"]), found["batches"]) == (form.value, refused, False)
    assert [p.query_grade for p in verdict.passages] == [3, 0]
    assert f"asked as {form.value}" in (verdict.detail or "")


def test_all_ways_are_validated_alike(tmp_path: Path) -> None:
    """An answer that a text-only server gives around its JSON counts as one that a strict server gives."""
    text = 'Here:\n{"need": "n", "needs_retrieval": true, "passages": [], "sufficient": false}'

    assert isinstance(read_answer(text, []), Answer)


def test_batches_are_found_where_they_are(tmp_path: Path) -> None:
    """A probe notes that an endpoint has batches, and mode batch then uses them."""
    endpoint = ScriptedBatches(well)
    try:
        environment = environment_of(endpoint.base_url, tmp_path)
        CliRunner().invoke(app, ["judge", "probe"], env=environment, catch_exceptions=False)
        stored = read_capabilities(tmp_path, endpoint.base_url, "gpt-4o-2024-11-20")
        assert stored is not None
        assert stored.batches
        judge = choose_judge(
            "openai", home=tmp_path, environment=environment | {"NIGHTCHECK_JUDGE_MODE": "auto"}, warn=lambda _: None
        )
        assert isinstance(judge, OpenAIJudge)
        calls = len(endpoint.calls)
        judged(judge, [a_retrieval(f"The plan {n}.", retrieval_id=f"r-{n}") for n in range(3)])
        assert len(endpoint.calls) == calls + 3
        always = environment | {"NIGHTCHECK_JUDGE_MODE": "batch"}
        for anew, batches in ((False, 1), (True, 1)):
            again = choose_judge("openai", home=tmp_path, environment=always, warn=lambda _: None, anew=anew)
            assert isinstance(again, OpenAIJudge)
            again._sleep = Clock().sleep
            judged(again, [a_retrieval("The plan.")])
            assert len(endpoint.batches) == batches
        assert len(endpoint.calls) == calls + 4
    finally:
        endpoint.close()


def test_an_unprobed_endpoint_is_asked_in_plain_text_and_said_aloud(tmp_path: Path) -> None:
    """Nothing is counted on that was not found; the warning names the command that finds it."""
    said: list[str] = []
    with scripted(well) as endpoint:
        judge = choose_judge(
            "openai", home=tmp_path, environment=environment_of(endpoint.base_url, tmp_path), warn=said.append
        )
        assert isinstance(judge, OpenAIJudge)
        verdict = judged(judge, [a_retrieval("The plan.")])["r-1"]

        assert "response_format" not in endpoint.calls[0].body
    assert verdict.status is Status.JUDGED
    assert any("judge probe" in text for text in said)


@pytest.mark.parametrize("reply", [Failed(status=401), Failed(status=500)])
def test_an_endpoint_that_answers_nothing_cannot_be_probed(reply: Reply, tmp_path: Path) -> None:
    """Nothing is stored, and the error says what to check."""
    import asyncio

    with scripted(lambda _: reply) as endpoint:
        settings = read_settings(environment_of(endpoint.base_url, tmp_path))
        with pytest.raises(NightcheckError, match="endpoint"):
            asyncio.run(probe_endpoint(settings, tmp_path))

        assert read_capabilities(tmp_path, endpoint.base_url, settings.model) is None
