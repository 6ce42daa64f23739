"""The shuffles of a game's beginning: recorded when they are drawn, the same when a log is read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.games.game import Chance
from companion.tables.codec import UndecodableError


class RecordingShuffle:
    """Chance that remembers its shuffles, so that an event can carry them."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self.shuffles: list[tuple[int, ...]] = []

    def shuffle(self, x: list[Any], /) -> None:
        order = list(range(len(x)))
        self._chance.shuffle(order)
        x[:] = [x[index] for index in order]
        self.shuffles.append(tuple(order))


class ReplayedShuffle:
    """The same shuffles again."""

    def __init__(self, shuffles: Sequence[Sequence[int]]) -> None:
        self._shuffles = iter(shuffles)

    def shuffle(self, x: list[Any], /) -> None:
        order = next(self._shuffles, None)
        if order is None or sorted(order) != list(range(len(x))):
            raise UndecodableError("shuffles")
        x[:] = [x[index] for index in order]


class AsItLies:
    """No shuffle: everything stays in its order."""

    def shuffle(self, x: list[Any], /) -> None:
        pass
