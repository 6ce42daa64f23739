"""How far the treasure is: counted by hand, and by looking at all that could be laid."""

from __future__ import annotations

import pytest

from companion.games.saboteur.rules.cards import (
    CODE,
    COPIES,
    KIND,
    NONE_USED,
    TUNNEL_COPIES,
    Counts,
    use,
)
from companion.games.saboteur.rules.distance import further_cards
from companion.games.saboteur.rules.maze import (
    At,
    Maze,
    cell_of,
    flip_goal,
    initial_maze,
    lay,
    take,
)
from tests.games.saboteur.positions import compared

ALONG = {(x, 0): "EW" for x in range(1, 8)}
"""From the start up to the middle goal."""


def laid(cards: dict[At, str]) -> Maze:
    maze = initial_maze()
    for at, card in cards.items():
        maze = lay(maze, cell_of(at), CODE[card])
    return maze


def only(**left: int) -> Counts:
    """All cards have been played but so many copies of each of these."""
    used = NONE_USED
    for text in TUNNEL_COPIES:
        for _ in range(COPIES[KIND[text]] - left.get(text, 0)):
            used = use(used, KIND[text])
    return used


def first(cards: int) -> dict[At, str]:
    return dict(list(ALONG.items())[:cards])


@pytest.mark.parametrize(
    ("cards", "further"),
    [
        ({}, 7),  # seven cells to the middle goal
        (first(3), 4),
        (first(7), 0),
        ({**first(3), (4, 0): "EWx"}, 9),  # north from the start, one row to a goal, eight columns
        ({(1, 0): "NSW"}, 8),  # the same from one column further
        ({(1, 0): "Wx", (0, 1): "Sx", (0, -1): "Nx"}, 11),  # nine columns and two rows round
        ({(1, 0): "Wx", (0, 1): "Sx", (0, -1): "Nx", (-1, 0): "Ex"}, None),
    ],
)
def test_counted_by_hand(cards: dict[At, str], further: int | None) -> None:
    assert further_cards(laid(cards), NONE_USED) == further


def test_a_gap_that_a_rockfall_left_is_one_card() -> None:
    assert further_cards(take(laid(ALONG), cell_of((4, 0))), NONE_USED) == 1


def test_a_stone_is_no_treasure_any_more() -> None:
    maze = flip_goal(laid(ALONG), "middle", "NW")
    assert further_cards(maze, NONE_USED) == 1  # north of the stone, on to the goal beyond
    maze = lay(maze, cell_of((8, 1)), CODE["Sx"])
    assert further_cards(maze, NONE_USED) == 9  # from the start, one row and eight columns


def test_without_a_goal_face_down_there_is_no_way() -> None:
    maze = initial_maze()
    for goal, stone in (("north", "NE"), ("middle", "NW"), ("south", "NE")):
        maze = flip_goal(maze, goal, stone)
    assert further_cards(maze, NONE_USED) is None


@pytest.mark.parametrize(
    ("left", "further"),
    [
        ({"EW": 3}, 3),
        ({"EW": 2, "NEW": 1}, 3),  # whatever else leads through
        ({"EW": 2, "NE": 2, "NW": 2}, 5),  # off the row, and to the goal from beside it
        ({"EW": 2, "EWx": 1}, None),  # a dead end leads nowhere
        ({"EW": 2, "NE": 3}, 5),  # off the row and further south, to the goal there
        ({"EW": 2, "NE": 2}, None),
        ({}, None),
    ],
)
def test_only_with_the_cards_left(left: dict[str, int], further: int | None) -> None:
    maze = laid({**first(4), (0, 1): "Sx", (0, -1): "Nx", (-1, 0): "Ex"})
    assert further_cards(maze, only(**left)) == further


def test_as_the_slow_search_finds_it() -> None:
    found = compared(seed=7, times=100, mazes=60)
    assert None in found
    assert set(range(1, 8)) <= found.keys()
