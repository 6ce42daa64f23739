"""How a game begins. The cards are shuffled on the table, so chance has no part in it."""

from __future__ import annotations

from typing import Final

from companion.games.fields import PlayerIndex
from companion.games.game import Chance
from companion.games.trains.rules.model import DEAL, NO_LOCKS, NOTHING_KNOWN, State

SEAT_COUNTS: Final = range(2, 5)
EDITION: Final = "et-2015"
"""There is one booklet; the header of a record names none."""


def new(
    seats: int, starter: PlayerIndex, edition: str = EDITION, chance: Chance | None = None
) -> State:
    """A table before the deal."""
    if seats not in SEAT_COUNTS or starter not in range(seats):
        raise ValueError(f"no Game of Trains has {seats} seats and starts at {starter}")
    if edition != EDITION:
        raise ValueError(f"no edition of the Game of Trains is called {edition}")
    return State(
        phase=DEAL,
        starter=starter,
        player=starter,
        rows=((),) * seats,
        locks=(NO_LOCKS,) * seats,
        market=(),
        known=NOTHING_KNOWN,
        given=NOTHING_KNOWN,
        owed=(),
        winner=None,
    )
