"""Imports run one way between rooms, and in no ring between modules; see the drawing in README."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from companion.games import GAMES

PACKAGE = Path(__file__).resolve().parents[1] / "companion"
FILES = {
    ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): file
    for file in sorted(PACKAGE.rglob("*.py"))
    if "migrations" not in file.parts
}

LEAVES = ("settings", "i18n", "paths")
WHAT_A_GAME_IS = ("games.game", "games.fields", "games.book")
BELOW_TABLES = (*WHAT_A_GAME_IS, "record")
BELOW_WEB = (*BELOW_TABLES, *LEAVES, "tables", "live")

MAY_IMPORT = {
    "settings": (),
    "i18n": ("paths",),
    "paths": (),
    "games.game": ("games.fields",),
    "games.fields": (),
    "games.book": (),
    r"games\.(\w+)\.rules": (*WHAT_A_GAME_IS, "games.{game}.refusals"),
    r"games\.(\w+)\.(labels|refusals)": (*WHAT_A_GAME_IS, "games.{game}.labels"),
    r"games\.(\w+)\.pages": (*BELOW_WEB, "web.http", "web.view", "web.pages", "games.{game}"),
    r"games\.(\w+)": (*WHAT_A_GAME_IS, "games.{game}"),
    "games": ("games.game",),
    "record": WHAT_A_GAME_IS,
    "tables": BELOW_TABLES,
    "storage": (*BELOW_TABLES, *LEAVES, "tables"),
    "live": (*BELOW_TABLES, "tables"),
    r"web\.http": (*BELOW_WEB,),
    r"web\.view": (*BELOW_WEB, "web.http"),
    r"web\.live": (*BELOW_WEB, "web.http", "web.view"),
    r"web\.pages": (*BELOW_WEB, "web.http", "web.view", "web.live"),
    "web": (*BELOW_WEB, "web"),
    "server": (*BELOW_WEB, "games", "storage", "web"),
    "cli": (*BELOW_WEB, "games", "storage", "web", "server", "__init__"),
    "__main__": ("cli",),
    "__init__": (),
}
"""What the modules of each room may import of this package beside their own room; a module is in
the first room whose name its own begins with."""

NOT_OF_THIS_WORLD = {
    *("gettext", "json", "random", "secrets", "time", "datetime", "os", "socket"),
    *("sys", "logging", "locale"),
}
"""Of the standard library, what rules may not know."""

INNER = ["games.*.rules", "record", "tables"]


def imports_of(module: str) -> Iterator[str]:
    """All that a module imports, wherever in its file, by its full name; of this package, the
    module itself and not what is taken out of it."""
    for node in ast.walk(ast.parse(FILES[module].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: imports are absolute"
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                yield whole if whole in FILES else str(node.module)
        elif isinstance(node, ast.Call) and "import_module" in ast.unparse(node.func):
            assert module == "companion.games", f"{module} imports by name"


@cache
def graph() -> Mapping[str, frozenset[str]]:
    """Of every module of this package, those of it that it imports."""
    return {
        module: frozenset(each for each in imports_of(module) if each in FILES) for module in FILES
    }


def short(module: str) -> str:
    return module.removeprefix("companion").removeprefix(".") or "__init__"


def is_in(module: str, room: str) -> re.Match[str] | None:
    return re.match(rf"{room}(?=\.|$)", module)


@pytest.mark.parametrize("module", FILES)
def test_imports_run_one_way(module: str) -> None:
    inside = short(module)
    room, found = next((room, found) for room in MAY_IMPORT if (found := is_in(inside, room)))
    game = found[1] if found.groups() else ""
    may = [found[0], *(each.format(game=game) for each in MAY_IMPORT[room])]
    for imported in sorted(map(short, graph()[module])):
        assert imported in may or any(
            is_in(imported, re.escape(each)) for each in may if each != "games"
        ), f"{inside} imports {imported}"


def test_no_module_stands_in_a_ring() -> None:
    """Each is taken away once all that it imports is."""
    left = dict(graph())
    while free := [module for module, needs in left.items() if not needs & left.keys()]:
        for module in free:
            del left[module]
    assert not left


def test_modules_are_imported_by_name_in_one_place_only() -> None:
    users = [module for module in FILES if any("importlib" in each for each in imports_of(module))]
    assert users == ["companion.games"]


def test_inner_rooms_need_nothing_installed() -> None:
    for module in FILES:
        inside = short(module)
        if re.match(r"record|tables|games\.\w+\.(?!pages)", inside):
            for imported in imports_of(module):
                top = imported.split(".")[0]
                assert top == "companion" or top in sys.stdlib_module_names, (inside, imported)


def test_rules_know_neither_clock_nor_chance_nor_text() -> None:
    for module in FILES:
        if re.match(r"games\.\w+\.rules", short(module)):
            assert not {each.split(".")[0] for each in imports_of(module)} & NOT_OF_THIS_WORLD


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
