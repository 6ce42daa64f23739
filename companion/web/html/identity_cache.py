"""A cache by identity: values that are worked out from a table's state once for all phones."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

Of = TypeVarTuple("Of")
Made = TypeVar("Made")


def by_identity(kept: int) -> Callable[[Callable[[*Of], Made]], Callable[[*Of], Made]]:
    """Keeps what a function made last, of `kept` different arguments, which are told apart by
    identity: a state is large, and never changes.

    >>> @by_identity(kept=1)
    ... def total(numbers):
    ...     print("adding")
    ...     return sum(numbers)
    >>> one, other = (1, 2), (3, 4)
    >>> total(one), total(one), total(other), total(one)
    adding
    adding
    adding
    (3, 3, 7, 3)
    """

    def decorate(make: Callable[[*Of], Made]) -> Callable[[*Of], Made]:
        made: dict[tuple[int, ...], tuple[tuple[*Of], Made]] = {}

        @wraps(make)
        def get(*args: *Of) -> Made:
            key = tuple(map(id, args))
            found = made.get(key)
            if found is None:
                while len(made) >= kept:
                    made.pop(next(iter(made)))
                found = made[key] = (args, make(*args))  # whose ids stay theirs so
            return found[1]

        return get

    return decorate
