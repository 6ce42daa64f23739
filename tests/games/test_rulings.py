"""The rulings of every game as cases in data, by one runner; see README.md beside this file."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from companion import games
from companion.games.game import Game

FOLDER = Path(__file__).parent
OWN = "ruling"
"""The source of a ruling that is ours."""


def game_of(name: str) -> Game:
    game = games.find(name)
    assert game is not None
    return game


def words_of(name: str) -> ModuleType:
    """How this game's tables and plays are written in the cases, and what its sources are."""
    return import_module(f"tests.games.{name}.words")


CASES: dict[str, list[dict[str, Any]]] = {
    name: [
        case
        for file in sorted((FOLDER / name / "rulings").glob("*.toml"))
        for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]
    ]
    for name in games.names()
}


def runs() -> list[Any]:
    return [
        pytest.param(name, case, edition, id=f"{name}: {case['name']} [{edition}]")
        for name, cases in CASES.items()
        for case in cases
        for edition in case.get("editions", game_of(name).rules.editions)
    ]


def said(value: Any) -> Any:
    """Without what says that there is nothing: TOML has no word for it."""
    if isinstance(value, dict):
        return {name: said(each) for name, each in value.items() if each is not None}
    return [said(each) for each in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize(("name", "case", "edition"), runs())
def test_ruling(name: str, case: dict[str, Any], edition: str) -> None:
    record, words = game_of(name).record, words_of(name)
    table, turn = words.table(case, edition), None
    for text in words.before(case):
        play, _, times = text.partition("*")
        for _ in range(int(times or 1)):
            table, verdict = record.judge(table, words.line(play, turn))
            assert verdict["ok"], (text, verdict)
            turn = verdict["turn"]
    after, verdict = record.judge(table, words.line(case["play"], turn))
    assert ("ok" if verdict["ok"] else verdict["reason"]) == case["gives"], verdict
    if not verdict["ok"]:
        assert after is table
    found = said(verdict | words.seen(after))
    then, without = case.get("then", {}), case.get("without", [])
    assert {field: found.get(field) for field in then} == then
    assert {field: found.get(field) for field in without} == dict.fromkeys(without)
    assert ("game_over" in found) is ("game_over" in then)


@pytest.mark.parametrize("name", CASES)
def test_cases_are_named_once_and_cite_a_source(name: str) -> None:
    named = [case["name"] for case in CASES[name]]
    assert len(set(named)) == len(named)
    sources = {*words_of(name).SOURCES, OWN}
    assert {case["source"].split()[0].rstrip(":") for case in CASES[name]} <= sources
    assert all(case["rule"] for case in CASES[name])


@pytest.mark.parametrize("name", CASES)
def test_every_reason_has_a_case_and_all_there_is_is_played(name: str) -> None:
    """But reasons that no line of a record can give."""
    played = " ".join(
        " ".join([*case.get("before", []), case["play"]]) for case in CASES[name]
    ).split()
    missing = [each for each in words_of(name).PLAYED if each not in played]
    assert missing == []
    given = {case["gives"] for case in CASES[name]} - {"ok"}
    assert given == words_of(name).reasons()
