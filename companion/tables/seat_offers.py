"""A seat that goes to another phone, and a table screen that a phone lends to a laptop: who may
offer them, and who takes a seat over."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Protocol

from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables import events as on
from companion.tables.dealing import DealSource
from companion.tables.model import Device, SeatId, Table
from companion.tables.offers import LentScreen, Offer, Offerable, Offered, OfferStore
from companion.tables.rejections import NO_TABLE, NOT_SEATED, OFFER_EXPIRED, UNKNOWN_SEAT
from companion.tables.seating import move_seat
from companion.tables.waiting import ReadsLog, Waits, reads_log

Decide = Callable[[Table, DealSource], on.Answer]
"""Makes a decision on a table; its second argument is what chance that needs is drawn from."""

Submit = Callable[[str, Device, str, Decide], Table | Rejection]
"""Brings about a decision on a table, once for the key of a request: by the table's id, who asks,
that key, and what decides."""


def screen_of(table: Table, device: Device) -> LentScreen:
    """The table screen, as this device lends it."""
    return LentScreen(min((seat.id for seat in table.held(device)), default=None))


def offerer(table: Table, what: Offerable) -> Device:
    """Who has offered it: whoever has the seat, else the host."""
    seat = table.seat(what.lent_from if isinstance(what, LentScreen) else what)
    return table.host if seat is None or seat.device is None else seat.device


def _moved(table: Table, offered: Offered, new: Device) -> on.Answer:
    if isinstance(offered.what, LentScreen):
        return OFFER_EXPIRED
    return move_seat(table, offered.device, new, offered.what)


class FindsTables(ReadsLog, Waits, Protocol):
    """Tables that are found; see `service.Tables`."""

    def get(self, table_id: str) -> Table | None: ...

    def fresh(self, table_id: str) -> Table | None: ...


class SeatOffers:
    def __init__(self, tables: FindsTables, offers: OfferStore, submit: Submit) -> None:
        self._tables = tables
        self._offers = offers
        self._submit = submit

    def reading_log(self) -> AbstractContextManager[None]:
        return self._tables.reading_log()

    @reads_log
    def offer(self, table_id: str, device: Device, seat_id: SeatId) -> Offer | Rejection:
        """A key and a code with which another phone can take this device's seat; or one that is
        free, which the host may hand out."""
        table = self._tables.get(table_id)
        if table is None:
            return NO_TABLE
        seat = table.seat(seat_id)
        if seat is None:
            return UNKNOWN_SEAT
        if seat.device != device and not (seat.device is None and device == table.host):
            return NOT_SEATED
        return self._offers.make(table_id, seat_id, seat.device)

    @reads_log
    def offer_screen(self, table_id: str, device: Device) -> Offer | Rejection:
        """A code with which a laptop becomes a screen of this device's table."""
        table = self._tables.get(table_id)
        if table is None:
            return NO_TABLE
        if device != table.host and not table.held(device):
            return NOT_SEATED
        return self._offers.make(table_id, screen_of(table, device), device)

    @reads_log
    def offered(self, key_or_code: str, by: Device | None = None) -> Offered | None:
        """What an offer is of, while it can be taken, or has been by this device."""
        offered = self._offers.find(key_or_code)
        if offered is None or offered.taken_by not in (None, by):
            return None
        table = self._tables.get(offered.table_id)
        if table is None:
            return None
        if isinstance(offered.what, LentScreen):
            return offered
        seat = table.seat(offered.what)
        holder = offered.device if offered.taken_by is None else offered.taken_by
        return offered if seat is not None and seat.device == holder else None

    def take(self, device: Device, command: ask.TakeSeat, request_key: str) -> Table | Rejection:
        """The table where the device has the seat now."""
        with self._tables.waiting():
            offered = self._offers.find(command.offer)
            if offered is None or offered.taken_by not in (None, device):
                return OFFER_EXPIRED
            if offered.taken_by == device:
                return self._tables.fresh(offered.table_id) or NO_TABLE
            answer = self._submit(
                offered.table_id,
                device,
                request_key,
                lambda table, _: _moved(table, offered, device),
            )
            if not isinstance(answer, Rejection):
                self._offers.mark_taken(offered, device)
            return answer

    def forget(self, table_id: str) -> None:
        """All that were made at a table."""
        self._offers.forget(table_id)
