"""What the README shows is what its commands print."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def run(arguments: list[str], home: Path, text: str | None = None) -> str:
    """Run the command line in a process of its own and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "pipelines.cli", *arguments],
        capture_output=True,
        text=True,
        input=text,
        cwd=ROOT,
        env=os.environ | {"NIGHTCHECK_HOME": str(home)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_readme_is_short() -> None:
    """At most 150 lines, and the first command within the first 25."""
    lines = README.splitlines()

    assert len(lines) <= 150
    assert "make demo" in lines[:25]


@pytest.mark.integration
def test_the_demo_prints_what_the_readme_shows(tmp_path: Path) -> None:
    """The block under `make demo` is the demo's own output."""
    (shown,) = re.findall(r"```text\n(.*?)```", README, re.DOTALL)

    printed = run(["demo", "--last-day", "2026-11-29"], tmp_path)

    lines = [line.rstrip() for line in printed.splitlines()]
    assert [line for line in shown.splitlines() if line not in lines] == []


def test_the_examples_answer_as_shown(tmp_path: Path) -> None:
    """Each `echo … | nightcheck …` is answered by the line below it."""
    examples = re.findall(r"^\$ echo '(.*)' \| nightcheck (\w+)\n(.*)$", README, re.MULTILINE)

    assert examples
    for asked, command, answered in examples:
        assert run([command], tmp_path, asked + "\n").strip() == answered
