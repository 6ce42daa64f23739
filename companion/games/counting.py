"""What games count in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Protocol, TypeVar

LARGE: Final = 2
"""Smallest step that counts as large: two cards or wagons."""


class Measured(Protocol):
    @property
    def step(self) -> float:
        """Further away than before; negative: nearer."""


MeasuredT = TypeVar("MeasuredT", bound=Measured)


def largest(
    steps: Iterable[MeasuredT], most: int, place: Callable[[MeasuredT], int]
) -> list[MeasuredT]:
    """The largest steps of a game in the order of `place`: at most `most` towards the goal and as
    many away from it; of equal ones the first count."""
    found = [each for each in steps if abs(each.step) >= LARGE]
    nearer = sorted((each for each in found if each.step < 0), key=lambda each: each.step)
    away = sorted((each for each in found if each.step > 0), key=lambda each: -each.step)
    return sorted([*nearer[:most], *away[:most]], key=place)
