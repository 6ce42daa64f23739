"""Rejections that several decisions answer with; their reasons are in `reasons`."""

from __future__ import annotations

from typing import Final

from companion.games.game import Rejection
from companion.tables import reasons
from companion.values import Value

NO_TABLE: Final = Rejection(reasons.NO_TABLE)
NOT_HOST: Final = Rejection(reasons.NOT_HOST)
NOT_SEATED: Final = Rejection(reasons.NOT_SEATED)
UNKNOWN_SEAT: Final = Rejection(reasons.UNKNOWN_SEAT)
OFFER_EXPIRED: Final = Rejection(reasons.OFFER_EXPIRED)
UNDER_WAY: Final = Rejection(reasons.GAME_UNDER_WAY)
NO_GAME: Final = Rejection(reasons.NO_GAME_ON)


def stale(what: type[Value] | None, by: str | None = None, *, ends_game: bool = False) -> Rejection:
    """The page has overlooked something. `what`: class of the event, where it is known; `by`: who
    did it, by name; `ends_game`: it is the host's word that the game ends now."""
    more = {"ends_game": True} if ends_game else {}
    return Rejection(reasons.STALE, {"what": what, "by": by, **more})


def bad(field: str) -> Rejection:
    return Rejection(reasons.BAD_REQUEST, {"field": field})
