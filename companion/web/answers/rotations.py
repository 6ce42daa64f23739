"""How far each phone has turned its view."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

from companion.tables.model import Device
from companion.web.view.asking import Asking
from companion.web.view.games import pages_of

TURN_COOKIE = "turn"

ROTATIONS_KEPT = 4096


def quarters_in(said: str | None) -> int | None:
    """Quarter turns to the left, as a cookie or a form says them."""
    return int(said) if said in ("0", "1", "2", "3") else None


@dataclass
class Rotations:
    """Kept here so that a phone's stream knows it too.

    The phone's cookie keeps it for good; this copy goes when the program ends or many others come.
    """

    _of: OrderedDict[Device, int] = field(default_factory=OrderedDict)

    def chosen(self, device: Device | None) -> int | None:
        """Quarter turns to the left; None: its player has not said how the view is to lie."""
        return None if device is None else self._of.get(device)

    def keep(self, device: Device, quarters: int) -> None:
        self._of[device] = quarters
        self._of.move_to_end(device)
        while len(self._of) > ROTATIONS_KEPT:
            self._of.popitem(last=False)

    def seen(self, device: Device, said: str | None) -> None:
        """A page was asked for by a phone whose cookie says this."""
        quarters = quarters_in(said)
        if quarters is not None:
            self.keep(device, quarters)

    def quarters(self, who: Asking) -> int:
        """Quarter turns to the left of the view on the page that is asked for. One that was opened
        on the table screen lies as there, until it is turned."""
        if who.page != "table":
            return 0
        chosen = self.chosen(who.device)
        if chosen is None:
            return 0 if who.from_screen else pages_of(who.table.game).quarters
        return chosen

    def chosen_quarters(self, who: Asking) -> int | None:
        """The same as its player has said; None, where that was never said."""
        return self.chosen(who.device) if who.page == "table" else None
