"""The games, one package each: `GAME` in it is the manifest, all that the rest knows of the game.

Inside a game, `rules` are pure functions: no clock, no chance, no text, no web. The rest of its
package reads and writes its records, puts it into words, and draws its pages.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from companion.games.game import Game


@cache
def names() -> tuple[str, ...]:
    """Of the games that there are; the first is the one that is offered first."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))


@cache
def find(name: object) -> Game | None:
    """The game of this name, imported when it is first asked for; None where there is none."""
    if name not in names():
        return None
    game = import_module(f"{__name__}.{name}").GAME
    assert isinstance(game, Game)
    return game
