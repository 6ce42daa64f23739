"""The light way: no play is reported. The referee keeps whose turn it is and the order of the gaps,
and checks a row that has risen.

The checks come in this order: nobody sits there; the game is over; the seat is not the one to act;
then those of each play. Anybody may show a row at any time: it does not matter whose play did it.
"""

from __future__ import annotations

from itertools import pairwise

from companion.games.game import Rejection
from companion.games.trains import reasons
from companion.games.trains.rules.abilities import WAGONS, ascends
from companion.games.trains.rules.model import (
    DEAL,
    DRAFT,
    OVER,
    TURN,
    Claim,
    Event,
    GameWon,
    Gaps,
    GapsOpened,
    LightPlay,
    RowShown,
    State,
    TurnEnded,
)

Decision = tuple[Event, ...] | Rejection


def decide_light(state: State, play: LightPlay) -> Decision:
    if state.phase == OVER:
        return Rejection(reasons.GAME_OVER)
    if isinstance(play, Claim):
        return _claim(play)
    turn = state.acting
    if play.by != turn:
        return Rejection(reasons.NOT_YOUR_TURN, {"seat": turn})
    if isinstance(play, Gaps):
        return _gaps(state, play)
    return (TurnEnded(play.by, gap=bool(state.owed)),)


def _gaps(state: State, play: Gaps) -> Decision:
    """A removal is a turn; whoever used it draws first, then the others clockwise."""
    if state.phase != TURN:
        phase = DRAFT if state.phase == DEAL else state.phase  # nobody tells what was dealt
        return Rejection(reasons.WRONG_PHASE, {"phase": phase})
    lost = tuple(seat for seat in state.clockwise(play.by) if seat in play.lost)
    return (GapsOpened(play.by, lost),) if lost else (TurnEnded(play.by),)


def _claim(play: Claim) -> Decision:
    for wagon in play.row:
        if wagon not in WAGONS:
            return Rejection(reasons.UNKNOWN_CARD, {"wagon": wagon})
    if not ascends(play.row):
        left, right = next(pair for pair in pairwise(play.row) if pair[0] >= pair[1])
        return Rejection(reasons.NOT_ASCENDING, {"left": left, "right": right})
    return (RowShown(play.by, play.row), GameWon(play.by))
