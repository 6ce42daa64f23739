"""Imports run one way: rules, a game's own, record, tables, storage and live, web, server, cli."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import games

GAMES = games.names()

PACKAGE = Path(__file__).resolve().parents[1] / "companion"

MAY_IMPORT = {
    "games/*/rules": ("games.game", "games.{game}.rules", "games.{game}.refusals"),
    "games/*": ("games.game", "games.book", "games.{game}", "record", "tables", "web", "i18n"),
    "record": ("games", "record"),
    "tables": ("games", "record", "tables"),
    "storage": ("tables", "storage"),
    "live": ("tables", "live"),
    "web/http": ("web.http", "settings", "tables.model", "games.game"),
    "server": ("server", "web", "live", "storage", "tables", "games.game", "settings", "i18n"),
}
"""What the modules of each room may import of this package, by how their names begin."""

NOT_OF_THIS_WORLD = {
    *("gettext", "json", "random", "secrets", "time", "datetime", "os", "socket"),
    *("sys", "logging", "locale"),
}
"""Of the standard library, what rules may not know."""


def imports(room: str) -> Iterator[tuple[Path, str]]:
    """Every module that the files of a room import, wherever in the file."""
    for file in sorted(each for folder in PACKAGE.glob(room) for each in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                for name in node.names:
                    yield file, name.name
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{file}: imports are absolute"
                if re.fullmatch(r"companion(\.games\.\w+)?", node.module or ""):
                    yield from ((file, f"{node.module}.{name.name}") for name in node.names)
                else:
                    yield file, node.module or ""


@pytest.mark.parametrize("room", MAY_IMPORT)
def test_imports_run_one_way(room: str) -> None:
    for file, module in imports(room):
        if module == "companion" or not module.startswith("companion."):
            continue
        inside = file.relative_to(PACKAGE).parts
        may = [each.format(game=inside[1]) for each in MAY_IMPORT[room]]
        name = module.removeprefix("companion.")
        assert any(name == each or name.startswith(f"{each}.") for each in may), (
            f"{file} imports {module}"
        )


INNER = ["games/*/rules", "record", "tables"]


@pytest.mark.parametrize("room", INNER)
def test_inner_rooms_need_nothing_installed(room: str) -> None:
    for file, module in imports(room):
        top = module.split(".")[0]
        assert top == "companion" or top in sys.stdlib_module_names, f"{file} imports {module}"


def test_rules_know_neither_clock_nor_chance_nor_text() -> None:
    for file, module in imports("games/*/rules"):
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
