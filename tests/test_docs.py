"""What the pages about gate, time phrases and disclaimers show is what commands and benchmarks print."""

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
PAGES = ("gate", "time-phrases", "disclaim")
#: commands that answer JSON lines; what needs stored traffic is held to the pages where that traffic is stored
_OF_LINES = {"gate", "when", "disclaim"}


def page(name: str) -> str:
    """Return a page."""
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


def steps(session: str) -> Iterator[tuple[list[str], str]]:
    """Yield each command of a session and what stands under it; the lines of a here-document count as under it."""
    for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, shown = part.partition("\n")
        yield shlex.split(command), shown


def answers(arguments: list[str], text: str) -> list[str]:
    """Return the lines that the command line answers in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "pipelines.cli", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        input=text,
        cwd=ROOT,
        env=os.environ | {"PYTHONUTF8": "1"},
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", PAGES)
def test_each_session_is_answered_as_shown(name: str) -> None:
    """What follows `$ cat FILE` is the file, what follows `$ nightcheck …` its output."""
    files: dict[str, str] = {}
    compared = 0
    for session in re.findall(r"```console\n(.*?)```", page(name), re.DOTALL):
        for command, shown in steps(session):
            match command:
                case ["cat", file]:
                    files[file] = shown
                case ["nightcheck", verb, "<", file] if verb in _OF_LINES:
                    assert answers([verb], files[file]) == shown.splitlines()
                    compared += 1
                case ["nightcheck", verb, "<<END"] if verb in _OF_LINES:
                    text, _, printed = shown.partition("END\n")
                    assert answers([verb], text) == printed.splitlines()
                    compared += 1
                case _:
                    assert command[0] == "nightcheck", command

    assert compared


def _benchmark(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def _shown(name: str, first: str) -> str:
    """Return the block of a page that begins with these words."""
    (block,) = re.findall(rf"```\n({re.escape(first)}.*?)```", page(name), re.DOTALL)
    return str(block)


@pytest.mark.golden
def test_the_gates_figures_are_what_its_benchmark_prints(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """People's turns, rule by rule, and the trade-off; how fast it is depends on the machine."""
    gate = _benchmark("gate")
    vars(gate)["FOLDER"] = shared_data / "gate"
    shown, _, _ = _shown("gate", "CAsT 2019").partition("\nthroughput")

    gate.show_agreement({name: gate.load(file) for name, file in gate.SOURCES.items()})

    assert capsys.readouterr().out.strip() == shown.strip()


def test_the_readme_has_the_figures_of_the_pages() -> None:
    """Recall and wrong firings of gate and baseline, source by source; time phrases; disclaimers."""
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    shown = _shown("gate", "CAsT 2019")
    for row in ("recall, short dep.", "wrong firings"):
        cells = re.findall(rf"^  {row} +\d+  ([\d.]+) \S+ \S+ +([\d.]+) ", shown, re.MULTILINE)
        assert len(cells) == len(("CAsT 2019", "CAsT 2020", "iKAT 2023"))
        for figures in zip(*cells, strict=True):
            assert " / ".join(figures) in readme
    (exact,) = re.findall(r"as missed: .* = ([\d.]+)%", page("time-phrases"))
    assert f"{exact} % of the [time phrases]" in readme
    (found, of) = re.findall(r"all answerable, disclaimed is true +(\d+) of (\d+)", page("disclaim"))[0]
    assert f"{found} of {int(of):,} answers" in readme


@pytest.mark.golden
def test_the_figures_of_time_phrases_are_what_their_benchmark_prints(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The closed set, all the references' phrases, and ordinary questions; not the speed."""
    when = _benchmark("when")
    vars(when)["DATA"] = shared_data / "time"
    shown, _, _ = _shown("time-phrases", "closed_set").partition("\nspeed")

    when.closed_set(show=False)
    when.open_sets(show=False)
    when.ordinary_questions(show=False)

    assert capsys.readouterr().out.strip() == shown.strip()


@pytest.mark.golden
def test_the_figures_of_disclaimers_are_what_their_benchmark_prints(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Marked phrases and answers; not the speed."""
    disclaim = _benchmark("disclaim")
    vars(disclaim)["DATA"] = shared_data / "disclaim"
    shown, _, _ = _shown("disclaim", "marked phrases").partition("\nanswers of")

    disclaim.show_agreement()

    assert capsys.readouterr().out.strip() == shown.strip()
