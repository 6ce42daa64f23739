"""Plays of Saboteur, from a posted form to the fields that a game record has.

Only the form's texts become what JSON would have; what cannot is left as it is, and refused by the
one reader of plays.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.fields import Fields, number_or_text
from companion.web.http.fields import MisfitError, number


def fields_of(form: Mapping[str, str]) -> Fields:
    """The play as a record's fields; players by their seats."""
    play = form.get("play", "")
    fields: Fields = {name: form[name] for name in ("play", "card", "tool", "goal") if name in form}
    if "at" in form:
        fields["at"] = [number_or_text(part) for part in form["at"].split(",")]
    if "target" in form:
        fields["seat"] = number_or_text(form["target"])
    for name in ("step", "pile"):
        if name in form:
            fields[name] = number_or_text(form[name])
    if "uncounted" in form:
        fields["uncounted"] = True
    if play == "repair":
        fields["card"] = form.get("card", "").split(",")
    return fields | _result(form) if play == "result" else fields


def _result(form: Mapping[str, str]) -> Fields:
    """How a round ended, where plays are not reported."""
    match form.get("reached"):
        case "1":
            finisher = number(form, "finisher")
            if finisher is None:
                raise MisfitError("finisher")
            return {"finisher": finisher}
        case "0":
            last = number(form, "last")  # nobody may know who it was
            return {"finisher": None} | ({} if last is None else {"last": last})
    raise MisfitError("reached")
