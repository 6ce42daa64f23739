"""Imports run one way between rooms, and in no ring between modules; the rooms are in README."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from companion.games import GAMES
from companion.languages import ENDONYMS

PACKAGE = Path(__file__).resolve().parents[1] / "companion"
FILES = {
    ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): file
    for file in sorted(PACKAGE.rglob("*.py"))
    if "migrations" not in file.parts
}

LEAVES = (*("settings", "setting_checks", "i18n", "catalogues", "languages", "paths", "compiled"),)
WHAT_A_GAME_IS = (
    "values",
    *("games.game", "games.fields", "games.book", "games.explanation", "games.counting"),
)
BELOW_TABLES = (*WHAT_A_GAME_IS, "record")
BELOW_WEB = (*BELOW_TABLES, *LEAVES, "tables", "live")

MAY_IMPORT = {
    "settings": ("setting_checks",),
    "setting_checks": (),
    "i18n": ("catalogues", "languages"),
    "catalogues": ("compiled", "languages", "paths"),
    "languages": (),
    "compiled": (),
    "paths": (),
    "build": ("__init__", "paths"),
    "values": (),
    "games.game": ("values", "games.book", "games.explanation", "games.fields"),
    "games.fields": ("values",),
    "games.counting": (),
    "games.book": ("values",),
    "games.explanation": ("values", "games.fields"),
    "games.words": ("games.game",),
    r"games\.(\w+)\.rules": (*WHAT_A_GAME_IS, "games.{game}.reasons"),
    r"games\.(\w+)\.(labels|reasons)": (*WHAT_A_GAME_IS, "games.words", "games.{game}.labels"),
    r"games\.(\w+)\.pages": (*BELOW_WEB, "web.http", "web.html", "web.view", "games.{game}"),
    r"games\.(\w+)": (*WHAT_A_GAME_IS, "games.words", "games.{game}"),
    "games": ("games.game",),
    "record": WHAT_A_GAME_IS,
    "tables": BELOW_TABLES,
    "storage": (*BELOW_TABLES, *LEAVES, "tables"),
    "live": (*BELOW_TABLES, "tables"),
    r"web\.http": (*BELOW_WEB,),
    r"web\.html": ("values", *LEAVES, "web.http"),
    r"web\.view": (*BELOW_WEB, "web.http", "web.html"),
    r"web\.answers": (*BELOW_WEB, "web.http", "web.html", "web.view"),
    r"web\.live": (*BELOW_WEB, "web.http", "web.html", "web.view", "web.answers"),
    r"web\.pages": (*BELOW_WEB, "web.http", "web.html", "web.view", "web.answers", "web.live"),
    "web": (*BELOW_WEB, "web"),
    "server": (*BELOW_WEB, "build", "games", "storage", "web"),
    "cli": (*BELOW_WEB, "build", "games", "storage", "web", "server"),
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

NO_SHARED_FILES = {"games", "vendor", "migrations", *GAMES}
NAMES = {name for game in GAMES.values() for name in (*game.editions, *game.ways)}
"""Of editions and of ways. Some editions are called as languages are: no line that speaks of an
edition may have such a name."""

NAMED_OTHERWISE = {"referee": "companion/cli/__init__.py"}
"""What has the name of an edition or a way, and is something else: a command."""


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


def test_inner_rooms_need_nothing_installed_but_values() -> None:
    for module in FILES:
        inside = short(module)
        if re.match(r"record|tables|games\.\w+\.(?!pages)", inside):
            for imported in imports_of(module):
                top = imported.split(".")[0]
                known = top in ("companion", "msgspec") or top in sys.stdlib_module_names
                assert known, (inside, imported)


def test_rules_know_neither_clock_nor_chance_nor_text() -> None:
    for module in FILES:
        if re.match(r"games\.\w+\.rules", short(module)):
            assert not {each.split(".")[0] for each in imports_of(module)} & NOT_OF_THIS_WORLD


def shared_files() -> Iterator[Path]:
    """What belongs to no game: of the program, and of its templates."""
    for root in (PACKAGE, PACKAGE.parent / "templates"):
        for file in sorted(root.rglob("*.*")):
            parts = {file.stem, *file.relative_to(root).parts}
            if file.suffix in (".py", ".html", ".js", ".css") and not parts & NO_SHARED_FILES:
                yield file


def quoted(file: Path) -> Iterator[tuple[str, str]]:
    """Every text in quotes, docstrings apart, with the line that it stands in."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    if file.suffix != ".py":
        for line in lines:
            yield from ((found[2], line) for found in re.finditer(r"""(["'])(.*?)\1""", line))
        return
    tree = list(ast.walk(ast.parse(text)))
    docstrings = {id(node.value) for node in tree if isinstance(node, ast.Expr)}
    for node in tree:
        match node:
            case ast.Constant(value=str(said)) if id(node) not in docstrings:
                yield said, lines[node.lineno - 1]


def test_only_its_own_package_and_templates_name_a_game_its_editions_and_its_ways() -> None:
    files = list(shared_files())
    assert len(files) > 150
    for file in files:
        inside = file.relative_to(PACKAGE.parent)
        own = {name for name in NAMES if NAMED_OTHERWISE.get(name) == str(inside)}
        for text, line in quoted(file):
            named = {game for game in GAMES if re.search(rf"\b{game}", text.lower())}
            named |= {text} & NAMES - own - (set() if "edition" in line else set(ENDONYMS))
            assert not named, f"{inside} names {named}: {line.strip()}"


def test_pages_speak_of_no_game() -> None:
    for file in shared_files():
        if file.suffix != ".py" or file.is_relative_to(PACKAGE / "web"):
            text = file.read_text(encoding="utf-8").lower()
            named = [game for game in GAMES if re.search(rf"\b{game}", text)]
            assert not named, f"{file} names {named}"
        if file.suffix == ".html" and file.name != "privacy.html":  # the product's own, as a whole
            words = re.findall(
                r"\b(?:gold|dwar(?:f|ves)|tunnels?|wagons?)\b", file.read_text("utf-8")
            )
            assert not words, f"{file} speaks of {words}"
