"""Tools and goal cards of Saboteur as labels."""

from __future__ import annotations

from gettext import NullTranslations


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
