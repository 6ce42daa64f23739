"""The fields of a play, from a line of a record or from a form: what is checked for every game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any, Final, Generic, NewType, TypeVar, cast

from companion.values import Value

One = TypeVar("One")
State = TypeVar("State")

Fields = dict[str, Any]
"""As JSON has them."""

PlayerIndex = NewType("PlayerIndex", int)
"""A player in a game: from 0, in the order in which they sat when it began."""

FIRST_PLAYER: Final = PlayerIndex(0)

FindsPlayer = Callable[[object], PlayerIndex | None]
"""Whoever a field names (in a record by name, in a form by seat): the player's index;
`UNKNOWN_PLAYER` if nobody here is called so, None for what names nobody anywhere."""

UNKNOWN_PLAYER: Final = PlayerIndex(-1)

NAME_MAX: Final = 24
"""Code points in a player's name."""

DIGITS_MAX: Final = 15
NUMBER_LIMIT: Final[int] = 10**DIGITS_MAX


class Malformed(Value, frozen=True):
    """The first field that is missing, or has the wrong type or value."""

    field: str


class RecordStart(Value, Generic[State], frozen=True):
    """What a record's header begins: who plays, and the game's state before the first play."""

    names: tuple[str, ...]
    state: State


@cache
def players(number: int) -> tuple[PlayerIndex, ...]:
    """So many, in their order."""
    return tuple(map(PlayerIndex, range(number)))


def by_player(values: Iterable[One]) -> Iterator[tuple[PlayerIndex, One]]:
    """What there is for each player, with whose it is.

    >>> list(by_player("ab"))
    [(0, 'a'), (1, 'b')]
    """
    return cast("Iterator[tuple[PlayerIndex, One]]", enumerate(values))


def is_number(value: object) -> bool:
    """An integer written without fraction or exponent, of at most 15 digits, never a boolean."""
    return type(value) is int and -NUMBER_LIMIT < value < NUMBER_LIMIT


def number_or_text(raw: str) -> int | str:
    """What JSON would have where a form has only texts: such an integer, or else the text.

    >>> number_or_text(" -3"), number_or_text("left")
    (-3, 'left')
    """
    return int(raw) if re.fullmatch(rf"-?[0-9]{{1,{DIGITS_MAX}}}", raw.strip()) else raw


def is_between(value: object, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high


def good_names(value: object, counts: range) -> tuple[str, ...] | None:
    """The players' names: as many as the game allows, 1 to 24 code points each, all different."""
    if type(value) is not list or len(value) not in counts:
        return None
    for name in value:
        if type(name) is not str or not 1 <= len(name) <= NAME_MAX:
            return None
    return tuple(value) if len(set(value)) == len(value) else None


def seating(fields: Fields, counts: range) -> tuple[tuple[str, ...], PlayerIndex] | Malformed:
    """Of a record's header: the players' names, and the index of whoever starts."""
    names = good_names(fields.get("seats"), counts)
    if names is None:
        return Malformed("seats")
    starter = fields.get("starter")
    if starter not in names:
        return Malformed("starter")
    return names, PlayerIndex(names.index(starter))
