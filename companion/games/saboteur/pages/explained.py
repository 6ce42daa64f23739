"""The drawings of Saboteur's explanation: a part of the maze, cards side by side, the players."""

from __future__ import annotations

from typing import Any

from companion.games.explanation import Step
from companion.games.saboteur.explained.drawings import Card, Field, Seats
from companion.games.saboteur.labels import card_symbol
from companion.games.saboteur.pages.maze import cells
from companion.games.saboteur.pages.views import PANELS
from companion.games.saboteur.rules.maze import GOAL_CELL, At, at_of
from companion.games.saboteur.rules.view import face_up
from companion.values import Value
from companion.web.html.panels import View
from companion.web.view.models import Kit

KIT = Kit(
    ("deck", "goals", "place", "roles", "gold", "dwarf", "card", "mine"),
    ("saboteur/unlit.css", "saboteur/steps.css"),
)


class Square(Value, frozen=True):
    """Something that lies in a field, at a column and a row from 1."""

    column: int
    row: int
    symbol: str
    lit: bool


class Spot(Value, frozen=True):
    """A choice in a field."""

    column: int
    row: int
    at: At
    right: bool
    over: bool  # a card that lies there


class FieldView(View, frozen=True):
    template = f"{PANELS}/step_field.html"

    name: str
    columns: int
    low: bool  # it has few rows
    squares: tuple[Square, ...]
    spots: tuple[Spot, ...]
    card: str  # drawing of the one to be laid; empty: none is
    newest: tuple[int, int] | None  # column and row


class CardView(View, frozen=True):
    template = f"{PANELS}/step_card.html"

    symbol: str
    shows: tuple[str, ...]


class CardsView(View, frozen=True):
    template = f"{PANELS}/step_cards.html"

    cards: tuple[CardView, ...]


class SeatsView(View, frozen=True):
    template = f"{PANELS}/step_seats.html"

    names: tuple[str, ...]
    cards: tuple[CardView, ...]


def drawn(step: Step, name: str) -> tuple[View, tuple[View | None, ...]]:
    pictures = tuple(_card(each.picture) if each.picture else None for each in step.choices)
    return _drawing(step, name), pictures


def _drawing(step: Step, name: str) -> View:
    drawing: Any = step.drawing
    if isinstance(drawing, Field):
        return _field(drawing, name, tuple(choice.right for choice in step.choices))
    if isinstance(drawing, Seats):
        return SeatsView(drawing.names, tuple(map(_card, drawing.cards)))
    return CardsView(tuple(map(_card, drawing.cards)))


def _card(card: Card) -> CardView:
    return CardView(card.symbol, card.shows)


def _field(field: Field, name: str, right: tuple[bool, ...]) -> FieldView:
    def place(at: At) -> tuple[int, int]:
        return at[0] - field.columns.start + 1, field.rows.stop - at[1]

    def is_in(at: At) -> bool:
        return at[0] in field.columns and at[1] in field.rows

    up = [
        Square(*place(cell.at), cell.symbol, cell.lit)
        for cell in cells(face_up(field.maze))
        if is_in(cell.at)
    ]
    down = [
        Square(*place(at), "goal", True)
        for cell in GOAL_CELL.values()
        if cell in field.maze.down and is_in(at := at_of(cell))
    ]
    taken = {(square.column, square.row) for square in (*up, *down)}
    return FieldView(
        name=name,
        columns=len(field.columns),
        low=len(field.rows) <= len(GOAL_CELL),
        squares=(*up, *down),
        spots=tuple(
            Spot(*place(at), at, fits, place(at) in taken)
            for at, fits in zip(field.spots, right, strict=False)
        ),
        card=card_symbol(field.card) if field.card else "",
        newest=place(field.newest) if field.newest else None,
    )
