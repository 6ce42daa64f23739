"""Abilities in words: filters of the Game of Trains' templates."""

from __future__ import annotations

from flask import Flask

from companion import i18n
from companion.messages import trains

SYMBOLS = {
    "swap_adjacent": "a-swap",
    "swap_over_one": "a-swap3",
    "move_right": "a-right",
    "move_left": "a-left",
    "remove_left": "a-rem-l",
    "remove_middle": "a-rem-m",
    "remove_right": "a-rem-r",
    "protect": "a-lock",
}
"""The drawing of each ability."""


def ability_words(code: str) -> str:
    return trains.ability(i18n.current(), code)


def install(app: Flask) -> None:
    app.jinja_env.filters["ability_words"] = ability_words
    app.jinja_env.filters["ability_symbol"] = SYMBOLS.__getitem__
    app.jinja_env.globals["ABILITIES"] = tuple(SYMBOLS)
