"""How the rulings of Saboteur are written; see README.md among the games."""

from __future__ import annotations

from typing import Any

from companion.games.fields import RecordStart
from companion.games.saboteur import GAME
from companion.games.saboteur.reasons import REASONS
from companion.games.saboteur.rules.cards import GOLD_CARDS, TOOLS

SOURCES = ("rules", "et", "lt", "lv", "fi")
PLAYED = TOOLS
ROLES = {"m": "miner", "s": "saboteur"}


def table(case: dict[str, Any], edition: str) -> RecordStart:
    names = [str(seat) for seat in range(len(_roles(case)))]
    header = {
        "game": "saboteur",
        "edition": edition,
        "seats": names,
        "starter": case.get("starter", "0"),
        "gold": case.get("gold", list(GOLD_CARDS)),
    }
    begun = GAME.read_header(header)
    assert isinstance(begun, RecordStart), begun
    return begun


def before(case: dict[str, Any]) -> list[str]:
    dealt = [] if case.get("undealt") else [f"deal {_roles(case)}"]
    return [*dealt, *case.get("before", [])]


def _roles(case: dict[str, Any]) -> str:
    roles: str = case.get("roles", "mmm")
    return roles


def seen(state: Any) -> dict[str, Any]:
    """Beside the verdict."""
    return {}


def reasons() -> set[str]:
    return set(REASONS)


def line(text: str, turn: str | None) -> dict[str, Any]:
    """The line of a record that a play's words stand for."""
    by, _, words = text.rpartition(":")
    word, *rest = words.split()
    line: dict[str, Any] = {"by": by or turn or "0", "play": word}
    match word, rest:
        case "deal", [roles]:
            return {"play": "deal", "roles": [ROLES[role] for role in roles]}
        case "seats", order:
            return {"play": "seats", "order": order}
        case "pass", []:
            return line
        case "break", [tool, seat]:
            return line | {"tool": tool, "seat": seat}
        case "repair", [card, tool, seat]:
            tools = [] if card == "-" else card.split("+")
            return line | {"card": tools, "tool": tool, "seat": seat}
        case "rock", [at]:
            return line | {"play": "rockfall", "at": _cell(at)}
        case "map", [goal]:
            return line | {"goal": goal}
        case "turn", [goal, card]:
            return line | {"play": "reveal", "goal": goal, "card": card}
        case "told", [finisher, *last]:
            told = line | {"by": by or "0", "play": "result"}
            told["finisher"] = None if finisher == "-" else finisher
            return told | {"last": last[0]} if last else told
        case card, [at]:
            return line | {"play": "path", "card": card, "at": _cell(at)}
    raise AssertionError(text)


def _cell(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]
