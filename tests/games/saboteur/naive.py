"""The maze once more, as slow and plain as can be: sets of open sides, the path found anew."""

from __future__ import annotations

from companion.games.saboteur.rules.cards import TEXT
from companion.games.saboteur.rules.maze import GOAL_AT, LIT, Maze, at_of

At = tuple[int, int]
STEPS = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
BACK = {"N": "S", "E": "W", "S": "N", "W": "E"}


def cards(maze: Maze) -> dict[At, str]:
    return {at_of(cell): TEXT[card & ~LIT] for cell, card in maze.cards.items()}


def beside(at: At, side: str) -> At:
    dx, dy = STEPS[side]
    return at[0] + dx, at[1] + dy


def joined(laid: dict[At, str]) -> set[At]:
    """The cards that the path from the start reaches and leaves."""
    found = {(0, 0)}
    grown = True
    while grown:
        grown = False
        for at in list(found):
            for side in STEPS:
                other = beside(at, side)
                if other in found or other not in laid or "x" in laid[other]:
                    continue
                if side in laid[at] and BACK[side] in laid[other]:
                    found.add(other)
                    grown = True
    return found


def why_not(laid: dict[At, str], down: set[At], at: At, card: str, connected: bool) -> str | None:
    """The reason for which the card may not lie there, its sides after a space."""
    if at in laid or at in down:
        return "cell_occupied"
    around = {side: laid[beside(at, side)] for side in STEPS if beside(at, side) in laid}
    if not around:
        return "not_adjacent"
    wrong = "".join(s for s, other in around.items() if (s in card) != (BACK[s] in other))
    if wrong:
        return f"edge_mismatch {wrong}"
    path = joined(laid)
    if connected and not any(
        side in card and BACK[side] in laid[other] and other in path
        for side in STEPS
        if (other := beside(at, side)) in laid
    ):
        return "not_connected"
    return None


def reached(laid: dict[At, str], down: set[At]) -> tuple[str, ...]:
    path = joined(laid)
    return tuple(
        goal
        for goal, at in GOAL_AT.items()
        if at in down and any(BACK[s] in laid[o] for s in STEPS if (o := beside(at, s)) in path)
    )
