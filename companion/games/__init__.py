"""The games, one package each: `GAME` in it is the manifest, all that the rest knows of the game.

Inside a game, `rules` are pure functions: no clock, no chance, no text, no web. The rest of its
package reads and writes its records, puts it into words, and draws its pages.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from typing import Final

from companion.games.game import AnyGame, Game


@cache
def _load(name: str) -> AnyGame:
    game: AnyGame = import_module(f"{__name__}.{name}").GAME
    assert isinstance(game, Game)
    return game


class _Packages(Mapping[str, AnyGame]):
    """Each game is imported when it is first asked for: whoever judges one needs no other."""

    def __init__(self) -> None:
        packages = (module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)
        self._names = tuple(sorted(packages))

    def __getitem__(self, name: str) -> AnyGame:
        if name not in self._names:
            raise KeyError(name)
        return _load(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


GAMES: Final[Mapping[str, AnyGame]] = _Packages()
"""Every game that there is, by name; the first is the one that is offered first. Given to what
needs games where the program is put together, and asked for nowhere else."""
