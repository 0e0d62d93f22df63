"""The claim of the decision record, measured on phrases that reference implementations read."""

import importlib.util
from pathlib import Path

import pytest

_BENCHMARK = Path(__file__).parents[3] / "benchmarks" / "when.py"


@pytest.mark.golden
def test_claimed_phrases_agree_with_the_references(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """At least 97 % of the claimed phrases have exactly the references' span, counting as missed what was set aside late."""
    spec = importlib.util.spec_from_file_location("benchmark_when", _BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    benchmark = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(benchmark)
    vars(benchmark)["DATA"] = shared_data / "time"

    share = benchmark.closed_set(show=False)

    assert share >= 0.97
    assert "exact" in capsys.readouterr().out
