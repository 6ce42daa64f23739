"""Plays of the Game of Trains, from a posted form to the fields that a game record has.

Only what the rules have a word for comes through; whether it is legal is for the rules to say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from werkzeug.datastructures import MultiDict

from companion.games.trains.rules.abilities import ABILITIES, PLACES
from companion.web.pages.forms import MisfitError, number

Form = MultiDict[str, str]
Fields = dict[str, Any]


def _number(form: Mapping[str, str], field: str) -> int:
    found = number(form, field)
    if found is None:
        raise MisfitError(field)
    return found


def _deal(form: Form) -> Fields:
    """The seven numbers in whatever order they were typed: the row begins in descending order."""
    row = [_number({"row": each}, "row") for each in form.getlist("row") if each.strip()]
    if len(row) != len(PLACES):
        raise MisfitError("row")
    return {"row": sorted(row, reverse=True)}


def _ability(form: Form) -> Fields:
    """Of the wagon that leaves a row; left out where the referee knows it."""
    ability = form.get("ability", "")
    if ability and ability not in ABILITIES:
        raise MisfitError("ability")
    return {"ability": ability} if ability else {}


def _put(form: Form) -> Fields:
    return {"card": _number(form, "card"), "at": _number(form, "at"), **_ability(form)}


def _use(form: Form) -> Fields:
    found = _ability(form)
    if not found:
        raise MisfitError("ability")
    at = form.get("at", "")
    if found["ability"] == "protect":
        return found | {"at": at}
    return found | ({"at": _number(form, "at")} if at else {})


_PLAYS: dict[str, Callable[[Form], Fields]] = {
    "deal": _deal,
    "draft": _put,
    "draw": _put,
    "use": _use,
    "refill": lambda form: {"card": _number(form, "card"), **_ability(form)},
}


def fields_of(form: Form) -> Fields:
    """The play as a record's fields."""
    name = form.get("play", "")
    if name not in _PLAYS:
        raise MisfitError("play")
    return {"play": name, **_PLAYS[name](form)}
