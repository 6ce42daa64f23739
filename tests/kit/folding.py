"""A state of the rules out of events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.game import Game


def fold(game: Game, state: Any, events: Sequence[Any]) -> Any:
    """The state after `events`, one by one."""
    for event in events:
        state = game.evolve(state, event)
    return state
