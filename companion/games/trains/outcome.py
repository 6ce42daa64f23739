"""A Game of Trains that is over, in figures: who has won."""

from __future__ import annotations

from companion.games.fields import players
from companion.games.game import Outcome, Score
from companion.games.trains.rules.model import State


def outcome(state: State) -> Outcome:
    """It does not count where it was given up."""
    winners = () if state.winner is None else (state.winner,)
    scores = (Score(0, seat, won=seat == state.winner) for seat in players(len(state.rows)))
    return Outcome(state.starter, winners, tuple(scores), counts=bool(winners))
