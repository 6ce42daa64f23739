"""The rulings in which the booklets differ, one named field each.

A field's default is what most booklets say; an edition states only what it has otherwise, each
with the section of its booklet that says so. The Lithuanian and the Latvian booklet agree in
everything, and are kept apart so that a difference found later is one field; `en` has no booklet
of its own here and follows the Latvian one.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from companion.values import Value


class Edition(Value, frozen=True, eq=False):
    name: str
    source: str
    reveals_all: bool = True
    """Several goals reached at once are all turned; else one, of that player's choice. A stone
    that opens the way to a further goal turns that one too."""
    connected: bool = True
    """A tunnel card must continue a path that runs from the start without a break."""
    ring_ends: bool = False
    """Saboteurs also win when everybody has passed in turn with the pile empty."""
    last_starts_next: bool = True
    """The player left of who had the last turn starts the next round; else left of who started
    this one (the Finnish text says "the first", which we read as "this")."""
    stone_opens_in_writing: bool = False
    """The text itself says that a stone may open the way to a further goal; else it is our
    ruling."""
    any_pay_order: bool = False
    """The text itself says that the order in which saboteurs are paid does not matter; else it says
    nothing of an order."""
    sections: Mapping[str, str] = MappingProxyType({})
    """Of each field that differs from its default: the section of the source."""


EDITIONS: Final = {
    edition.name: edition
    for edition in (
        Edition(
            "et-2007",
            "Estonian booklet, 2007",
            reveals_all=False,
            connected=False,
            ring_ends=True,
            any_pay_order=True,
            sections={
                "reveals_all": "Vooru lõppemine",
                "connected": "Tunnelikaardi kasutamine",
                "ring_ends": "Vooru lõppemine",
                "any_pay_order": "Kullasaagi jaotamine",
            },
        ),
        Edition("lt-2009", "Lithuanian booklet, 2009"),
        Edition("lv-2009", "Latvian booklet, 2009"),
        Edition(
            "fi",
            "Finnish web page",
            last_starts_next=False,
            stone_opens_in_writing=True,
            sections={
                "last_starts_next": "Uuden kierroksen aloitus",
                "stone_opens_in_writing": "Kierroksen loppu",
            },
        ),
        Edition("en", "Latvian booklet, 2009, read in English"),
    )
}
