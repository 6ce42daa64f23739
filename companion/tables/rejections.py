"""Rejections that several decisions answer with; their reasons are in `refusals`."""

from __future__ import annotations

from typing import Final

from companion.games.game import Rejection
from companion.tables import refusals
from companion.values import Value

NO_TABLE: Final = Rejection(refusals.NO_TABLE)
NOT_HOST: Final = Rejection(refusals.NOT_HOST)
NOT_SEATED: Final = Rejection(refusals.NOT_SEATED)
UNKNOWN_SEAT: Final = Rejection(refusals.UNKNOWN_SEAT)
OFFER_EXPIRED: Final = Rejection(refusals.OFFER_EXPIRED)
UNDER_WAY: Final = Rejection(refusals.GAME_UNDER_WAY)
NO_GAME: Final = Rejection(refusals.NO_GAME_ON)


def stale(what: type[Value] | None, by: str | None = None, *, ends_game: bool = False) -> Rejection:
    """The page has overlooked something. `what`: class of the event, where it is known; `by`: who
    did it, by name; `ends_game`: it is the host's word that the game ends now."""
    more = {"ends_game": True} if ends_game else {}
    return Rejection(refusals.STALE, {"what": what, "by": by, **more})


def bad(field: str) -> Rejection:
    return Rejection(refusals.BAD_REQUEST, {"field": field})
