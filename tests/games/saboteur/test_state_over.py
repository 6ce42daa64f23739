"""A state says plainly whether its game is over, so that equal states are equal."""

import random

from companion.games.saboteur import GAME
from companion.games.saboteur.rules.model import Pass


def test_a_game_is_not_over_while_it_is_played() -> None:
    chance = random.Random(1)
    state = GAME.new(3, 0, "fi", chance)
    assert state.over is False
    for play in (GAME.deal(state, chance), Pass(0)):
        events = GAME.decide(state, play)
        assert isinstance(events, tuple)
        for event in events:
            state = GAME.evolve(state, event)
        assert state.over is False
