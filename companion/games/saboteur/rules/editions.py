"""The rulings in which the booklets differ, one named field each.

`en` has no booklet of its own here and follows the Latvian one. The Lithuanian and the Latvian
booklet agree in all four, and are kept apart because each refusal cites its own booklet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Edition:
    name: str
    source: str
    reveals_all: bool
    """Several goals reached at once are all turned; else one, of that player's choice. A stone
    that opens the way to a further goal turns that one too: written only in the Finnish text."""
    connected: bool
    """A tunnel card must continue a path that runs from the start without a break."""
    ring_ends: bool
    """Saboteurs also win when everybody has passed in turn with the pile empty."""
    last_starts_next: bool
    """The player left of who had the last turn starts the next round; else left of who started
    this one (the Finnish text says "the first", which we read as "this")."""


EDITIONS: Final = {
    edition.name: edition
    for edition in (
        Edition(
            "et-2007",
            "Estonian booklet, 2007",
            reveals_all=False,
            connected=False,
            ring_ends=True,
            last_starts_next=True,
        ),
        Edition(
            "lt-2009",
            "Lithuanian booklet, 2009",
            reveals_all=True,
            connected=True,
            ring_ends=False,
            last_starts_next=True,
        ),
        Edition(
            "lv-2009",
            "Latvian booklet, 2009",
            reveals_all=True,
            connected=True,
            ring_ends=False,
            last_starts_next=True,
        ),
        Edition(
            "fi",
            "Finnish web page",
            reveals_all=True,
            connected=True,
            ring_ends=False,
            last_starts_next=False,
        ),
        Edition(
            "en",
            "Latvian booklet, 2009, read in English",
            reveals_all=True,
            connected=True,
            ring_ends=False,
            last_starts_next=True,
        ),
    )
}
