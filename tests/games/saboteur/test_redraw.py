"""The gold that is left, drawn anew: rounds before are paid as they were, by the record too."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from companion.games.saboteur import GAME
from companion.games.saboteur.rules.model import Result, Seats, State
from companion.games.saboteur.rules.redraw import redrawn, untouched


def played(began: State, plays: list[Result], seed: int) -> State:
    """Rounds told at once, with the same roles and places for the same seed."""
    state, roles = began, random.Random(seed)
    for play in plays:
        places = Seats(tuple(roles.sample(range(began.seats), began.seats)))
        for each in (GAME.deal(state, roles), places, play):  # type: ignore[misc]
            events = GAME.decide(state, each)
            assert isinstance(events, tuple)
            state = GAME.fold(state, events)
    return state


@given(st.integers(3, 10), st.integers(0, 10**6), st.data())
def test_rounds_before_are_paid_as_they_were(seats: int, seed: int, data: st.DataObject) -> None:
    began = GAME.new(seats, 0, "lv-2009", random.Random(seed))
    players = st.integers(0, seats - 1)
    told = st.tuples(players, st.booleans(), players)
    ends = told.map(lambda end: Result(end[0], end[0] if end[1] else None, end[2]))
    plays = data.draw(st.lists(ends, min_size=0, max_size=2))
    state = played(began, plays, seed)
    other_began, other = redrawn(began, state, random.Random(seed + 1))
    assert sorted(other.gold) == sorted(state.gold)
    assert sorted(other_began.gold) == sorted(began.gold)
    assert played(other_began, plays, seed) == other
    count = untouched(began.gold, state.past)
    assert began.gold[: 28 - count] == other_began.gold[: 28 - count]


def test_nearly_all_that_is_left_is_drawn_anew() -> None:
    """A card that was looked at and put back under the pile stays where it is."""
    counts = []
    for seed in range(50):
        began = GAME.new(5, 0, "lv-2009", random.Random(seed))
        state = played(began, [Result(0, None, 1), Result(1, 1, None)], seed)
        counts.append(len(state.gold) - untouched(began.gold, state.past))
        assert redrawn(began, state, random.Random(seed))[1].gold != state.gold
    assert min(counts) == 0
    assert max(counts) < 7
