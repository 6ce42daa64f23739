"""Positions that the steps ask about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from companion.games.explanation import ANNA, EXAMPLE_NAMES, played
from companion.games.saboteur.rules.cards import CODE, GOLD_CARDS, MINER
from companion.games.saboteur.rules.decide import decide
from companion.games.saboteur.rules.evolve import evolve
from companion.games.saboteur.rules.maze import At, Maze, cell_of, initial_maze, lay
from companion.games.saboteur.rules.model import Deal, State
from companion.games.saboteur.rules.setup import begun

TUNNEL: Final = {(x, 0): "EW" for x in range(1, 6)}
"""From the start card towards the goal cards."""


def game_begun(edition: str) -> State:
    return begun(len(EXAMPLE_NAMES), ANNA, edition, GOLD_CARDS)


def round_begun(edition: str, maze: Maze | None = None) -> State:
    """A round in which the first player is to play."""
    state, _ = played(decide, evolve, game_begun(edition), Deal((MINER,) * len(EXAMPLE_NAMES)))
    assert state.now is not None
    return replace(state, now=replace(state.now, maze=maze or state.now.maze))


def maze_of(cards: Mapping[At, str]) -> Maze:
    maze = initial_maze()
    for at, card in cards.items():
        maze = lay(maze, cell_of(at), CODE[card])
    return maze
