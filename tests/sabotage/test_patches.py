"""Each patch fits the code as it is, so that the sabotage run breaks what it says; the run itself is a command."""

import subprocess
from pathlib import Path

import pytest

from tests.sabotage.run import ROOT, Sabotage, all_patches, copy_of_the_project


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project."""
    folder = tmp_path_factory.mktemp("project")
    copy_of_the_project(folder)
    return folder


@pytest.mark.parametrize("sabotage", all_patches(), ids=lambda sabotage: sabotage.name)
def test_a_patch_applies_and_names_tests_that_exist(sabotage: Sabotage, project: Path) -> None:
    """A patch that no longer applies watches nothing."""
    command = ["patch", "-p1", "--dry-run", "--quiet", "--fuzz=0"]
    done = subprocess.run(command, input=sabotage.patch, text=True, cwd=project, capture_output=True, check=False)

    assert done.returncode == 0, done.stdout
    assert sabotage.tests
    for test in sabotage.tests:
        file, _, name = test.partition("::")
        assert f"def {name}" in (ROOT / file).read_text()
