"""Long work in slices, so that nobody else is kept waiting for the end of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeVar

Item = TypeVar("Item")

SLICE_S: Final = 0.005
"""How long work goes on before others have a turn."""

REST_S: Final = 0.0005
"""Long enough for the event loop to look at every connection."""


def rest() -> None:
    """Lets others in, for as short a time as they need."""
    time.sleep(REST_S)


def paced(breathe: Callable[[], None] = rest) -> Callable[[], None]:
    """To be called again and again in the midst of long work; rests whenever a slice of time is
    over."""
    until = time.perf_counter() + SLICE_S

    def pause() -> None:
        nonlocal until
        if time.perf_counter() >= until:
            breathe()
            until = time.perf_counter() + SLICE_S

    return pause


def in_slices(items: Iterable[Item], breathe: Callable[[], None] = rest) -> Iterator[Item]:
    """The items, with a rest between them whenever a slice of time is over.

    >>> list(in_slices("abc"))
    ['a', 'b', 'c']
    """
    pause = paced(breathe)
    for item in items:
        yield item
        pause()
