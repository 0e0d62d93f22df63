"""`--mode`: when a language model's answers come, said for one run, whatever the environment says."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from pipelines.cli import app
from pipelines.cli.context import MODES
from pipelines.errors import UsageError
from pipelines.io.judge_files import StoredProbe, write_capabilities
from pipelines.judging.settings import Mode
from tests.judging.nights import DAYS, RETRIEVALS, ingest
from tests.judging.scripted_endpoint import ScriptedBatches, well

MODEL = "judge-2026-01-01"


@pytest.mark.parametrize(
    ("command", "variable", "option", "paid_for"),
    [("night", "live", "batch", (1, RETRIEVALS, 0)), ("backfill", "batch", "live", (0, 0, RETRIEVALS))],
)
def test_the_option_overrides_the_variable(
    command: str, variable: str, option: str, paid_for: tuple[int, int, int], tmp_path: Path
) -> None:
    """In a batch no call is live; live none is in a batch."""
    ingest(tmp_path, 0)
    endpoint = ScriptedBatches(well)
    endpoint.looked_at_before_over = 0
    known = StoredProbe(form="json_schema", refused=(), batches=True, probed_at="")
    write_capabilities(tmp_path, endpoint.base_url, MODEL, known)
    environment = {
        "NIGHTCHECK_HOME": str(tmp_path),
        "NIGHTCHECK_JUDGE_BASE_URL": endpoint.base_url,
        "NIGHTCHECK_JUDGE_MODEL": MODEL,
        "NIGHTCHECK_JUDGE_MODE": variable,
    }
    try:
        asked = [command, "--day", str(DAYS[0]), "--judge", "openai", "--mode", option]
        result = CliRunner().invoke(app, asked, env=environment, catch_exceptions=False)
    finally:
        endpoint.close()

    assert result.exit_code == 0, result.output
    assert (len(endpoint.batches), len(endpoint.batched), len(endpoint.calls)) == paid_for


def test_a_mode_is_for_a_judge_that_has_one(tmp_path: Path) -> None:
    """The offline judge has no batches: the option is refused rather than passed over."""
    ingest(tmp_path, 0)
    asked = ["night", "--day", str(DAYS[0]), "--judge", "lexical", "--mode", "batch"]

    with pytest.raises(UsageError, match=r"--mode.*openai"):
        CliRunner().invoke(app, asked, env={"NIGHTCHECK_HOME": str(tmp_path)}, catch_exceptions=False)


def test_the_modes_are_those_of_the_judge() -> None:
    """The command line lists them without importing the judge."""
    assert tuple(Mode) == MODES
