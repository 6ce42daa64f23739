"""A table in the terminal, as anybody may see it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any


def draw(game: str, state: Any, names: Sequence[str]) -> str:
    """How a game stands, as text; each game has a module here that draws its own."""
    drawn: str = import_module(f"{__name__}.{game}").draw(state, names)
    return drawn
