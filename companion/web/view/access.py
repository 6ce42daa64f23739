"""Which device may see which page of a table, and that page now; for requests and streams alike."""

from __future__ import annotations

import re
from collections.abc import Sequence

from flask import request

from companion.record.fair import WHOLE_GAME
from companion.tables import refusals as table_refusals
from companion.tables.model import Device, Table
from companion.tables.service import offerer, screen_of
from companion.values import Value
from companion.web.http import refusals, security
from companion.web.view import qr
from companion.web.view.errors import refuse
from companion.web.view.models import FairLine, Offer
from companion.web.view.services import TURN_COOKIE, House, house

PAGES = {
    "seat": "",
    "screen": "/screen",
    "qr": "/qr",
    "report": "/report",
    "host": "/host",
    "myseat": "/seat",
}
"""Pages of a table: name and address under /t/<id>."""

NEXT_DIGITS = 16
"""Of a commitment, where it can only be read and not be copied: enough that nobody finds another
secret with the same beginning in an evening."""

_BY_PATH = {path: name for name, path in PAGES.items()}


class Asking(Value, frozen=True):
    """A device that belongs to a table, and which page it has or wants."""

    table: Table
    device: Device | None  # None: a table screen that came by the join link
    page: str
    seat: int | None = None
    dealt: str = ""  # for which deal a phone with several seats chose that one
    key: str = ""  # of the join link that it came by

    def at(self, table: Table) -> Asking:
        """The same, of the table as it is now."""
        return Asking(table, self.device, self.page, self.seat, self.dealt, self.key)

    @property
    def path(self) -> str:
        if self.device is None:
            return f"/j/{self.key}/screen"
        path = f"/t/{self.table.id}{PAGES[self.page]}"
        return f"{path}?seat={self.seat}" if self.seat is not None else path

    @property
    def live(self) -> str:
        if self.device is None:
            return f"/j/{self.key}/live"
        seat = f"&seat={self.seat}" if self.seat is not None else ""
        dealt = f"&dealt={self.dealt}" if self.dealt else ""
        return f"/t/{self.table.id}/live?page={self.page}{seat}{dealt}"

    @property
    def seat_query(self) -> str:
        """For addresses on a page that is about one of several seats; as HTML."""
        several = self.device is not None and len(self.table.held_in_play(self.device)) > 1
        return f"&amp;seat={self.seat}" if several and self.seat is not None else ""


def table_of(key: str) -> Table:
    """The table that a join link leads to."""
    table = house().tables.by_join_key(key)
    if table is None:
        refuse(refusals.WRONG_LINK)
    return table


def asking(
    table_id: str,
    page: str,
    seat: str | None = None,
    dealt: str | None = None,
    *,
    known: bool = False,
) -> Asking:
    """The table and the device that asks; ends the request if the device is not at the table.

    `known`: for a play, which is read from its form alone, the table as this process knows it will
    do, unless that would end the request: the log refuses it where another process has gone on.
    """
    device = security.device()
    table = house().tables.get(table_id) if known else None
    if table is None or device is None or house().denied(table, device, page) is not None:
        table = house().tables.now(table_id)
    if table is None:
        refuse(table_refusals.NO_TABLE)
    if device is None:
        refuse(refusals.NOT_AT_TABLE)
    reason = house().denied(table, device, page)
    if reason is not None:
        refuse(reason)
    came_by = security.address_parts(f"//{request.host}")
    house().arrivals.heard_of(table, device, (came_by.hostname or "") if came_by else "")
    house().turns.seen(device, request.cookies.get(TURN_COOKIE))
    mine = {str(each.id): each.id for each in table.held(device)}
    deal = re.fullmatch(r"\d{1,4}\.\d{1,2}", dealt or "", re.ASCII)
    return Asking(table, device, page, mine.get(seat or ""), deal[0] if deal else "")


def is_screen_only(table_id: str) -> bool:
    """Whether the device that asks was the table's host once and holds no seat: a laptop that came
    back, and goes on as the table's screen. A phone that had a seat is told that it has gone."""
    table, device = house().tables.get(table_id), security.device()
    if table is None or device is None or device == table.host or table.held(device):
        return False
    return device in table.screens and not house().arrivals.had(table, device)


def turn_of(who: Asking, here: House) -> int:
    """Quarter turns of the maze on the page that is asked for."""
    return here.turns.of(who.device) if who.page == "seat" else 0


def turned_of(who: Asking, here: House) -> int | None:
    """The same as its player has said; None, where that was never asked or answered."""
    return here.turns.told(who.device) if who.page == "seat" else None


def fair_path(here: House, table: Table, guest: bool) -> str:
    """Of the page that explains the deals. `guest`: for a table screen that came by the join
    link."""
    return f"/j/{here.tables.join_key(table.id)}/fair" if guest else f"/t/{table.id}/fair"


def fair_line(here: House, table: Table, guest: bool) -> FairLine | None:
    """None where the program deals nothing."""
    if not table.game.deals:
        return None
    between = table.play is None or table.game.is_between_rounds(table.play)
    to_come = here.tables.deals.to_come(table) if between else {}
    rounds = [commitment for commitment, (_, round_) in to_come.items() if round_ != WHOLE_GAME]
    return FairLine(
        page=fair_path(here, table, guest), next=rounds[0][:NEXT_DIGITS] if rounds else ""
    )


def origin_page(table_id: str) -> tuple[str, str | None]:
    """The page of this table, and the seat, that a form says it stands on; else the seat page."""
    parts = security.address_parts(request.form.get("page", ""))
    if parts is None:
        return "seat", None
    found = re.fullmatch(rf"/t/{re.escape(table_id)}(/[a-z]+)?", parts.path)
    page = _BY_PATH.get((found[1] or "") if found else "", "seat")
    seat = re.search(r"(?:^|&)seat=(\d{1,9})(?:&|$)", parts.query)
    return page, seat[1] if seat else None


# Offers: kept for the page that shows them until they are taken or over.


def keep_offer(here: House, table: Table, seat: int, key: str, code: str, left_s: float) -> None:
    now = here.clock()
    for at in [at for at, kept in here.offers.items() if kept[2] <= now]:
        del here.offers[at]
    here.offers[table.id, seat] = (key, code, now + left_s)
    here.hub.publish(table.id, offerer(table, seat))  # its other tabs show it too
    here.call("offer", table.id, seat, key, code, left_s)


def offers_of(here: House, who: Asking) -> tuple[tuple[int, str, str, float], ...]:
    """What this page offers while its time is not over, taken or not: seat, key, code and end. It
    makes another page of the same table, and nobody else is to notice it."""
    table, device = who.table, who.device
    seats: Sequence[int] = ()
    if who.page == "host":
        seats = [seat.id for seat in table.seats if seat.device is None]
    elif who.page == "qr" and device is not None:
        seats = [screen_of(table, device)]
    elif who.page == "myseat" and device is not None:
        held = [seat.id for seat in table.held(device)]
        seats = [who.seat] if who.seat in held else held[:1]
    now = here.clock()
    return tuple(
        (seat, *kept)
        for seat in seats
        if (kept := here.offers.get((table.id, seat))) is not None and kept[2] > now
    )


def codes_of(here: House, who: Asking) -> tuple[tuple[int, str], ...]:
    """For the host: the seats that were freed, each with the code that its player may type."""
    if who.page != "host":
        return ()
    return tuple(
        (seat, code)
        for seat, key, code, _ in offers_of(here, who)
        if here.tables.offered(key) is not None
    )


def screen_code_of(here: House, who: Asking) -> str:
    """That this phone has lent the table screen by, while it works."""
    if who.page != "qr":
        return ""
    codes = (code for _, key, code, _ in offers_of(here, who) if here.tables.offered(key))
    return next(codes, "")


def offer_of(here: House, who: Asking) -> Offer | None:
    """The offer of the seat that this page is about, while it can be taken."""
    if who.page != "myseat":
        return None
    for _, key, code, until in offers_of(here, who):
        if here.tables.offered(key) is not None:
            url = f"{here.base()}/m/{key}"
            minutes = max(1, round((until - here.clock()) / 60))
            address = here.base().partition("://")[2]
            return Offer(url=url, address=address, code=code, qr=qr.svg(url), minutes=minutes)
    return None
