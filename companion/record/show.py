"""A table in the terminal, as anybody may see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.record.texts import known


def draw(game: str, state: Any, names: Sequence[str]) -> str:
    """The present state of a game as text; each game draws its own."""
    return known(game).draw(state, names)
