"""The seats of a table as they are shown in a ring, and handed on at a shared phone."""

from __future__ import annotations

from companion.tables.model import SeatId
from companion.web.html.panels import View
from companion.web.view.models import SeatName, SeatView


class RingView(View, frozen=True):
    """The seats, clockwise, and who has looked at what was dealt or who starts."""

    template = "panels/ring.html"

    game: str
    seats: tuple[SeatView, ...]
    looks: bool = False  # it shows who has looked, and nothing else
    open_seats: int = 0
    starter: SeatId | None = None
    wide: bool = False  # on a table screen
    low: bool = False  # there is less room above each other


class RingSeatView(View, frozen=True):
    """One of the seats, and whether its player has looked."""

    template = "panels/ring_seat.html"

    game: str
    seat: SeatView
    at: int  # the first is 1
    of: int  # seats


class HandOnView(View, frozen=True):
    """The seats on this phone that have not looked: whose turn it is to hold it."""

    template = "panels/hand_on.html"

    game: str
    dealt: str  # which deal it is: the next one asks again
    seats: tuple[SeatName, ...]
