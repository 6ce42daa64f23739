"""What a check has found: a level and a sentence for whoever runs the program."""

from __future__ import annotations

from enum import StrEnum

from companion.values import Value


class Level(StrEnum):
    GOOD = "ok"
    LOOK = "look"  # it may be in the way
    BAD = "bad"  # it is in the way


class Finding(Value, frozen=True):
    level: Level
    text: str


def good(text: str) -> Finding:
    return Finding(Level.GOOD, text)


def doubtful(text: str) -> Finding:
    return Finding(Level.LOOK, text)


def bad(text: str) -> Finding:
    return Finding(Level.BAD, text)
