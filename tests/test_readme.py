"""What the README and docs/ show is run, and what the README names is there."""

import doctest
import re
from pathlib import Path

import click
import pytest

from companion.cli import COMMANDS, DEFAULT, main

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"


def test_examples_run() -> None:
    record = ROOT / "docs" / "record.md"
    failed, tried = doctest.testfile(str(record), module_relative=False, encoding="utf-8")
    assert (failed, tried > 3) == (0, True)


def test_what_it_names_is_there() -> None:
    text = README.read_text(encoding="utf-8")
    paths = re.findall(
        r"`((?:companion|templates|translations|tests|benchmarks)(?:/[\w/]+)?)`", text
    )
    paths += re.findall(r"\]\((?!https?:)([^)]+)\)", text)
    assert len(paths) > 8
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_its_make_targets_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"\bmake (\w+)", README.read_text(encoding="utf-8")))
    assert {"run", "test", "messages"} <= targets
    assert [name for name in sorted(targets) if not re.search(rf"^{name}:", makefile, re.M)] == []


def documents() -> str:
    """README, and what stands in docs/."""
    files = [README, *sorted((ROOT / "docs").glob("*.md"))]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_described_with_its_options(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    text = documents()
    assert name == DEFAULT or re.search(rf"`?companion {name}\b", text)
    for parameter in command.params:
        for option in parameter.opts if isinstance(parameter, click.Option) else ():
            assert re.search(rf"{option}\b", text), option


def test_every_make_target_is_described() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (targets,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.M)
    told = set(re.findall(r"^# make (\w+)", makefile, re.M))
    # what only others call
    assert set(targets.split()) - told == {"venv", "debian", "all-tests"}


def test_every_document_is_linked_to() -> None:
    text = README.read_text(encoding="utf-8")
    for file in (ROOT / "docs").glob("*.md"):
        assert f"docs/{file.name}" in text
