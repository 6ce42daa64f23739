"""What the Game of Trains is called in the program, and its edition and abilities as labels."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Final

NAME: Final = "trains"
"""In records, saved decks and the database."""


def edition(t: NullTranslations) -> str:
    return t.gettext("Estonian booklet, 2015")


def light(t: NullTranslations) -> str:
    # Translators: a way of playing in which no plays are reported
    return t.pgettext("label", "Without reports")


def light_hint(t: NullTranslations) -> str:
    return t.gettext(
        "No plays are reported. The app says whose turn it is and who fills the next gap, checks a"
        " row that is said to be in order, and counts the wins."
    )


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


def deed(t: NullTranslations, code: str) -> str:
    """What the hands do with a card whose ability is used."""
    match code:
        case "swap_adjacent":
            return t.gettext(
                "Swap two wagons in your own row that lie side by side, and discard this card."
            )
        case "swap_over_one":
            return t.gettext(
                "Swap two wagons in your own row that have exactly one wagon between them, and"
                " discard this card."
            )
        case "move_right":
            return t.gettext(
                "Move one wagon in your own row two places to the right, and discard this card."
                " The two wagons that it passes close the gap."
            )
        case "move_left":
            return t.gettext(
                "Move one wagon in your own row two places to the left, and discard this card. The"
                " two wagons that it passes close the gap."
            )
        case "protect":
            return t.gettext(
                "Put this card under the leftmost, the middle or the rightmost wagon in your own"
                " row, so that only the lock can be seen. That wagon cannot be removed."
            )
    # Translators: of the cards that remove the leftmost, the middle or the rightmost wagons
    return t.gettext(
        "Discard this card. The wagon at that position is removed from every row, unless it is"
        " protected. Then everyone who lost a wagon draws a new one."
    )
