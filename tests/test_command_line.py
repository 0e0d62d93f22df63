"""The command line as a whole: every command can be imported and explains itself."""

import pytest
from click.testing import CliRunner

from pipelines.cli import COMMANDS, app


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself(name: str) -> None:
    """`--help` of each registered command works and says something."""
    result = CliRunner().invoke(app, [name, "--help"])

    assert result.exit_code == 0, result.output
    assert "Usage:" in result.output
