"""A game of Saboteur that is over, in figures: who was what in each round, and what they gained."""

from __future__ import annotations

from companion.games.fields import by_player
from companion.games.game import Outcome, Score
from companion.games.saboteur.rules.cards import MINER, SABOTEUR
from companion.games.saboteur.rules.gold import richest
from companion.games.saboteur.rules.model import MINERS_WON, NOBODY, SABOTEURS_WON, State

_SIDE = {MINER: MINERS_WON, SABOTEUR: SABOTEURS_WON}
"""As a round is won by it."""


def outcome(state: State) -> Outcome:
    """Nobody has won where nobody has any gold."""
    scores = tuple(
        Score(number, seat, past.won_by == _SIDE[role], role, sum(past.gold[seat]))
        for number, past in enumerate(state.past, 1)
        if past.won_by != NOBODY  # else it was cut short, and does not count
        for seat, role in by_player(past.final.roles)
    )
    totals = state.totals
    winners = richest(totals) if any(totals) else ()
    starter = state.past[0].final.starter if state.past else state.starter
    return Outcome(starter, winners, scores, counts=bool(scores))
