"""Which device may see which page of a table, and why another may not."""

from __future__ import annotations

from companion.games.game import Reason
from companion.tables import reasons as table_reasons
from companion.tables.ending import has_lost_seat
from companion.tables.model import Device, Table
from companion.web.answers.arrivals import Arrivals
from companion.web.http import reasons
from companion.web.view.asking import PageName


def denied(
    arrivals: Arrivals, table: Table, device: Device | None, page: PageName
) -> Reason | None:
    """Why `device` may not see this page of the table; None: it may.

    Without a device it is a television that came by the join link: it gets the screen alone.
    """
    if device is None:
        return None if page == "screen" else reasons.NOT_AT_TABLE
    if device == table.host:
        return None
    if not table.held(device):
        if page == "screen" and device in table.screens:
            return None
        had = arrivals.seats_had(table, device)
        left = [seat for each in had if (seat := table.seat(each))]
        if any(seat.device for seat in left):
            return reasons.SEAT_MOVED
        return reasons.SEAT_FREED if left else reasons.NOT_AT_TABLE
    return table_reasons.NOT_HOST if page == "host" else None


def denied_look(
    arrivals: Arrivals, table: Table, device: Device | None, page: PageName
) -> Reason | None:
    """As `denied`, for who only follows the page: who has lost a seat may, for an end that
    waits."""
    lost = device is not None and has_lost_seat(table, device)
    return None if lost else denied(arrivals, table, device, page)


def seat_lost(
    arrivals: Arrivals, table: Table, device: Device | None, page: PageName
) -> Reason | None:
    """Why a phone that was dealt in sees nothing of the table but an end that waits, which it may
    stop; None: it sees its pages, or not even that."""
    if device is None or not has_lost_seat(table, device):
        return None
    return denied(arrivals, table, device, page)
