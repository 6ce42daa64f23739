"""Plays as the pages' forms send them: a form has the fields of a record, and a few of its own."""

from __future__ import annotations

from typing import Any

from companion.games import GAMES

SEATS = tuple(str(number) for number in range(1, 11))
"""The ids of seats in the order of joining, while none was removed."""


def opening(game: str = "saboteur", **choices: str) -> dict[str, str]:
    """Of the home page: the edition and the way are fields of their game."""
    of_game = ("edition", "way")
    named = {f"{name}-{game}" if name in of_game else name: choices[name] for name in choices}
    return {"game": game, **named}


def form_of(play: Any, seats: tuple[str, ...] = SEATS) -> dict[str, str | list[str]]:
    """Of a play of any game; `seats`: the players' seats by their ids."""
    game = next(name for name in GAMES if f".{name}." in type(play).__module__)
    fields = GAMES[game].play_fields(play, seats)
    form = {"seat": fields.pop("by"), "play": fields.pop("play")}
    return form | _OWN[game](form["play"], fields)


def _saboteur(play: str, fields: dict[str, Any]) -> dict[str, str | list[str]]:
    """A target where a record has a seat, cards and cells as words, the end as it is asked for."""
    if play == "result":
        reached = fields.pop("finisher")
        return {"reached": "1", "finisher": reached} if reached else {"reached": "0", **fields}
    if "seat" in fields:
        fields["target"] = fields.pop("seat")
    return {
        name: ",".join(map(str, value)) if isinstance(value, list) else value
        for name, value in fields.items()
    }


def _trains(play: str, fields: dict[str, Any]) -> dict[str, str | list[str]]:
    """A row in the order in which it was typed, which is any; the gap that was tapped."""
    if play == "refill":
        fields["at"] = 4  # where it lies is known
    return {
        name: [str(each) for each in reversed(value)] if isinstance(value, list) else str(value)
        for name, value in fields.items()
    }


_OWN = {"saboteur": _saboteur, "trains": _trains}
