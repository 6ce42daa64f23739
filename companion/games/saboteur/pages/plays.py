"""Plays of Saboteur, from a posted form to the fields that a game record has.

Only what the rules have a word for comes through; whether it is legal is for the rules to say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from companion.games.saboteur.rules.cards import GOALS, TOOLS
from companion.web.pages.forms import MisfitError, number

Fields = dict[str, Any]

CARD_MAX = 8
"""Letters that any card's text can have."""


def _one_of(form: Mapping[str, str], field: str, known: tuple[str, ...]) -> str:
    value = form.get(field, "")
    if value not in known:
        raise MisfitError(field)
    return value


def _at(form: Mapping[str, str]) -> tuple[int, int]:
    found = re.fullmatch(r"(-?\d{1,3}),(-?\d{1,3})", form.get("at", ""), re.ASCII)
    if found is None:
        raise MisfitError("at")
    return int(found[1]), int(found[2])


def _card(form: Mapping[str, str]) -> str:
    card = form.get("card", "")
    if not 0 < len(card) <= CARD_MAX and card != "treasure":
        raise MisfitError("card")
    return card


def _target(form: Mapping[str, str]) -> int:
    target = form.get("target", "")
    if not re.fullmatch(r"\d{1,9}", target, re.ASCII):
        raise MisfitError("target")
    return int(target)


def _mending(form: Mapping[str, str]) -> list[str]:
    card = form.get("card", "").split(",")
    if not set(card) <= set(TOOLS):
        raise MisfitError("card")
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


def fields_of(form: Mapping[str, str]) -> Fields:
    """The play as a record's fields; seats by id."""
    name = form.get("play", "")
    if name == "result":
        return _result(form)
    if name not in _PLAYS:
        raise MisfitError("play")
    return {"play": name, **_PLAYS[name](form)}


def _result(form: Mapping[str, str]) -> Fields:
    """How a round ended, where plays are not reported."""
    reached = form.get("reached", "")
    if reached not in ("0", "1", ""):
        raise MisfitError("play")
    finisher, last = number(form, "finisher"), number(form, "last")
    if reached == "1":
        if finisher is None:
            raise MisfitError("finisher")
        last = None
    elif reached == "0":  # nobody may know who was last
        finisher = None
    elif finisher is None and last is None:
        raise MisfitError("reached")
    return {"play": "result", "finisher": finisher, "last": last}
