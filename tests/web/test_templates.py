"""A template sees the value that it is drawn from, the translations, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, StrictUndefined, meta, nodes

from companion.games import GAMES
from companion.paths import TEMPLATES
from companion.web.html.panels import View
from companion.web.http.assets import ROOT as STATIC
from companion.web.pages.rules import RulesView
from tests.i18n.catalogue import PLACEHOLDER, read

DRAWN = ("panels", "layouts", "sheets", "secrets", "pictures")
"""Folders of templates that are drawn from a value of their own."""


OF_A_GAME = re.compile(
    r"\b(roles?|gold|nuggets?|treasure|saboteurs?|diggers?|dwarfs?|goal cards?|maze|path cards?"
    r"|wagons?|locomotives?|trains?|abilit(y|ies))\b",
    re.IGNORECASE,
)


def views(of: type[View] = View) -> Iterator[type[View]]:
    for each in of.__subclasses__():
        yield each
        yield from views(each)


def of_the_program() -> list[type[View]]:
    """Those that are drawn: from others they have what several have in common."""
    for game in GAMES.values():
        game.pages()  # loaded where it is first asked for
    own = [each for each in views() if each.__module__.startswith("companion.")]
    return [each for each in own if hasattr(each, "template")]


def known(view: type[View]) -> set[str]:
    """What a template may ask of a value: its fields and properties, and what its class says."""
    return {name for name in dir(view) if not callable(getattr(view, name))}


class Reading:
    """Which attributes templates and macros ask of a name, wherever they hand it on."""

    def __init__(self, env: Environment) -> None:
        self._env = env
        self._trees: dict[str, nodes.Template] = {}

    def tree(self, template: str) -> nodes.Template:
        if template not in self._trees:
            assert self._env.loader is not None
            source, _, _ = self._env.loader.get_source(self._env, template)
            self._trees[template] = self._env.parse(source, template)
        return self._trees[template]

    def asked(self, template: str, of: str = "view") -> set[str]:
        return self._asked(template, self.tree(template), of)

    def _asked(self, template: str, node: nodes.Node, of: str) -> set[str]:
        found = {
            each.attr
            for each in node.find_all(nodes.Getattr)
            if isinstance(each.node, nodes.Name) and each.node.name == of
        }
        for call in node.find_all(nodes.Call):
            found |= self._by_macro(template, call, of)
        for include in node.find_all(nodes.Include):
            if isinstance(include.template, nodes.Const):
                found |= self.asked(include.template.value, of)
        return found

    def _by_macro(self, template: str, call: nodes.Call, of: str) -> set[str]:
        if not isinstance(call.node, nodes.Name):
            return set()
        home, macro = self._macro(template, call.node.name)
        if macro is None:
            return set()
        handed: list[tuple[nodes.Name, nodes.Expr]] = list(zip(macro.args, call.args, strict=False))
        by_name = {each.name: each for each in macro.args}
        handed += [(by_name[each.key], each.value) for each in call.kwargs if each.key in by_name]
        found = set()
        for parameter, value in handed:
            if isinstance(value, nodes.Name) and value.name == of:
                found |= self._asked(home, macro, parameter.name)
        return found

    def _macro(self, template: str, name: str) -> tuple[str, nodes.Macro | None]:
        """The macro of this name that a template has or imports."""
        tree = self.tree(template)
        for each in tree.find_all(nodes.Macro):
            if each.name == name:
                return template, each
        for source in tree.find_all(nodes.FromImport):
            if name in source.names:
                assert isinstance(source.template, nodes.Const)
                return self._macro(source.template.value, name)
        return template, None


@pytest.fixture
def reading(club: Any) -> Reading:
    return Reading(club.app.jinja_env)


def test_nothing_is_left_out_in_silence(club: Any) -> None:
    assert club.app.jinja_env.undefined is StrictUndefined


@pytest.mark.parametrize("view", of_the_program(), ids=lambda view: view.template)
def test_a_template_knows_its_value_and_nothing_else(
    club: Any, reading: Reading, view: type[View]
) -> None:
    env = club.app.jinja_env
    tree = reading.tree(view.template)
    seen = meta.find_undeclared_variables(tree) - set(env.globals)
    assert seen <= ({"view", "parts"} if "layouts/" in view.template else {"view"}), view.template
    assert reading.asked(view.template) <= known(view), view.template


@pytest.mark.parametrize("game", GAMES)
def test_a_view_shares_its_name_with_none_but_those_of_another_game(game: str) -> None:
    others = tuple(f"companion.games.{other}." for other in GAMES if other != game)
    views = [view for view in of_the_program() if not view.__module__.startswith(others)]
    names = Counter(view.__name__ for view in views)
    assert [name for name, count in names.items() if count > 1] == []


def test_drawings_among_the_rules_know_the_rules(reading: Reading) -> None:
    found = [each.relative_to(TEMPLATES) for each in Path(TEMPLATES).glob("games/*/figures/*.html")]
    assert found
    for each in found:
        assert reading.asked(str(each)) <= known(RulesView), each


def test_macros_know_what_they_are_given(reading: Reading) -> None:
    for file in Path(TEMPLATES).rglob("*.html"):
        tree = reading.tree(str(file.relative_to(TEMPLATES)))
        assert not any(each.with_context for each in tree.find_all(nodes.FromImport)), file


def test_each_template_is_drawn_from_a_value_of_its_own() -> None:
    drawn = {view.template for view in of_the_program()}
    files = {
        str(file.relative_to(TEMPLATES))
        for file in Path(TEMPLATES).rglob("*.*")
        if file.parent.name in DRAWN
    }
    assert drawn == files


def test_a_layout_is_a_bar_and_what_is_below_it(club: Any) -> None:
    """So that another layout takes the place of what is below alone: `live.update`."""
    env = club.app.jinja_env
    drawn = [view.template for view in of_the_program()]
    layouts = [each for each in drawn if "layouts/" in each and not each.endswith("/replay.html")]
    assert len(layouts) > 20
    for each in layouts:
        source, _, _ = env.loader.get_source(env, each)
        placed = re.sub(r"(?s)\{#.*?#\}|\{%.*?%\}", "", source).strip()
        assert re.fullmatch(r'(?s)\{\{ parts\.bar \}\}\s*<main id="main".*</main>', placed), each
        assert placed.count("<main") == 1, each


def test_what_several_games_show_speaks_of_none() -> None:
    """What only one of them has words for, it says itself."""
    for message in read("en"):
        shared = [
            place
            for place, _ in message.locations
            if place.startswith("templates/") and not place.startswith("templates/games/")
        ]
        for text in (message.id,) if isinstance(message.id, str) else message.id:
            found = OF_A_GAME.search(PLACEHOLDER.sub("", text))
            assert not (shared and found), (text, shared)


def test_what_takes_the_focus_only_to_be_scrolled_has_a_role_and_a_name() -> None:
    stops = [
        tag
        for path in TEMPLATES.rglob("*.html")
        for tag in re.findall(r'<[^<>]*tabindex="0"[^<>]*>', path.read_text(encoding="utf-8"))
    ]
    assert stops
    for tag in stops:
        assert re.search(r'role="(group|region)"', tag), tag
        assert "aria-label" in tag, tag


def test_what_stands_only_where_there_is_a_script_is_a_script_s() -> None:
    """And no link, which leads somewhere all the same."""
    (hidden,) = re.findall(
        r"html:not\(\.js\) :is\((.*?)\)", (STATIC / "hold.css").read_text(encoding="utf-8")
    )
    names = [each.strip(" []") for each in hidden.split(",")]
    assert all(name.startswith("data-") for name in names), names
    for path in TEMPLATES.rglob("*.html"):
        for link in re.findall(r"<a [^>]*>", path.read_text(encoding="utf-8")):
            assert not any(name in link for name in names), (path, link)
