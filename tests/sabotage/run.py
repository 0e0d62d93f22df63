"""Break one guarantee after the other in a copy of the project, and see its tests turn red.

    python -m tests.sabotage.run              all patches (some minutes)
    python -m tests.sabotage.run no_fsync     some of them

A patch says in its head what it breaks and which tests must fail. Ends with 1 where one of them stays green: the tests
then promise more than they hold. Where Kafka cannot be started its patches are told as not run, and that is a 1 in CI.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATCHES = Path(__file__).parent
_COPIED = ("assets", "pipelines", "schemas", "tests", "pyproject.toml")
_IGNORED = shutil.ignore_patterns("__pycache__", "target", ".hypothesis")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sabotage:
    """A patch: what it breaks, and the tests that must notice, each by itself."""

    name: str
    breaks: str
    tests: tuple[str, ...]
    patch: str

    @classmethod
    def read(cls, path: Path) -> "Sabotage":
        """Read a patch with its head."""
        text = path.read_text()
        head = text.partition("\n\n")[0].splitlines()
        told = [line.partition(": ") for line in head]
        tests = tuple(value for key, _, value in told if key == "Caught by")
        (breaks,) = [value for key, _, value in told if key == "Breaks"]
        return cls(name=path.stem, breaks=breaks, tests=tests, patch=text)


def all_patches() -> list[Sabotage]:
    """Return every patch, by name."""
    return [Sabotage.read(path) for path in sorted(PATCHES.glob("*.patch"))]


def copy_of_the_project(folder: Path) -> None:
    """Copy what the tests need; Kafka's jars are linked."""
    for name in _COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=_IGNORED)
        elif source.exists():
            shutil.copy(source, folder / name)
    jars = ROOT / "tests" / "integration" / "kafka" / "target"
    if jars.exists():
        (folder / "tests" / "integration" / "kafka" / "target").symlink_to(jars)


def outcome(sabotage: Sabotage, test: str) -> str:
    """Return `red`, `green` or `not run` for one test in a copy of the project with the patch applied."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_of_the_project(folder)
        subprocess.run(["patch", "-p1", "--quiet"], input=sabotage.patch, text=True, cwd=folder, check=True)
        environment = {**os.environ, "PYTHONPATH": name, "NIGHTCHECK_KILLS": "12", "CI": ""}
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", test]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode == 1 and "failed" in done.stdout:
            return "red"
        if done.returncode == 0 and "passed" in done.stdout:
            return "green"
        return "not run" if "skipped" in done.stdout else f"broken: {done.stdout[-400:]}{done.stderr[-400:]}"


def main() -> int:
    """Run the patches that are named, or all; return the exit code."""
    wanted = set(sys.argv[1:])
    bad = 0
    for sabotage in all_patches():
        if wanted and sabotage.name not in wanted:
            continue
        print(f"{sabotage.name}: {sabotage.breaks}", flush=True)
        for test in sabotage.tests:
            found = outcome(sabotage, test)
            bad += found != "red" and (found != "not run" or bool(os.environ.get("CI")))
            print(f"    {found:8} {test}", flush=True)
    print("every guarantee is watched" if not bad else f"{bad} tests do not notice")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
