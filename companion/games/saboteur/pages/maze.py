"""The maze of a round that the referee follows, as the pages draw it.

Everything comes from the game's view for nobody in particular and from the rules' own `legal`,
which knows the maze and the cards that are gone, and no hand. Where a card lies on the page is
decided here: the board is drawn upright, with the start on the left, and turned as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import groupby, product

from companion.games.saboteur.labels import card_symbol
from companion.games.saboteur.pages.views import (
    Board,
    DrawnCard,
    Goal,
    Line,
    Mark,
    MarkKind,
    Place,
    Shape,
    Spot,
)
from companion.games.saboteur.rules.cards import CODE, KIND, NONE_USED, GoalName, copies_left
from companion.games.saboteur.rules.decide import free, legal
from companion.games.saboteur.rules.maze import GOAL_AT, At
from companion.games.saboteur.rules.model import (
    Event,
    GoalTurned,
    MapRead,
    PathPlaced,
    RockFell,
    State,
)
from companion.games.saboteur.rules.view import Laid, LaidKind, VisibleState
from companion.tables.model import Table
from companion.web.html.identity_cache import by_identity
from companion.web.view.moments import TABLES_KEPT

CELLS_KEPT = 4096
"""Each is the same value at all tables and in all their states."""

CARD_WIDE, CARD_HIGH = 40, 58
"""A card's size in the drawing's own units."""

MARGIN = 6

SHAPES = tuple(sorted(CODE, key=lambda text: -copies_left(NONE_USED, KIND[text])))
"""The cards in the order in which they are always offered: those with the most copies first."""


def follows(table: Table) -> bool:
    """Whether the plays of this table's game are reported."""
    return table.game.ways[table.way].follows and table.game_state is not None


def cell_named(raw: str) -> At | None:
    """The cell that a link names; None where it names none."""
    found = re.fullmatch(r"(-?\d{1,2}),(-?\d{1,2})", raw, re.ASCII)
    return (int(found[1]), int(found[2])) if found else None


def corner(at: At) -> tuple[int, int]:
    """The upper left corner of a cell in the drawing."""
    return at[0] * CARD_WIDE, -at[1] * CARD_HIGH


def mark(at: At, kind: MarkKind, symbol: str | None = None, sides: str = "") -> Mark:
    """What points at a cell: see `Mark`."""
    return Mark(*corner(at), kind, symbol, sides)


def turned(at: At, quarters: int) -> At:
    """How far a cell lies to the right of the start card, and above it, in the turned view."""
    x, y = at
    for _ in range(quarters):
        x, y = -y, x
    return x, y


def as_read(places: Iterable[At], quarters: int) -> list[At]:
    """Line by line, as a reader of the turned view finds them."""

    def line(at: At) -> At:
        x, y = turned(at, quarters)
        return -y, x

    return sorted(places, key=line)


def shape(card: str) -> Shape:
    return Shape(card, card_symbol(card))


def cells(maze: tuple[Laid, ...]) -> tuple[DrawnCard, ...]:
    return tuple(_cell(laid.at, laid.card, laid.kind, laid.lit) for laid in maze)


@lru_cache(CELLS_KEPT)
def _cell(at: At, card: str, kind: LaidKind, lit: bool) -> DrawnCard:
    key, tunnel = f"c{at[0]}.{at[1]}", kind == "tunnel"
    return DrawnCard(key, at, card_symbol(card, kind), *corner(at), lit=lit, tunnel=tunnel)


@lru_cache(CELLS_KEPT)
def _place(at: At) -> Place:
    return Place(at, *corner(at))


@by_identity(kept=TABLES_KEPT)
def board(state: State, shown: VisibleState, last: Sequence[Event], quarters: int) -> Board:
    """`shown`: the game's view of `state`; `last`: what the last play did; `quarters`: quarter
    turns to the left."""
    lays = any(shown.hands)
    places = tuple(legal(state)) if lays else ()
    room = places or (free(state) if lays else ())  # as large while who is on turn may not lay
    left, top, width, height = box((*(laid.at for laid in shown.maze), *room), quarters)
    return Board(
        cells=cells(shown.maze),
        places=tuple(map(_place, as_read(places, quarters))),
        goals=goals(shown, shown.asked, quarters),
        quarters=quarters,
        left=left,
        top=top,
        width=width,
        height=height,
        newest=newest(last),
    )


def box(cells: Iterable[At], quarters: int) -> tuple[int, int, int, int]:
    """Left and upper edge, width and height of a drawing of these cells and of the goals."""
    every = (*cells, *GOAL_AT.values())
    left = min(x for x, _ in every) * CARD_WIDE - MARGIN
    right = max(x for x, _ in every) * CARD_WIDE + CARD_WIDE + MARGIN
    top = -max(y for _, y in every) * CARD_HIGH - MARGIN
    bottom = -min(y for _, y in every) * CARD_HIGH + CARD_HIGH + MARGIN
    for _ in range(quarters):  # a quarter turn to the left: x becomes y, y becomes -x
        left, top, right, bottom = top, -right, bottom, -left
    return left, top, right - left, bottom - top


def grid(board: Board) -> tuple[Line, ...]:
    """The same in words; the uppermost row first."""
    cards = {cell.at: cell for cell in board.cells}
    goals = {GOAL_AT[goal.name]: goal.name for goal in board.goals}
    places = {place.at for place in board.places}
    every = {*cards, *goals, *places}
    rows, columns = {y for _, y in every}, {x for x, _ in every}
    area = product(range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1))
    spots = [
        Spot(at, cards.get(at), goals.get(at), at in places) for at in as_read(area, board.quarters)
    ]
    lines = groupby(spots, lambda spot: turned(spot.at, board.quarters)[1])
    return tuple(Line(tuple(line)) for _, line in lines)


def goals(shown: VisibleState, asked: tuple[GoalName, ...], quarters: int) -> tuple[Goal, ...]:
    """Those that lie face down; `asked`: that are to be turned."""
    return tuple(
        Goal(goal, *corner(GOAL_AT[goal]), upright=90 * quarters, asked=goal in asked)
        for goal in shown.goals_down
    )


def newest(events: Sequence[Event]) -> Mark | None:
    """What a play put into the maze, took out of it, or looked at there."""
    at = where_played(events[0]) if events else None
    return mark(at, "new") if at else None


def where_played(event: Event) -> At | None:
    """The cell of the maze that a play was about."""
    match event:
        case PathPlaced(at=at) | RockFell(at=at):
            return at
        case GoalTurned(goal=goal) | MapRead(goal=goal):
            return GOAL_AT[goal]
    return None
