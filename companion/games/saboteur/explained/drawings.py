"""What the steps draw: a part of the maze, cards side by side, the players."""

from __future__ import annotations

from companion.games.saboteur.rules.maze import At, Maze
from companion.values import Value


class Field(Value, frozen=True):
    """A part of the maze."""

    maze: Maze
    columns: range
    rows: range
    spots: tuple[At, ...] = ()
    """The choices, in their order."""
    card: str = ""
    """That is to be laid."""
    newest: At | None = None
    """Where the last card was laid."""


class Card(Value, frozen=True):
    """A card by the id of its drawing, or by those of what stands on it."""

    symbol: str = ""
    shows: tuple[str, ...] = ()


class Cards(Value, frozen=True):
    """Side by side."""

    cards: tuple[Card, ...]


class Seats(Value, frozen=True):
    """Players round the table, clockwise, and what they may play."""

    names: tuple[str, ...]
    cards: tuple[Card, ...]
