"""The tables and drawings that belong to the rules of Saboteur, from the numbers of the rules."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Final

from companion.games.game import Listing
from companion.games.saboteur.labels import card_symbol
from companion.games.saboteur.rules.cards import DWARVES, HANDS, TUNNEL_COPIES
from companion.values import Value

DWARFS: Final = tuple((players, *DWARVES[players], HANDS[players]) for players in DWARVES)
"""Players, saboteurs, gold diggers, cards in hand."""


class DeckCard(Value, frozen=True):
    """A path card of the deck, drawn one way up."""

    symbol: str
    copies: int
    label: str


def deck(t: NullTranslations, listing: Listing) -> tuple[DeckCard, ...]:
    """Every path card to build with; `listing` joins the sides of one that are open."""
    sides = {
        # Translators: a side of a card, in a list such as “top, right and bottom”
        "N": t.pgettext("label", "top"),
        # Translators: a side of a card, in a list such as “top, right and bottom”
        "E": t.pgettext("label", "right"),
        # Translators: a side of a card, in a list such as “top, right and bottom”
        "S": t.pgettext("label", "bottom"),
        # Translators: a side of a card, in a list such as “top, right and bottom”
        "W": t.pgettext("label", "left"),
    }
    # Translators: read aloud only; sides is a list such as “top, right and bottom”
    through = t.gettext("Path card, open sides: %(sides)s")
    # Translators: read aloud only; sides is a list such as “top, right and bottom”
    dead_end = t.gettext("Dead end, open sides: %(sides)s")
    return tuple(
        DeckCard(
            symbol=card_symbol(card),
            copies=copies,
            label=(dead_end if card.endswith("x") else through)
            % {"sides": listing(sides[side] for side in card.removesuffix("x"))},
        )
        for card, copies in TUNNEL_COPIES.items()
    )
