"""Plays of the referee's way, from a posted form to the fields that a game record has.

Only what the rules have a word for comes through; whether it is legal is for the rules to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from companion.rules.saboteur.cards import GOALS, TOOLS

Fields = dict[str, Any]

CARD_MAX = 8
"""Letters that any card's text can have."""


class MisplayedError(ValueError):
    """A field that no form of ours sends."""

    def __init__(self, field: str) -> None:
        super().__init__(field)
        self.field = field


def _one_of(form: Mapping[str, str], field: str, known: tuple[str, ...]) -> str:
    value = form.get(field, "")
    if value not in known:
        raise MisplayedError(field)
    return value


def _at(form: Mapping[str, str]) -> tuple[int, int]:
    found = re.fullmatch(r"(-?\d{1,3}),(-?\d{1,3})", form.get("at", ""), re.ASCII)
    if found is None:
        raise MisplayedError("at")
    return int(found[1]), int(found[2])


def _card(form: Mapping[str, str]) -> str:
    card = form.get("card", "")
    if not 0 < len(card) <= CARD_MAX and card != "treasure":
        raise MisplayedError("card")
    return card


def _target(form: Mapping[str, str]) -> int:
    target = form.get("target", "")
    if not re.fullmatch(r"\d{1,9}", target, re.ASCII):
        raise MisplayedError("target")
    return int(target)


def _mending(form: Mapping[str, str]) -> list[str]:
    card = form.get("card", "").split(",")
    if not set(card) <= set(TOOLS):
        raise MisplayedError("card")
    return card


_PLAYS: dict[str, Callable[[Mapping[str, str]], Fields]] = {
    "path": lambda form: {"card": _card(form), "at": _at(form)},
    "reveal": lambda form: {"goal": _one_of(form, "goal", GOALS), "card": _card(form)},
    "break": lambda form: {"tool": _one_of(form, "tool", TOOLS), "seat": _target(form)},
    "repair": lambda form: {
        "card": _mending(form),
        "tool": _one_of(form, "tool", TOOLS),
        "seat": _target(form),
    },
    "rockfall": lambda form: {"at": _at(form)},
    "map": lambda form: {"goal": _one_of(form, "goal", GOALS)},
    "pass": lambda form: {},
}

NAMES = tuple(_PLAYS)


def fields_of(name: str, form: Mapping[str, str]) -> Fields:
    """The play as a record's fields; seats by id."""
    if name not in _PLAYS:
        raise MisplayedError("play")
    return {"play": name, **_PLAYS[name](form)}
