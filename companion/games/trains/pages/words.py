"""Abilities in words: filters of the Game of Trains' templates."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Flask

from companion import i18n
from companion.games.game import Rejection
from companion.games.trains import labels, reasons
from companion.games.trains.pages.views import Wagon
from companion.games.trains.rules.abilities import Ability

SYMBOLS: dict[Ability, str] = {
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


def ability_words(code: Ability) -> str:
    return labels.ability(i18n.current(), code)


def ability_deed(code: Ability) -> str:
    return labels.deed(i18n.current(), code)


def wagon_words(wagon: Wagon) -> str:
    """A place of a row, for screen readers."""
    t = i18n.current()
    said = {"place": wagon.place, "wagon": wagon.number}
    if wagon.number is None:
        # Translators: a place of a row, 1 (left) to 7 (right), without a wagon; read aloud
        return t.gettext("Position %(place)d: gap") % said
    if wagon.protected:
        # Translators: a place of a row, 1 (left) to 7 (right); wagon is its number; read aloud
        return t.gettext("Position %(place)d: wagon %(wagon)d, protected") % said
    # Translators: a place of a row, 1 (left) to 7 (right); wagon is its number; read aloud
    return t.gettext("Position %(place)d: wagon %(wagon)d") % said


def row_words(wagons: Iterable[Wagon]) -> str:
    """A whole row, for screen readers; each lock is named at its place."""
    t = i18n.current()
    said = []
    for wagon in wagons:
        if wagon.number is None:
            # Translators: in a row of numbers read aloud: here a wagon is missing
            said.append(t.pgettext("label", "gap"))
        elif wagon.protected:
            # Translators: in a row of numbers read aloud: this wagon has a lock
            said.append(t.gettext("%(wagon)d with a lock") % {"wagon": wagon.number})
        else:
            said.append(str(wagon.number))
    # Translators: read aloud; row is a list of seven numbers
    return t.gettext("Row: %(row)s") % {"row": ", ".join(said)}


NO_WAGON, NO_NAME = 99, "@"
"""Placeholders for a number and a name in sentences that a script completes."""


def taken_words(where: str) -> str:
    """Why a number cannot be typed: it is in a "row" or the "market", or in no "range"."""
    t = i18n.current()
    if where == "range":
        return Rejection(reasons.UNKNOWN_CARD).sentence(t)
    given = {"wagon": NO_WAGON, "where": where, "seat": 0}
    return Rejection(reasons.CARD_IN_PLAY, given).sentence(t, (NO_NAME,))


def install(app: Flask) -> None:
    app.jinja_env.filters |= {
        "ability_words": ability_words,
        "ability_deed": ability_deed,
        "ability_symbol": SYMBOLS.__getitem__,
        "wagon_words": wagon_words,
        "row_words": row_words,
    }
    # A filter of a constant would be worked out once, in whatever language came first.
    app.jinja_env.globals |= {"ABILITIES": tuple(SYMBOLS), "taken_words": taken_words}
