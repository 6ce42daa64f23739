"""The rulings of every game as cases in data, by one runner; see README.md beside this file."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from companion.games import GAMES
from companion.record.judge import Judge

FOLDER = Path(__file__).parent
OWN = "ruling"
"""The source of a ruling that is ours."""


def words_of(name: str) -> ModuleType:
    """How this game's tables and plays are written in the cases, and what its sources are."""
    return import_module(f"tests.games.{name}.words")


CASES: dict[str, list[dict[str, Any]]] = {
    name: [
        case
        for file in sorted((FOLDER / name / "rulings").glob("*.toml"))
        for case in tomllib.loads(file.read_text(encoding="utf-8"))["case"]
    ]
    for name in GAMES
}


def runs() -> list[Any]:
    return [
        pytest.param(name, case, edition, id=f"{name}: {case['name']} [{edition}]")
        for name, cases in CASES.items()
        for case in cases
        for edition in case.get("editions", GAMES[name].editions)
    ]


def said(value: Any) -> Any:
    """Without what says that there is nothing: TOML has no word for it."""
    if isinstance(value, dict):
        return {name: said(each) for name, each in value.items() if each is not None}
    return [said(each) for each in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize(("name", "case", "edition"), runs())
def test_ruling(name: str, case: dict[str, Any], edition: str) -> None:
    words, turn = words_of(name), None
    judge = Judge(GAMES)
    judge.begin(GAMES[name], words.table(case, edition))
    for text in words.before(case):
        play, _, times = text.partition("*")
        for _ in range(int(times or 1)):
            verdict = judge.line(words.line(play, turn))
            assert verdict is not None
            assert verdict.ok, (text, verdict)
            turn = verdict.accepted["turn"]
    before = judge.state
    verdict = judge.line(words.line(case["play"], turn))
    assert verdict is not None
    assert ("ok" if verdict.ok else verdict.fields["reason"]) == case["gives"], verdict
    if not verdict.ok:
        assert judge.state is before
    found = said(verdict.fields | words.seen(judge.state))
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
