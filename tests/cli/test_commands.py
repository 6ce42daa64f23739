"""The commands' names and help, without starting anything."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.build import build
from companion.cli import COMMANDS, main
from companion.settings import Settings
from companion.storage.secret_key import secret_key
from companion.storage.sqlite_log import SqliteLog
from tests.kit.server import COMMAND, ROOT, environment


def test_help_names_every_command() -> None:
    shown = CliRunner().invoke(main, ["--help"])
    assert shown.exit_code == 0
    assert shown.output.startswith("Usage: main [OPTIONS] | COMMAND [ARGS]...\n")  # not both
    for name in COMMANDS:
        assert f"\n  {name} " in shown.output
    assert "--public-url" in shown.output


def test_the_version() -> None:
    assert CliRunner().invoke(main, ["--version"]).output == f"companion {build()}\n"


@pytest.mark.parametrize("given", [["--port", "8000"], ["--port=many"], ["--log", "--data", "x"]])
@pytest.mark.parametrize("asked", ["--help", "-h", "--version"])
def test_both_also_among_the_server_s_options(given: list[str], asked: str) -> None:
    alone = CliRunner().invoke(main, [asked])
    for arguments in ([*given, asked], [asked, *given]):
        said = CliRunner().invoke(main, arguments)
        assert (said.exit_code, said.output) == (0, alone.output)


@pytest.mark.parametrize("arguments", [["explode"], ["--explode"], ["serve", "extra"]])
def test_what_there_is_not(arguments: list[str]) -> None:
    said = CliRunner().invoke(main, arguments)
    assert said.exit_code == 2
    assert "Usage: " in said.output


def test_a_file_whose_name_has_a_comma_is_no_pair() -> None:
    said = CliRunner().invoke(main, ["--tls", "a,b.pem", "key.pem"])
    assert said.exit_code == 2
    assert "comma" in said.output


@pytest.mark.parametrize("arguments", [["--port", "many"], ["serve", "--port", "many"]])
def test_options_without_a_command_are_the_server_s(arguments: list[str]) -> None:
    said = CliRunner().invoke(main, arguments)
    assert said.exit_code == 2
    assert said.output == "companion: --port must be a whole number from 0 to 65535.\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str) -> None:
    shown = CliRunner().invoke(main, [command, "--help"])
    assert shown.exit_code == 0
    assert COMMANDS[command][1].split(",")[0].split(".")[0] in shown.output


@pytest.mark.parametrize(
    "arguments",
    [
        ["backup", "FILE", "--data", "CLOSED"],
        ["backup", "CLOSED/new.zip", "--data", "HERE"],
        ["tables", "--data", "CLOSED"],
        ["tables", "--delete", "x", "--data", "CLOSED"],
        ["standing", "--free", "1", "--data", "CLOSED"],
        ["standing", "2", "-o", "FILE", "--data", "CLOSED"],
        ["copy", "--from", "CLOSED", "--to", "HERE"],
        ["doctor", "--port", "0", "--data", "CLOSED"],
    ],
    ids=lambda given: " ".join(given[:2]),
)
def test_a_folder_into_which_one_may_not_look_is_told(tmp_path: Path, arguments: list[str]) -> None:
    """As that of a service is to other users; a name that is too long is refused to root, too."""
    closed = tmp_path / ("x" * 300)
    (tmp_path / "file").touch()
    places = {"CLOSED": closed, "HERE": tmp_path, "FILE": tmp_path / "file"}
    for name, place in places.items():
        arguments = [each.replace(name, str(place)) for each in arguments]
    done = CliRunner(env={"COMPANION_LOCAL_NAME": "off"}).invoke(main, arguments)
    assert isinstance(done.exception, SystemExit)
    assert done.exit_code == 1
    assert re.search(
        rf"^(companion:|bad  ) {re.escape(str(closed))} cannot be \w+: .+\.$", done.output, re.M
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk to write to")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments",
    [["--version"], ["--help"], ["tables", "--help"], ["tables"], ["doctor"], ["backup", "FILE"]],
    ids=" ".join,
)
def test_what_nobody_can_be_told_is_said_in_a_line(
    tmp_path: Path, arguments: list[str], unbuffered: str
) -> None:
    settings = Settings(data=tmp_path / "data")
    SqliteLog(settings.data, secret_key(settings)).close()
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*COMMAND, *(each.replace("FILE", str(tmp_path / "a.zip")) for each in arguments)],
            env=environment(data=str(settings.data)) | {"PYTHONUNBUFFERED": unbuffered},
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
        )
    said = "companion: Standard output cannot be written: No space left on device.\n"
    assert (done.stderr, done.returncode) == (said, 1)


def test_a_fault_that_has_nothing_to_do_with_the_output_is_told_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.build.build", broken)
    assert isinstance(CliRunner().invoke(main, ["--version"]).exception, OSError)
