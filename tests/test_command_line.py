"""The command line as a whole: every command can be imported and explains itself."""

import inspect
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from pipelines.cli import COMMANDS, app, main
from pipelines.cli.counted import counted


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself(name: str) -> None:
    """`--help` of each registered command works and says something."""
    result = CliRunner().invoke(app, [name, "--help"])

    assert result.exit_code == 0, result.output
    assert "Usage:" in result.output


def _all(group: click.Group, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every command and group, with its place among the groups."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from _all(command, (*path, name))


ALL = {" ".join(path): command for path, command in _all(app)}
GROUPS = {"": app} | {name: command for name, command in ALL.items() if isinstance(command, click.Group)}
#: those that do something themselves
LEAVES = {
    name: command
    for name, command in ALL.items()
    if not isinstance(command, click.Group) or command.invoke_without_command
}


@pytest.mark.parametrize("name", sorted(GROUPS))
def test_no_line_of_a_list_of_commands_is_cut(name: str) -> None:
    """At 80 columns each command is told in a whole sentence."""
    told = CliRunner().invoke(app, [*name.split(), "--help"], env={"COLUMNS": "80"}).output.split("Commands:\n")[1]

    assert told
    assert [line for line in told.splitlines() if line.endswith("...")] == []


@pytest.mark.parametrize("name", sorted(GROUPS))
def test_every_group_shows_examples_that_its_commands_would_take(name: str) -> None:
    """The help of a group has lines to copy, each a call of a command in it."""
    lines = [line.strip() for line in inspect.cleandoc(GROUPS[name].help or "").splitlines()]
    calls = [line for line in lines if line.startswith(f"nightcheck {name}".strip() + " ")]

    assert calls
    for call in calls:
        words = shlex.split(re.split(r" [|<>] |  |$", call.removeprefix("nightcheck "))[0])
        command = max((each for each in LEAVES if words[: len(each.split())] == each.split()), key=len)
        LEAVES[command].make_parser(click.Context(LEAVES[command])).parse_args(words[len(command.split()) :])


@pytest.mark.parametrize("name", sorted(LEAVES))
def test_every_command_shows_an_example_that_it_would_take(name: str) -> None:
    """The help of a command has lines to copy, and their options are ones that the command has."""
    command = LEAVES[name]
    lines = [line.strip() for line in inspect.cleandoc(command.help or "").splitlines()]
    calls = [found[1] for line in lines if (found := re.search(rf"nightcheck {name}( .*)?$", line))]

    assert calls
    for options in calls:
        command.make_parser(click.Context(command)).parse_args(shlex.split(re.split(r" [|<>]|$", options or "")[0]))


def _fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[object, str]:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    return stopped.value.code or 0, capsys.readouterr().err


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a home that is not there yet, with a space in its name."""
    home = tmp_path / "a home"
    monkeypatch.setenv("NIGHTCHECK_HOME", str(home))
    return home


@pytest.fixture
def folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder that a command is run in."""
    monkeypatch.chdir(home.parent)
    return home.parent


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("nigth",), 2, "Did you mean 'night'"),
        (("alerts", "lst"), 2, "Did you mean 'list'"),
        (("show", "relevance_dayly"), 2, "Did you mean relevance_daily?"),
        (("show", "relevance_daily"), 1, "nightcheck ingest SOURCE"),
        (("ingest", "/dev/null"), 2, "neither a file nor a folder"),
        (("ingest", "no-such-file"), 2, "no such file or folder"),
        (("judge", "noise", "--day", "2026-11-29", "--judge", "labels:no-such-file"), 2, "no such file or folder"),
        (("ingest", "empty"), 2, "holds no file of records"),
        (("ingest", "text.jsonl.gz"), 1, "cannot be unpacked as its name says"),
        (("night", "--day", "2026-11-31"), 2, "is no day"),
        (("night", "--day", "2026-11-30"), 1, "there is no warehouse yet"),
    ],
)
def test_what_cannot_be_meant_is_said_with_a_next_step(
    folder: Path, arguments: tuple[str, ...], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, and 2 for a command that was misused, 1 for work that failed."""
    (folder / "empty").mkdir()
    (folder / "text.jsonl.gz").write_text("not packed")

    stopped, words = _fails(capsys, *arguments)

    assert stopped == code
    assert said in words
    assert "Traceback" not in words


def test_a_home_may_be_relative_a_link_or_new_and_never_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever names a folder will do; a file is refused before anything is done."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "record.jsonl").write_text("no event\n")
    (tmp_path / "behind a link").mkdir()
    (tmp_path / "link").symlink_to("behind a link")
    for home in ("./relative", "link", "new/and deep"):
        monkeypatch.setenv("NIGHTCHECK_HOME", home)

        code, told = _fails(capsys, "ingest", "record.jsonl")

        assert (code, told.splitlines()[1:]) == (0, ["What is in quarantine, and why: nightcheck quarantine list"])
        assert Path(home, "warehouse.duckdb").exists()
    monkeypatch.setenv("NIGHTCHECK_HOME", "record.jsonl")
    assert _fails(capsys, "status") == (
        2, f"nightcheck: NIGHTCHECK_HOME: {tmp_path / 'record.jsonl'} is a file, and no folder. Name the folder of its files\n"
    )  # fmt: skip


def test_a_warehouse_without_events_says_so(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing but a rejected record came, status names no days."""
    (tmp_path / "record.jsonl").write_text("no event\n")
    _fails(capsys, "ingest", str(tmp_path / "record.jsonl"))

    with pytest.raises(SystemExit):
        main(["status"])

    told = capsys.readouterr().out
    assert "no events yet" in told
    assert "None" not in told
    assert home.exists()


@pytest.mark.usefixtures("home")
def test_a_published_folder_that_was_deleted_is_made_again(
    tmp_path: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`publish` needs nothing of what was there."""
    (tmp_path / "record.jsonl").write_text("no event\n")
    _fails(capsys, "ingest", str(tmp_path / "record.jsonl"))
    _fails(capsys, "publish")
    before = {path.name for path in (home / "published").iterdir()}
    shutil.rmtree(home / "published")

    assert _fails(capsys, "publish")[0] == 0

    assert {path.name for path in (home / "published").iterdir()} == before


def test_someone_who_stops_a_command_gets_the_shells_code_and_can_go_on(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C in the middle of ingesting ends with 130; what was committed is kept, and the rest is read the next time."""
    (tmp_path / "records.jsonl").write_text("".join(f"no event {number}\n" for number in range(100)))

    def stop(_records: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("pipelines.io.files.FileSource.committed", lambda _self, _stretches: stop(_stretches))
        stopped, words = _fails(capsys, "ingest", str(tmp_path / "records.jsonl"))

    assert stopped == 130
    assert "run the same command again" in words
    assert _fails(capsys, "ingest", str(tmp_path / "records.jsonl"))[0] == 0
    _fails(capsys, "status")
    assert _fails(capsys, "status")[0] == 0
    assert not list(home.glob("*.new"))


def test_one_thing_is_told_in_the_singular() -> None:
    """What commands print says `1 day`; a number in print stands before a plural only by way of `counted`."""
    assert [counted(number, "day") for number in (0, 1, 2, 3000)] == ["0 days", "1 day", "2 days", "3,000 days"]
    assert counted(1, "waits", "wait", width=4) == "   1 waits"

    printed = re.compile(r"\{[^{}]*:\d*,\} (?:[a-z]+ )?[a-z]+s\b")
    sources = (Path(inspect.getfile(main)).parent).glob("*.py")
    assert {found for source in sources for found in printed.findall(source.read_text(encoding="utf-8"))} == {
        "{floor.passages:,} passages"
    }
