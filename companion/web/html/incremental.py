"""A map over a tuple that grows, such as a log: only what has come is made."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")


class Incremental(Generic[Item, Made]):
    """Of the `kept` last tuples, told apart by what the caller calls them.

    >>> squares = Incremental[int, int](kept=1)
    >>> def square(number):
    ...     print("of", number)
    ...     return number * number
    >>> squares.map("a", (1,), square), squares.map("a", (1, 2), square)
    of 1
    of 2
    ((1,), (1, 4))
    >>> squares.map("a", (1,), square), squares.map("a", (3,), square), squares.map("b", (), square)
    of 3
    ((1,), (9,), ())
    """

    def __init__(self, kept: int) -> None:
        self._max = kept
        self._kept: dict[Hashable, tuple[tuple[Item, ...], tuple[Made, ...]]] = {}

    def map(
        self, key: Hashable, items: tuple[Item, ...], make: Callable[[Item], Made]
    ) -> tuple[Made, ...]:
        """`make` of each item; for one key it is always the same function."""
        had, made = self._kept.pop(key, ((), ()))
        if had is not items:
            same = min(len(had), len(items))
            if had[:same] != items[:same]:
                same = 0
            made = made[:same] + tuple([make(item) for item in items[same:]])
        self._kept[key] = (items, made)
        if len(self._kept) > self._max:
            del self._kept[next(iter(self._kept))]
        return made
