"""Imports run one way: rules, record, tables, then storage and live, then web and cli."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.tables.games import GAMES

PACKAGE = Path(__file__).resolve().parents[1] / "companion"

MAY_IMPORT = {
    "rules": {"rules"},
    "record": {"rules", "record"},
    "tables": {"rules", "record", "tables"},
    "storage": {"tables", "storage"},
    "live": {"tables", "live"},
    "messages": {"rules", "record", "tables", "messages"},
}
"""The rooms of this package that each may import; nothing imports `web` or `cli` but themselves."""

NOT_OF_THIS_WORLD = {"gettext", "json", "random", "secrets", "time", "datetime", "os", "socket"}
"""Of the standard library, what rules may not know."""


def imports(room: str) -> Iterator[tuple[Path, str]]:
    """Every module that the files of a room import, wherever in the file."""
    for file in sorted((PACKAGE / room).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                for name in node.names:
                    yield file, name.name
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{file}: imports are absolute"
                if node.module == "companion":
                    yield from ((file, f"companion.{name.name}") for name in node.names)
                else:
                    yield file, node.module or ""


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_run_one_way(room: str) -> None:
    for file, module in imports(room):
        parts = module.split(".")
        if parts[0] == "companion" and len(parts) > 1:
            assert parts[1] in MAY_IMPORT[room], f"{file} imports {module}"


@pytest.mark.parametrize("room", ["rules", "record", "tables"])
def test_inner_rooms_need_nothing_installed(room: str) -> None:
    for file, module in imports(room):
        top = module.split(".")[0]
        assert top == "companion" or top in sys.stdlib_module_names, f"{file} imports {module}"


def test_rules_know_neither_clock_nor_chance_nor_text() -> None:
    for file, module in imports("rules"):
        assert module.split(".")[0] not in NOT_OF_THIS_WORLD, f"{file} imports {module}"


def test_nothing_but_a_games_own_pages_knows_its_name() -> None:
    web, templates = PACKAGE / "web", PACKAGE.parent / "templates"
    shared = [
        file
        for root in (web, templates)
        for file in sorted(root.rglob("*.*"))
        if file.suffix in (".py", ".html", ".js", ".css")
        and not {file.stem, *file.relative_to(root).parts} & {"vendor", *GAMES}
    ]
    assert len(shared) > 40
    for file in shared:
        text = file.read_text(encoding="utf-8").lower()
        named = [game for game in GAMES if re.search(rf"\b{game}", text)]
        assert not named, f"{file} names {named}"
