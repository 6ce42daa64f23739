"""What phones show of the offers of seats, and of the table screen, that they have asked for.

It makes another page of the same table for the phone that has asked, and nobody else is to notice
it. Other processes are told, since the phone may turn to any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from companion.live.hub import Hub
from companion.tables.model import SeatId
from companion.tables.offers import LentScreen, Offer, Offerable
from companion.tables.seat_offers import offerer, screen_of
from companion.tables.service import Tables
from companion.values import Value
from companion.web.html import qr
from companion.web.view import models
from companion.web.view.asking import Asking
from companion.web.view.network import Network


class ShownOffer(Value, frozen=True):
    """An offer on the page of the phone that has asked for it."""

    what: Offerable
    key: str
    code: str
    until: float  # by the services' clock


@dataclass
class ShownOffers:
    """Kept until their time is over, also when they are taken."""

    tables: Tables
    hub: Hub
    network: Callable[[], Network]
    clock: Callable[[], float]  # seconds

    on_kept: list[Callable[[Offer], None]] = field(default_factory=list)
    """Told of what a phone has asked for here."""

    _shown: dict[tuple[str, Offerable], ShownOffer] = field(default_factory=dict)
    """By table and what is offered."""

    def keep(self, offer: Offer) -> None:
        """A phone has just asked for it."""
        self.heard(offer)
        for notify in self.on_kept:
            notify(offer)

    def heard(self, offer: Offer) -> None:
        """It was asked for here or at another process."""
        now = self.clock()
        for slot, shown in list(self._shown.items()):
            if shown.until <= now:
                self._shown.pop(slot, None)
        shown = ShownOffer(offer.what, offer.key, offer.code, now + offer.good_for_s)
        self._shown[offer.table_id, offer.what] = shown
        table = self.tables.in_memory(offer.table_id)
        if table is not None:
            self.hub.publish(table.id, offerer(table, offer.what))  # all its tabs show it

    def forget(self, table_id: str) -> None:
        """All of a table: they are good no more."""
        for slot in [slot for slot in self._shown if slot[0] == table_id]:
            del self._shown[slot]

    def of(self, who: Asking) -> tuple[ShownOffer, ...]:
        """What this page offers while its time is not over, taken or not."""
        table, device = who.table, who.device
        offerable: Sequence[Offerable] = ()
        if who.page == "host":
            offerable = [seat.id for seat in table.seats if seat.device is None]
        elif who.page == "qr" and device is not None:
            offerable = [screen_of(table, device)]
        elif who.page == "seat" and device is not None:
            held = [seat.id for seat in table.held(device)]
            offerable = (
                held[:1] if who.seat is None else [each for each in held if each == who.seat]
            )
        if not offerable or not self._shown:
            return ()
        now = self.clock()
        found = (self._shown.get((table.id, what)) for what in offerable)
        return tuple(shown for shown in found if shown is not None and shown.until > now)

    def codes(self, who: Asking) -> tuple[tuple[SeatId, str], ...]:
        """For the host: the seats that were freed, each with the code that its player may type."""
        if who.page != "host":
            return ()
        good = ((shown.what, shown.code) for shown in self._good(who))
        return tuple((what, code) for what, code in good if not isinstance(what, LentScreen))

    def screen_code(self, who: Asking) -> str:
        """That this phone has lent the table screen by, while it works."""
        if who.page != "qr":
            return ""
        return next((shown.code for shown in self._good(who)), "")

    def seat_offer(self, who: Asking) -> models.SeatOfferView | None:
        """Of the seat that this page is about, while it can be taken."""
        shown = next(self._good(who), None) if who.page == "seat" else None
        if shown is None:
            return None
        base = self.network().best.url
        url = f"{base}/m/{shown.key}"
        minutes = max(1, round((shown.until - self.clock()) / 60))
        address = base.partition("://")[2]
        return models.SeatOfferView(
            url=url, address=address, code=shown.code, qr=qr.svg(url), minutes=minutes
        )

    def _good(self, who: Asking) -> Iterator[ShownOffer]:
        """Those that can still be taken."""
        offered = self.tables.seat_offers.offered
        return (shown for shown in self.of(who) if offered(shown.key) is not None)
