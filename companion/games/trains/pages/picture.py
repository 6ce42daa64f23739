"""Everybody's row as it lay when the game was over, in the picture of its result."""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.trains.pages import present
from companion.games.trains.pages.views import Wagon
from companion.games.trains.rules.abilities import PLACES
from companion.games.trains.rules.model import State
from companion.values import Value
from companion.web.html import letters
from companion.web.html.panels import View
from companion.web.view.models import Drawing

WAGON_WIDE = 40
"""In the units of its drawing."""

LETTERS = 15
"""Size of a name, at most, in the same units."""

NAMES_WIDE = 190
"""Where they stand beside the rows."""

ROW_HIGH, NAMED_HIGH = 42, 62
"""Of a row beside its name, and below it."""


class Row(Value, frozen=True):
    y: int
    name: str
    size: float  # of the name's letters
    wagons: tuple[Wagon, ...]
    won: bool


class RowsView(View, frozen=True):
    template = "games/trains/pictures/rows.svg"

    rows: tuple[Row, ...]
    x: int  # where the wagons begin
    y: int  # and where, below the upper edge of a row


def picture(state: State, names: Sequence[str], *, tall: bool) -> Drawing:
    wide = len(PLACES) * WAGON_WIDE
    high = NAMED_HIGH if tall else ROW_HIGH
    room = wide if tall else NAMES_WIDE - 10
    rows = tuple(
        Row(
            high * at,
            name,
            letters.size(name, room, LETTERS),
            present.wagons(state.rows[at], ()),
            at == state.winner,
        )
        for at, name in enumerate(names)
    )
    x, y = (0, high - ROW_HIGH + 2) if tall else (NAMES_WIDE, 3)
    return Drawing(RowsView(rows, x, y), 0, 0, x + wide, high * len(rows), named=True)
