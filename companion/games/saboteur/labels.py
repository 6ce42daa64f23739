"""What Saboteur is called in the program; editions, ways of playing, roles, tools and goal cards as
labels; drawings of tools and cards."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations
from typing import Final

from companion.games.game import Label

NAME: Final = "saboteur"
"""In records and the database."""

EDITIONS: Final[Mapping[str, Label]] = {
    "et-2007": lambda t: t.gettext("Estonian booklet, 2007"),
    "lt-2009": lambda t: t.gettext("Lithuanian booklet, 2009"),
    "lv-2009": lambda t: t.gettext("Latvian booklet, 2009"),
    "fi": lambda t: t.gettext("Finnish rules from the web"),
    "en": lambda t: t.pgettext("label", "English rules"),
}

ROLES: Final[Mapping[str, Label]] = {
    "miner": lambda t: t.pgettext("card", "gold digger"),
    "saboteur": lambda t: t.pgettext("card", "saboteur"),
}

TOOL_SYMBOLS: Final[Mapping[str, str]] = {"pickaxe": "pick", "lantern": "lamp", "cart": "cart"}


def nuggets(t: NullTranslations) -> str:
    return t.pgettext("label", "Gold nuggets")


def roles(t: NullTranslations) -> str:
    return t.gettext("Roles and gold")


def roles_hint(t: NullTranslations) -> str:
    return t.gettext(
        "You play with just the cards. The phones deal the roles and share out the gold."
    )


def gold_order(t: NullTranslations) -> str:
    return t.gettext("The order of the gold")


def tool(t: NullTranslations, code: str) -> str:
    """A tool, as one of a list."""
    match code:
        case "pickaxe":
            return t.pgettext("tool", "pickaxe")
        case "lantern":
            return t.pgettext("tool", "lantern")
        case "cart":
            return t.pgettext("tool", "mine cart")
    raise KeyError(code)


def tool_symbol(code: str, *, broken: bool = False) -> str:
    """The name of its drawing."""
    return TOOL_SYMBOLS[code] + ("-x" if broken else "")


def card_symbol(card: str, kind: str = "tunnel") -> str:
    """The name of its drawing.

    >>> card_symbol("NSx"), card_symbol("NE", "stone"), card_symbol("NESW", "start")
    ('d-NS', 'stone-NE', 'start')
    """
    if kind in ("start", "treasure"):
        return kind
    if kind == "stone":
        return f"stone-{card}"
    return f"d-{card[:-1]}" if card.endswith("x") else f"t-{card}"


def goal(t: NullTranslations, code: str) -> str:
    """Which of the three goal cards, as a label; north is the upper one, seen with the start card
    on the left."""
    match code:
        case "north":
            # Translators: one of the three goal cards, after a colon
            return t.pgettext("card", "upper goal card")
        case "middle":
            # Translators: one of the three goal cards, after a colon
            return t.pgettext("card", "middle goal card")
        case "south":
            # Translators: one of the three goal cards, after a colon
            return t.pgettext("card", "lower goal card")
    raise KeyError(code)
