"""How the rulings of the Game of Trains, and its tables for counting, are written.

See README.md among the games.
"""

from __future__ import annotations

from typing import Any

from companion.games.fields import RecordStart
from companion.games.trains.reasons import REASONS
from companion.games.trains.rules.abilities import ABILITIES
from companion.games.trains.rules.model import NO_LOCKS, NOTHING_KNOWN, State

SOURCES = ("et",)
PLAYED = ABILITIES
NAMES = ("0", "1", "2", "3")
ROWS = [[70, 60, 50, 40, 30, 20, 10], [75, 65, 55, 45, 35, 25, 15]]
"""Of two seats, unless a case says otherwise."""


def table(case: dict[str, Any], edition: str) -> RecordStart:
    state = state_of(case)
    return RecordStart(NAMES[: len(state.rows)], state)


def before(case: dict[str, Any]) -> list[str]:
    plays: list[str] = case.get("before", [])
    return plays


def state_of(case: dict[str, Any]) -> State:
    rows = tuple(tuple(row) for row in case.get("rows", ROWS))
    known = list(NOTHING_KNOWN)
    for ability, wagons in case.get("known", {}).items():
        for wagon in wagons:
            known[wagon] = ability
    for ability, wagon in case.get("market", {}).items():
        known[wagon] = ability
    return State(
        phase=case.get("phase", "turn"),
        starter=0,
        player=case.get("player", 0),
        rows=rows,
        locks=_locks(case["locks"]) if "locks" in case else (NO_LOCKS,) * len(rows),
        market=tuple(sorted(case.get("market", {}).items())),
        known=tuple(known),
        given=NOTHING_KNOWN,
        owed=tuple(tuple(owed) for owed in case.get("owed", [])),
        winner=case.get("winner"),
    )


def _locks(seats: list[dict[str, int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(under.get(str(place), 0) for place in range(1, 8)) for under in seats)


def seen(state: State) -> dict[str, Any]:
    """Beside the verdict."""
    under = [
        {str(place): wagon for place, wagon in enumerate(locks, 1) if wagon}
        for locks in state.locks
    ]
    return {
        "rows": [list(row) for row in state.rows],
        "locks": under,
        "owed": [list(owed) for owed in state.owed],
    }


def reasons() -> set[str]:
    return set(REASONS)


def line(text: str, turn: str | None) -> dict[str, Any]:
    """The line of a record that a play's words stand for."""
    by, _, words = text.rpartition(":")
    play, *rest = words.split()
    values = [int(each) if each.isdigit() else each for each in rest]
    line: dict[str, Any] = {"by": by or turn or "0", "play": play}
    match play, values:
        case "deal", row:
            return line | {"row": row}
        case "draft" | "draw", [card, at, *ability]:
            return line | {"card": card, "at": at, **_told(ability)}
        case "refill", [card, *ability]:
            return line | {"card": card, **_told(ability)}
        case "use", [ability, *at]:
            return line | {"ability": ability, **({"at": at[0]} if at else {})}
    raise AssertionError(text)


def _told(ability: list[Any]) -> dict[str, Any]:
    return {"ability": ability[0]} if ability else {}
