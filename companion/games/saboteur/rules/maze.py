"""The maze: cells, sides that fit, and the path from the start. It knows no players.

A card is laid beside a face-up path card with every side matching (all booklets); where the
edition asks for it, it must continue a path that runs from the start without a break. A path
enters a dead end and does not leave it; a face-down goal's sides are not compared.

What lies around an empty cell (or a face-down goal) is its *border*. Borders are kept with the
maze, so that judging a placement costs the same however large the maze has grown; cells and
borders are integers, since a placement must be judged in 20 µs (`benchmarks/rules.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Final, NewType

from companion.games.game import Rejection
from companion.games.saboteur import reasons
from companion.games.saboteur.rules.cards import (
    CODE,
    DEAD_END,
    SIDES,
    START_CARD,
    TEXT,
    TREASURE,
    Card,
    E,
    GoalName,
    N,
    S,
    W,
    half_turn,
    sides_text,
)
from companion.values import Value

At = tuple[int, int]

Cell = NewType("Cell", int)
"""A place in one number: the steps north and east are 1 and 256."""
Border = NewType("Border", int)
"""In bits 0-3 the sides where the neighbour has a tunnel, in bits 4-7 those where it has rock, in
bits 8-11 those from which the path from the start comes in."""

LIT: Final = 32
"""The bit, beside a card's own, of one that the path from the start reaches and leaves."""
REACH: Final = 99
"""Cells lie from -99 to 99 in both directions."""

STEPS: Final = ((N, 1, S), (E, 256, W), (S, -1, N), (W, -256, E))
"""By which side of a card, how far to the cell beside it, and by which of its sides."""
PATH: Final = 8
"""Where the bits of the path begin in a border."""
BARS_PATH: Final = DEAD_END | LIT
"""Of a card that the path does not go on through, or that it has come through already."""
_ROCK: Final = 4


def cell_of(at: At) -> Cell:
    return Cell(at[0] * 256 + at[1])


def at_of(cell: Cell) -> At:
    y = (cell + 128 & 255) - 128
    return cell - y >> 8, y


def in_reach(at: At) -> bool:
    return -REACH <= at[0] <= REACH and -REACH <= at[1] <= REACH


START_AT: Final[At] = (0, 0)
GOAL_AT: Final[dict[GoalName, At]] = {"north": (8, 2), "middle": (8, 0), "south": (8, -2)}
GOAL_CELL: Final = {goal: cell_of(at) for goal, at in GOAL_AT.items()}
PROTECTED: Final = {START_AT, *GOAL_AT.values()}
"""Where no rockfall takes a card away."""
_START: Final = cell_of(START_AT)
_NOTHING: Final = Border(0)


def _tunnels(border: Border) -> int:
    """The sides where a neighbour has a tunnel."""
    return border & SIDES


def _rock(border: Border) -> int:
    """The sides where a neighbour has rock."""
    return border >> _ROCK & SIDES


def _paths(border: Border) -> int:
    """The sides from which the path from the start comes in."""
    return border >> PATH


class Maze(Value, frozen=True):
    """The face-up cards (with `LIT`) by cell, the cells of the face-down goals, the borders."""

    cards: Mapping[Cell, Card]
    down: frozenset[Cell]
    borders: Mapping[Cell, Border]

    def __hash__(self) -> int:
        return hash((frozenset(self.cards.items()), self.down))


def _lit(card: Card) -> Card:
    return Card(card | LIT)


def unlit(card: Card) -> Card:
    """The card alone, whether the path from the start comes to it or not."""
    return Card(card & ~LIT)


@lru_cache(4096)
def _around(cell: Cell) -> tuple[tuple[int, Cell, int], ...]:
    """By which side, the cell beside it, and by which of its sides."""
    return tuple((side, Cell(cell + step), facing) for side, step, facing in STEPS)


def _put(cards: dict[Cell, Card], borders: dict[Cell, Border], cell: Cell, card: Card) -> None:
    """Put a card down, tell the empty cells around it, and lead the path on through it."""
    border = borders.pop(cell, _NOTHING)
    cards[cell] = card
    for side, beside, facing in _around(cell):
        if beside not in cards:
            bit = facing if card & side else facing << _ROCK
            borders[beside] = Border(borders.get(beside, 0) | bit)
    if _paths(border) & card and not card & DEAD_END:
        _lead(cards, borders, cell)


def _lead(cards: dict[Cell, Card], borders: dict[Cell, Border], cell: Cell) -> None:
    """The path from the start comes to this cell: follow it as far as it goes."""
    cards[cell] = _lit(cards[cell])
    todo = [cell]
    while todo:
        cell = todo.pop()
        card = cards[cell]
        for side, beside, facing in _around(cell):
            if not card & side:
                continue
            other = cards.get(beside)
            if other is None:
                borders[beside] = Border(borders[beside] | facing << PATH)
            elif other & facing and not other & BARS_PATH:
                cards[beside] = _lit(other)
                todo.append(beside)


def _build(cards: Mapping[Cell, Card], down: frozenset[Cell]) -> Maze:
    laid: dict[Cell, Card] = {}
    borders: dict[Cell, Border] = {}
    for cell, card in cards.items():
        _put(laid, borders, cell, unlit(card))
    _lead(laid, borders, _START)
    return Maze(laid, down, borders)


def initial_maze() -> Maze:
    """The start card and three face-down goals."""
    return _build({_START: START_CARD}, frozenset(GOAL_CELL.values()))


def lay(maze: Maze, cell: Cell, card: Card) -> Maze:
    """The maze with one more card face up; a goal that lay there is turned."""
    cards = dict(maze.cards)
    borders = dict(maze.borders)
    _put(cards, borders, cell, card)
    down = maze.down
    return Maze(cards, down - {cell} if cell in down else down, borders)


def take(maze: Maze, cell: Cell) -> Maze:
    """The maze after a rockfall; the cards that the path still reaches are worked out again."""
    return _build({at: card for at, card in maze.cards.items() if at != cell}, maze.down)


def reached(maze: Maze) -> tuple[GoalName, ...]:
    """The face-down goals that an unbroken path from the start leads up to."""
    down, borders = maze.down, maze.borders
    return tuple(
        [
            goal
            for goal, cell in GOAL_CELL.items()
            if cell in down and _paths(borders.get(cell, _NOTHING))
        ]
    )


_OCCUPIED: Final = Rejection(reasons.CELL_OCCUPIED)
_ALONE: Final = Rejection(reasons.NOT_ADJACENT)
_UNCONNECTED: Final = Rejection(reasons.NOT_CONNECTED)
_MISMATCH: Final = tuple(
    Rejection(reasons.EDGE_MISMATCH, {"sides": sides_text(sides)}) for sides in range(SIDES + 1)
)


def _mismatch(border: Border, card: Card) -> int:
    """The sides on which the card and a face-up neighbour disagree."""
    return _tunnels(border) & ~card | _rock(border) & card


def _misfit(border: Border, card: Card, connected: bool) -> Rejection | None:
    sides = _mismatch(border, card)
    if sides:
        return _MISMATCH[sides]
    if connected and not _paths(border) & card:
        return _UNCONNECTED
    return None


def misplaced(maze: Maze, at: At, card: Card, connected: bool) -> Rejection | None:
    """Why a card of these bits may not be laid there; None if it may."""
    if not in_reach(at):
        return _ALONE
    cell = cell_of(at)
    if cell in maze.cards or cell in maze.down:
        return _OCCUPIED
    border = maze.borders.get(cell)
    return _ALONE if border is None else _misfit(border, card, connected)


@cache
def _fitting(border: Border, connected: bool) -> tuple[str, ...]:
    return tuple(text for card, text in TEXT.items() if _misfit(border, card, connected) is None)


def placements(maze: Maze, connected: bool) -> dict[At, tuple[str, ...]]:
    """Every empty cell where some card of the deck may be laid, with all that may."""
    down = maze.down
    return {
        at_of(cell): cards
        for cell, border in maze.borders.items()
        if cell not in down and (cards := _fitting(border, connected))
    }


def stone_ways(maze: Maze, goal: GoalName, stone: Card) -> tuple[str, ...]:
    """How a reached stone may be laid: so that all sides match, or either way if neither does."""
    border = maze.borders[GOAL_CELL[goal]]
    ways = (stone, half_turn(stone))
    fits = [way for way in ways if not _mismatch(border, way)]
    return tuple(sorted(TEXT[way] for way in (fits or ways)))


def flip_goal(maze: Maze, goal: GoalName, card: str) -> Maze:
    """The maze with this goal face up: the treasure, or a stone as it lies."""
    return lay(maze, GOAL_CELL[goal], START_CARD if card == TREASURE else CODE[card])
