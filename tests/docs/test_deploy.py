"""`docs/deploy/`: the program knows what its units name, and systemd knows what is in them.

Its nginx configuration is run in `tests/server/test_behind_nginx.py`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import click

from companion.cli import DEFAULT, main
from companion.settings import PREFIX, Settings
from tests.kit.programs import needed

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "deploy"
PROGRAM = "/opt/companion/bin/companion"
UNITS = ("companion@8001.service", "companion-backup.service", "companion-backup.timer")


def texts(pattern: str) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in FOLDER.glob(pattern))


def test_variables_and_options_are_the_programs() -> None:
    known = {f"{PREFIX}{each.name.upper()}" for each in fields(Settings)}
    named = re.findall(rf"^(?:Environment=)?({PREFIX}\w+)=", texts("*"), re.MULTILINE)
    assert len(named) > 6
    assert set(named) <= known
    (line,) = re.findall(rf"^ExecStart={PROGRAM} (.*)$", texts("*.service"), re.MULTILINE)
    command = main.get_command(click.Context(main), DEFAULT)
    assert command is not None
    options = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    asked = re.findall(r"--[\w-]+", line)
    assert len(asked) == 3
    assert set(asked) <= options


def test_systemd_understands_the_units(tmp_path: Path) -> None:
    for file in (*FOLDER.glob("*.service"), *FOLDER.glob("*.timer")):
        text = file.read_text(encoding="utf-8").replace(PROGRAM, sys.executable)
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    assert {each.name.replace("@", "@8001") for each in tmp_path.iterdir()} == set(UNITS)
    done = subprocess.run(
        [needed("systemd-analyze"), "verify", "--man=no", *UNITS],
        env={"SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_nobody_is_told_to_install_what_others_publish_under_this_name() -> None:
    """Only the wheel itself: on the index the name is another program's."""
    root = FOLDER.parents[1]
    told = [*root.glob("*.md"), *root.glob("docs/**/*.md"), *root.glob("companion/**/*.py")]
    for file in told:
        assert not re.search(r"install '?companion\b(?!-)", file.read_text(encoding="utf-8")), file


def test_what_is_installed_is_known_by_its_hash() -> None:
    """The wheel, which its user has made, brings along nothing that is not."""
    root = FOLDER.parents[1]
    for file in (FOLDER / "README.md", root / "docs" / "scale.md"):
        asked = re.findall(r"pip install (.*)", file.read_text(encoding="utf-8"))
        assert asked, file
        for each in asked:
            locked = re.match(r"--require-hashes -r (\S+)", each)
            assert each.startswith("--no-deps ") or locked, each
            assert locked is None or (root / locked[1]).is_file(), each


def test_every_file_is_explained() -> None:
    text = texts("README.md")
    for file in FOLDER.iterdir():
        assert file.name == "README.md" or f"({file.name})" in text, file.name
