"""Which device asks for which page of a table, and whether it may; for pages and streams alike."""

from __future__ import annotations

import re

from flask import request

from companion.tables import reasons as table_reasons
from companion.tables.ending import has_lost_seat
from companion.tables.identity import has_had_seat
from companion.tables.model import Device, SeatId, Table
from companion.web.answers.admission import denied
from companion.web.answers.errors import refuse
from companion.web.answers.rotations import TURN_COOKIE
from companion.web.answers.services import Services, current_services
from companion.web.http import reasons, security
from companion.web.http.fields import digits
from companion.web.view.asking import Asking, PageName, is_from_screen

DEAL = r"\d{1,4}\.\d{1,2}"
"""See `presenter.deal_of`."""


def table_of(key: str) -> Table:
    """The table that a join link leads to."""
    table = current_services().tables.by_join_key(key)
    if table is None:
        refuse(reasons.WRONG_LINK)
    return table


def guest_screen(key: str) -> Asking:
    """A television that came by a join link."""
    return Asking(table_of(key), None, "screen", key=key)


def asking(
    table_id: str,
    page: PageName,
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
    services, device = current_services(), security.device()
    table = services.tables.get(table_id) if known else None
    if table is None or device is None or denied(services.arrivals, table, device, page):
        table = services.tables.fresh(table_id)
    if table is None:
        refuse(table_reasons.NO_TABLE)
    if device is None:
        refuse(reasons.NOT_AT_TABLE)
    reason = denied(services.arrivals, table, device, page)
    if reason is not None:
        if looks and has_lost_seat(table, device):
            return Asking(table, device, "table")
        refuse(reason)
    _note(services, table, device)
    deal = re.fullmatch(DEAL, dealt or "", re.ASCII)
    return Asking(
        table,
        device,
        page,
        seat_of(table, device, page, seat),
        deal[0] if deal else "",
        from_screen=from_screen,
    )


def _note(services: Services, table: Table, device: Device) -> None:
    """That the device is at the table; by which of our addresses, and how its view lies."""
    came_by = security.url_parts(f"//{request.host}")
    services.arrivals.heard_of(table, device, (came_by.hostname or "") if came_by else "")
    services.rotations.seen(device, request.cookies.get(TURN_COOKIE))


def seat_of(table: Table, device: Device, page: PageName, asked: str | None) -> SeatId | None:
    """The seat that a page is about: the one that was asked for, also after it has left the device,
    lest the page become another player's; else, of a seat's own page, the first."""
    seat = digits(asked or "")
    if seat is not None:
        return SeatId(seat)
    return next((seat.id for seat in table.held(device)), None) if page == "seat" else None


def asking_beside(table_id: str) -> Asking:
    """The table and the device that asks for a page beside it: on the table screen, or on a
    phone."""
    return asking(table_id, "screen" if is_from_screen(request.args) else "table")


def is_screen_only(table: Table, device: Device) -> bool:
    """Whether a device was the table's host once and holds no seat: a laptop that came back, and
    goes on as the table's screen. A phone that had a seat is told that it has gone."""
    if device == table.host or device not in table.screens or table.held(device):
        return False
    return not (has_had_seat(table, device) or current_services().arrivals.seats_had(table, device))


def plays_after_hosting(table: Table, device: Device) -> bool:
    """Whether a device was the table's host once, and has a seat there still."""
    return device != table.host and device in table.screens and bool(table.held(device))
