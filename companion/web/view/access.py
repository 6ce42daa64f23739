"""Which device may see which page of a table, and that page now; for requests and streams alike."""

from __future__ import annotations

import re
from urllib.parse import parse_qs

from flask import request

from companion.record.fair import WHOLE_GAME
from companion.tables import refusals as table_refusals
from companion.tables.model import Device, SeatId, Table
from companion.values import Value
from companion.web.http import refusals, security
from companion.web.view.asking import PAGES, Asking
from companion.web.view.errors import refuse
from companion.web.view.games import pages_of
from companion.web.view.models import FairLine
from companion.web.view.services import TURN_COOKIE, Services, current_services

NEXT_DIGITS = 16
"""Of a commitment, where it can only be read and not be copied: enough that nobody finds another
secret with the same beginning in an evening."""

DEAL = r"\d{1,4}\.\d{1,2}"
"""See `presenter.deal_of`."""

_BY_PATH = {path: name for name, path in PAGES.items()}


def table_of(key: str) -> Table:
    """The table that a join link leads to."""
    table = current_services().tables.by_join_key(key)
    if table is None:
        refuse(refusals.WRONG_LINK)
    return table


def asking(
    table_id: str,
    page: str,
    seat: str | None = None,
    dealt: str | None = None,
    *,
    from_screen: bool = False,
    known: bool = False,
    looks: bool = False,
) -> Asking:
    """The table and the device that asks; ends the request if the device is not at the table.

    `looks`: only to see the page, which who has lost a seat may for an end that waits.

    `known`: for a play, which is read from its form alone, the table as this process knows it will
    do, unless that would end the request: the log refuses it where another process has gone on.
    """
    device = security.device()
    table = current_services().tables.get(table_id) if known else None
    if (
        table is None
        or device is None
        or current_services().denied(table, device, page) is not None
    ):
        table = current_services().tables.now(table_id)
    if table is None:
        refuse(table_refusals.NO_TABLE)
    if device is None:
        refuse(refusals.NOT_AT_TABLE)
    reason = current_services().denied(table, device, page)
    if reason is not None:
        if looks and current_services().lost(table, device, page):
            return Asking(table, device, "seat")
        refuse(reason)
    came_by = security.address_parts(f"//{request.host}")
    current_services().arrivals.heard_of(table, device, (came_by.hostname or "") if came_by else "")
    current_services().rotations.seen(device, request.cookies.get(TURN_COOKIE))
    deal = re.fullmatch(DEAL, dealt or "", re.ASCII)
    return Asking(
        table,
        device,
        page,
        seat_of(table, device, page, seat),
        deal[0] if deal else "",
        from_screen=from_screen,
    )


def seat_of(table: Table, device: Device, page: str, asked: str | None) -> SeatId | None:
    """The seat that a page is about: the one that was asked for, also after it has left the device,
    lest the page become another player's; else, of a seat's own page, the first."""
    if asked and re.fullmatch(r"\d{1,9}", asked, re.ASCII):
        return SeatId(int(asked))
    return next((seat.id for seat in table.held(device)), None) if page == "myseat" else None


def beside(table_id: str) -> Asking:
    """The table and the device that asks for a page beside it: on the table screen, or on a
    phone."""
    return asking(table_id, "screen" if request.args.get("screen") == "1" else "seat")


def is_screen_only(table: Table, device: Device) -> bool:
    """Whether a device was the table's host once and holds no seat: a laptop that came back, and
    goes on as the table's screen. A phone that had a seat is told that it has gone."""
    if device == table.host or device not in table.screens or table.held(device):
        return False
    phones = {*dict(table.left).values(), *dict(table.hands_told.first_phones).values()}
    had = device in phones | table.dealt_phones
    return not had and not current_services().arrivals.had(table, device)


def plays_after_hosting(table: Table, device: Device) -> bool:
    """Whether a device was the table's host once, and has a seat there still."""
    return device != table.host and device in table.screens and bool(table.held(device))


def quarters_of(who: Asking, services: Services) -> int:
    """Quarter turns to the left of the view on the page that is asked for. One that was opened on
    the table screen lies as there, until it is turned."""
    if who.page != "seat":
        return 0
    told = services.rotations.told(who.device)
    if told is None:
        return 0 if who.from_screen else pages_of(who.table.game).quarters
    return told


def turned_of(who: Asking, services: Services) -> int | None:
    """The same as its player has said; None, where that was never said."""
    return services.rotations.told(who.device) if who.page == "seat" else None


def fair_path(services: Services, table: Table, guest: bool, on_screen: bool) -> str:
    """Of the page that explains the deals. `guest`: for a table screen that came by the join
    link."""
    if guest:
        return f"/j/{services.tables.join_key(table.id)}/fair"
    return f"/t/{table.id}/fair{'?screen=1' if on_screen else ''}"


def fair_line(services: Services, table: Table, guest: bool, on_screen: bool) -> FairLine | None:
    """None where the program deals nothing."""
    if not table.game.deals:
        return None
    deals = services.tables.deals.to_seal(table).items()
    rounds = [commitment for commitment, (_, round_) in deals if round_ != WHOLE_GAME]
    return FairLine(
        page=fair_path(services, table, guest, on_screen),
        next=rounds[0][:NEXT_DIGITS] if rounds else "",
    )


class Origin(Value, frozen=True):
    """Where a form says that it stands."""

    page: str = "seat"
    seat: str | None = None
    dealt: str = ""
    from_screen: bool = False


def origin(table_id: str) -> Origin:
    """The page of this table on which a form stands; else the seat page."""
    parts = security.address_parts(request.form.get("page", ""))
    if parts is None:
        return Origin()
    found = re.fullmatch(rf"/t/{re.escape(table_id)}(/[a-z]+)?", parts.path)
    page = _BY_PATH.get((found[1] or "") if found else "", "seat")
    query = parse_qs(parts.query)

    def asked(name: str, form: str) -> str:
        found = re.fullmatch(form, query.get(name, [""])[0], re.ASCII)
        return found[0] if found else ""

    return Origin(
        page, asked("seat", r"\d{1,9}") or None, asked("dealt", DEAL), bool(asked("screen", "1"))
    )
