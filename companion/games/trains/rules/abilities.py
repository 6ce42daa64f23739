"""Wagons, places and the eight abilities (Game of Trains, Brain Games 2015, “Võimed”).

A wagon has a number and an ability. The booklet does not print which number bears which
ability, so nothing here says so: the referee is told when a wagon turns up for its ability.

Places are counted 1 (left) to 7 (right); the locomotive is no wagon and has no place.
"""

from __future__ import annotations

from typing import Final, Literal

from companion.values import with_one

WAGONS: Final = range(1, 85)
PLACES: Final = range(1, 8)
GAP: Final = 0
"""What a row holds where a wagon has been removed and the next one is not drawn yet."""

Row = tuple[int, ...]

Ability = Literal[
    "swap_adjacent",
    "swap_over_one",
    "move_right",
    "move_left",
    "protect",
    "remove_left",
    "remove_middle",
    "remove_right",
]
"""As records name it."""

SWAPS: Final[tuple[Ability, ...]] = ("swap_adjacent", "swap_over_one")

REMOVED_PLACE: Final[dict[Ability, int]] = {"remove_left": 1, "remove_middle": 4, "remove_right": 7}
"""The place that a removal empties in every row: leftmost, fourth from both ends, rightmost."""

REACH: Final[dict[Ability, tuple[int, ...]]] = {
    "swap_adjacent": (1, 2, 3, 4, 5, 6),
    "swap_over_one": (1, 2, 3, 4, 5),
    "move_right": (1, 2, 3, 4, 5),
    "move_left": (3, 4, 5, 6, 7),
    "protect": (1, 4, 7),
    "remove_left": (),
    "remove_middle": (),
    "remove_right": (),
}
"""Where an ability may be used: the left one of a swap's two wagons, the wagon that moves (it
must go exactly two places, so not the first or second on that side), the wagon to protect."""

FURTHER: Final[dict[Ability, int]] = {
    "swap_adjacent": 1,
    "swap_over_one": 2,
    "move_right": 2,
    "move_left": -2,
}
"""How many places to the right the other wagon of a swap lies, or a wagon moves."""

ABILITIES: Final[tuple[Ability, ...]] = tuple(sorted(REACH))


def disturbed(ability: Ability, at: int) -> tuple[int, ...]:
    """The places whose wagon changes when a swap or a move is used at a place."""
    to = at + FURTHER[ability]
    if ability in SWAPS:
        return (at, to)
    return tuple(range(min(at, to), max(at, to) + 1))


def swapped(row: Row, left: int, right: int) -> Row:
    """The row after the wagons at two places have changed places."""
    a, b = left - 1, right - 1
    return (*row[:a], row[b], *row[a + 1 : b], row[a], *row[b + 1 :])


def moved(row: Row, start: int, end: int) -> Row:
    """The row after one wagon has moved; those that it passed have closed up."""
    a, b = start - 1, end - 1
    if a < b:
        return (*row[:a], *row[a + 1 : b + 1], row[a], *row[b + 1 :])
    return (*row[:b], row[a], *row[b:a], *row[a + 1 :])


def rearranged(row: Row, ability: Ability, at: int) -> Row:
    """The row as it will be after a swap or a move: what a preview shows."""
    to = at + FURTHER[ability]
    return swapped(row, at, to) if ability in SWAPS else moved(row, at, to)


def placed(row: Row, place: int, wagon: int) -> Row:
    """The row with a wagon, or a gap, put in at a place."""
    return with_one(row, place - 1, wagon)


def ascends(row: Row) -> bool:
    """Whether a row wins: seven wagons, ascending from left to right (“Mängu lõpp”)."""
    a, b, c, d, e, f, g = row
    return GAP < a < b < c < d < e < f < g


def out_of_order(row: Row) -> int:
    """How many wagons of a row at the least must go elsewhere, or make room for another one,
    before it ascends; a gap counts as one. (Seven less the longest ascending run, with leaps.)
    """
    best: list[int] = []
    for place, wagon in enumerate(row):
        before = [best[i] for i in range(place) if GAP < row[i] < wagon]
        best.append(0 if wagon == GAP else 1 + max(before, default=0))
    return len(row) - max(best, default=0)


def astray(row: Row) -> int | None:
    """The one wagon that is out of order; None where there are more, or where it may be one of two.

    >>> astray((7, 12, 80, 20, 33, 40, 61)), astray((7, 20, 12, 30, 33, 40, 61))
    (80, None)
    """
    if GAP in row or out_of_order(row) != 1:
        return None
    alone = [
        wagon
        for place, wagon in enumerate(row)
        if not out_of_order((*row[:place], *row[place + 1 :]))
    ]
    return alone[0] if len(alone) == 1 else None
