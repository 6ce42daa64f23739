"""What is counted in a Game of Trains, against a game that was counted by hand."""

from __future__ import annotations

import json

from companion.games import GAMES
from companion.games.trains.rules import figures
from companion.games.trains.rules.figures import Effect, Turn
from companion.record import read

A, B = 0, 1
LINES = (
    {"game": "trains", "seats": ["A", "B"], "starter": "A"},
    {"by": "A", "play": "deal", "row": [70, 60, 50, 40, 30, 20, 10]},
    {"by": "B", "play": "deal", "row": [71, 61, 51, 41, 31, 21, 11]},
    {"by": "A", "play": "draft", "card": 5, "at": 1, "ability": "swap_adjacent"},
    {"by": "B", "play": "draft", "card": 80, "at": 7, "ability": "move_left"},
    {"by": "A", "play": "use", "ability": "swap_adjacent", "at": 2},  # 5 50 60 40 30 20 10
    {"by": "B", "play": "use", "ability": "move_left", "at": 7},  # 71 61 51 41 80 31 21
    {"by": "A", "play": "draw", "card": 75, "at": 7, "ability": "remove_middle"},  # 5 50 60 and 75
    {"by": "B", "play": "use", "ability": "remove_middle"},
    {"by": "B", "play": "refill", "card": 1, "ability": "protect"},  # 71 61 51 1 80 31 21
    {"by": "A", "play": "refill", "card": 65, "ability": "move_right"},  # 5 50 60 65 and 75
)


def turns() -> list[Turn]:
    record = "".join(json.dumps(line) + "\n" for line in LINES).encode()
    _, *steps = read([record], GAMES)
    assert all(step.verdict and step.verdict.ok for step in steps)
    return figures.turns((step.state, step.events) for step in steps)


def test_how_far_each_row_was_from_rising() -> None:
    assert turns() == [
        Turn(2, 2, None, None, (6, 6)),  # one wagon stays, and six must go
        Turn(3, 3, A, None, (5, 6)),
        Turn(4, 4, B, None, (5, 5)),
        Turn(5, 5, A, "swap_adjacent", (4, 5)),
        Turn(6, 6, B, "move_left", (4, 5)),
        Turn(7, 7, A, None, (3, 5)),
        Turn(8, 10, B, "remove_middle", (2, 5)),  # with both gaps filled
    ]


def test_what_abilities_did() -> None:
    assert figures.effects(turns()) == [
        Effect("move_left", 1, 0, 0, 0, 0),
        Effect("remove_middle", 1, 0, 0, 1, 0),
        Effect("swap_adjacent", 1, 1, 0, 0, 0),
    ]


def test_what_turns_were_used_for() -> None:
    assert figures.uses(turns(), 2) == [[2, 1], [1, 2]]


def test_the_largest_steps() -> None:
    assert figures.highlights(turns(), 3) == []  # none is of two wagons
    was, now = Turn(1, 1, A, None, (6, 6)), Turn(2, 2, B, "remove_left", (3, 7))
    assert [(each.seat, each.was, each.now) for each in figures.highlights([was, now], 3)] == [
        (A, 6, 3)
    ]
    assert [each.step for each in figures.highlights([now, was], 3)] == [3]


def test_who_leapt_and_who_gained() -> None:
    assert figures.leaps(turns()) == {A: 1, B: 1}
    assert figures.gains(turns()) == {A: 1}  # what a removal of B's did for it is not its own


def test_a_gap_that_stays_open_at_the_end_is_no_wagon_further_away() -> None:
    """A removal counts when its gaps are filled: not where the game is over before that."""
    lines = (
        *LINES[:6],  # 5 50 60 40 30 20 10
        {"by": "B", "play": "draw", "card": 2, "at": 1, "ability": "remove_right"},
        {"by": "A", "play": "use", "ability": "remove_right"},
    )
    record = "".join(json.dumps(line) + "\n" for line in lines).encode()
    _, *steps = read([record], GAMES)
    *_, before, turn = figures.turns((step.state, step.events) for step in steps)
    assert (before.away, turn.away) == ((4, 4), (4, 5))
    assert figures.effects([before, turn]) == [Effect("remove_right", 1, 0, 0, 0, 0)]
