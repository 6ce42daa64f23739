"""The edition and the abilities of the Game of Trains as labels."""

from __future__ import annotations

from gettext import NullTranslations


def edition(t: NullTranslations) -> str:
    return t.gettext("Estonian booklet, 2015")


def ability(t: NullTranslations, code: str) -> str:
    """What an ability does, as the label beside its picture."""
    match code:
        case "swap_adjacent":
            return t.gettext("Swap two adjacent cards")
        case "swap_over_one":
            return t.gettext("Swap two cards that have one card between them")
        case "move_right":
            return t.gettext("Move a card two places right")
        case "move_left":
            return t.gettext("Move a card two places left")
        case "remove_left":
            # Translators: an ability of a card; every player’s row is hit
            return t.gettext("Remove the leftmost card")
        case "remove_middle":
            # Translators: an ability of a card; every player’s row is hit
            return t.gettext("Remove the middle card")
        case "remove_right":
            # Translators: an ability of a card; every player’s row is hit
            return t.gettext("Remove the rightmost card")
        case "protect":
            return t.gettext("Protect a card")
    raise KeyError(code)
