"""The rulings as cases in data; see README.md beside this file."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.games.saboteur.rules import EDITIONS
from companion.games.saboteur.rules.cards import GOLD_CARDS, TOOLS
from companion.record.judge import Judge

FILES = sorted(Path(__file__).parent.glob("saboteur/rulings/*.toml"))
CASES = [case for file in FILES for case in tomllib.loads(file.read_text())["case"]]
SOURCES = {"rules", "et", "lt", "lv", "fi", "ruling"}
ROLES = {"m": "miner", "s": "saboteur"}


def runs() -> list[Any]:
    return [
        pytest.param(case, edition, id=f"{case['name']} [{edition}]")
        for case in CASES
        for edition in case.get("editions", EDITIONS)
    ]


def fields(text: str, turn: str | None) -> dict[str, Any]:
    """The line that a play's words stand for."""
    by, _, words = text.rpartition(":")
    word, *rest = words.split()
    line: dict[str, Any] = {"by": by or turn, "play": word}
    match word, rest:
        case "deal", [roles]:
            return {"play": "deal", "roles": [ROLES[role] for role in roles]}
        case "pass", []:
            return line
        case "break", [tool, seat]:
            return line | {"tool": tool, "seat": seat}
        case "repair", [card, tool, seat]:
            tools = [] if card == "-" else card.split("+")
            return line | {"card": tools, "tool": tool, "seat": seat}
        case "rock", [at]:
            return line | {"play": "rockfall", "at": cell(at)}
        case "map", [goal]:
            return line | {"goal": goal}
        case "turn", [goal, card]:
            return line | {"play": "reveal", "goal": goal, "card": card}
        case "told", [finisher, *last]:
            told = line | {"by": by or "0", "play": "result"}
            told["finisher"] = None if finisher == "-" else finisher
            return told | {"last": last[0]} if last else told
        case card, [at]:
            return line | {"play": "path", "card": card, "at": cell(at)}
    raise AssertionError(text)


def cell(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


@pytest.mark.parametrize(("case", "edition"), runs())
def test_ruling(case: dict[str, Any], edition: str) -> None:
    roles = case.get("roles", "mmm")
    names = [str(seat) for seat in range(len(roles))]
    judge = Judge()
    header = {
        "game": "saboteur",
        "edition": edition,
        "seats": names,
        "starter": case.get("starter", "0"),
        "gold": case.get("gold", list(GOLD_CARDS)),
    }
    assert judge.fields(header) is None
    verdict = None
    before = case.get("before", [])
    if not case.get("undealt"):
        before = [f"deal {roles}", *before]
    for text in before:
        words, _, times = text.partition("*")
        for _ in range(int(times or 1)):
            verdict = judge.fields(fields(words, verdict and verdict["turn"]))
            assert verdict is not None
            assert verdict["ok"], (text, verdict)
    verdict = judge.fields(fields(case["play"], (verdict or {}).get("turn") or "0"))
    assert verdict is not None
    gives = "ok" if verdict["ok"] else verdict["reason"]
    assert (gives, verdict) == (case["gives"], verdict)
    for field, value in json.loads(case.get("with", "{}")).items():
        assert verdict.get(field) == value, (field, verdict)


def test_cases_are_named_once_and_cite_a_source() -> None:
    names = [case["name"] for case in CASES]
    assert len(set(names)) == len(names)
    assert {case["source"].split()[0].rstrip(":") for case in CASES} <= SOURCES
    assert all(case["rule"] for case in CASES)


REASONS = {
    "round_in_progress", "impossible_roles", "no_round", "reveal_pending", "nothing_to_reveal",
    "not_your_turn", "tools_broken", "unknown_card", "no_copies_left", "cell_occupied",
    "not_adjacent", "edge_mismatch", "not_connected", "goal_not_reached", "goal_orientation",
    "tool_already_broken", "repair_mismatch", "tool_not_broken", "protected_card",
    "nothing_there", "goal_face_up", "game_over", "unknown_seat",
}  # fmt: skip


def test_every_reason_has_a_case_and_every_tool_is_played() -> None:
    assert {case["gives"] for case in CASES} >= REASONS
    played = " ".join(" ".join([*case.get("before", []), case["play"]]) for case in CASES)
    assert all(tool in played for tool in TOOLS)
