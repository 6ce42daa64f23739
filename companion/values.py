"""What states, events, commands and pages are made of."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

One = TypeVar("One")


class Value(Struct, frozen=True, gc=False):
    """Its fields never change, and equal fields make equal values. No value is part of itself, nor
    holds what may come to hold it, such as a service: so the collector need not look at any. With a
    thousand phones most of what there is are values."""


def with_one(each: tuple[One, ...], at: int, other: One) -> tuple[One, ...]:
    """All of them, with another one at an index.

    >>> with_one((7, 12, 20), 1, 3)
    (7, 3, 20)
    """
    changed = list(each)
    changed[at] = other
    return tuple(changed)
