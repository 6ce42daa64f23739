"""Plays of the Game of Trains, from a posted form to the fields that a game record has.

Only the form's texts become what JSON would have; what cannot is left as it is, and refused by the
one reader of plays.
"""

from __future__ import annotations

from werkzeug.datastructures import MultiDict

from companion.games.fields import Fields, number_or_text


def fields_of(form: MultiDict[str, str]) -> Fields:
    """The play as a record's fields. The seven numbers of a deal come in whatever order they were
    typed: the row begins in descending order."""
    fields: Fields = {"play": form.get("play", "")}
    if form.get("ability"):  # of the wagon that leaves a row; left out where the referee knows it
        fields["ability"] = form["ability"]
    for name in ("card", "at", "number"):
        if name in form:
            fields[name] = number_or_text(form[name])
    if "lost" in form:
        fields["lost"] = [number_or_text(each) for each in form.getlist("lost")]
    if fields["play"] == "claim":  # from left to right, as it lies
        fields["row"] = [number_or_text(each) for each in form.getlist("row")]
    elif "row" in form:
        row = [number_or_text(each) for each in form.getlist("row") if each.strip()]
        typed = all(type(each) is int for each in row)
        fields["row"] = sorted(row, reverse=True) if typed else row
    return fields
