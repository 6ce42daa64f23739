"""How much room tables may take: each by itself, those of one host, and all together."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Final

from companion.games.game import Rejection
from companion.tables import events as on
from companion.tables import reasons
from companion.tables.cache import CachedTable
from companion.tables.log import EventLog, NoRoomError
from companion.tables.model import Device, Table

log = logging.getLogger("companion.tables")

EVENT_BYTES: Final = 1024
"""More than most events take; a table that has larger ones is full with fewer of them."""

ASK_EVERY: Final = 16 * 1024
"""Bytes that a table grows before it is asked again how much all tables of its host take."""

FOR_NEW: Final = 0.9
"""Of the room for all tables: the rest is for those that are open already."""

EVENINGS_BYTES: Final = 1 << 20
"""Two long evenings take less: so much a table may have as long as there is any room."""

OF_FREE: Final = 1 / 256
"""Of the room that is left, what one table may have beyond that: else a stranger's few tables, each
as large as a table may be, take all of it in hours; so they take ever less of ever less."""

WARN_AT: Final = (0.8, 0.95)
"""Of the room for all tables: whoever runs the program is told, before it hinders anybody."""

WELL_BELOW: Final = 0.7
"""Of that room: from here on they are told again."""

FOR_GUESTS: Final = 0.5
"""Of the room of one table: what whoever has the link can do without end may take no more of it, so
that the other half stays for its games."""

MOVES_EACH: Final = 5
"""Moves of one seat to other phones that may use the whole room; later ones get the guests'
half."""

TABLE_USED_UP: Final = Rejection(reasons.TABLE_USED_UP)
HOST_USED_UP: Final = Rejection(reasons.HOST_USED_UP)
NO_ROOM: Final = (
    "nothing more is saved: the tables take all the room that they may have (--mib-in-all)"
)
NO_ROOM_FOR_NEW: Final = (
    "new tables are not opened: the tables take nine tenths of the room that they may have "
    "(--mib-in-all)"
)


def is_endless(table: Table, events: Iterable[on.Event]) -> bool:
    """Whether whoever has the link could bring about such events without end: a seat that goes from
    phone to phone, as many as a browser pretends to be."""
    moved = [table.seat(each.seat) for each in events if isinstance(each, on.SeatMoved)]
    return any(seat is not None and seat.moves >= MOVES_EACH for seat in moved)


class Quota:
    def __init__(self, log: EventLog, events_max: int, host_bytes: float, bytes_max: float) -> None:
        """`events_max`: of one table. `host_bytes`: of all tables of one host, `bytes_max`: of all
        tables."""
        self._log = log
        self._events_max = events_max
        self._host_bytes = host_bytes
        self._bytes_max = bytes_max
        self._warned = 0
        """How many of the marks in `WARN_AT` were passed when the log last said so."""

    def refusal_to_open(self, host: Device) -> Rejection | None:
        """Why this device may not open a table; NoRoomError where nobody may."""
        if self._used() >= self._bytes_max * FOR_NEW:
            raise NoRoomError(NO_ROOM_FOR_NEW)
        return HOST_USED_UP if self._log.hosted_size(host) >= self._host_bytes else None

    def refusal_to_add(self, entry: CachedTable, more: int, share: float) -> Rejection | None:
        """Why so many more events may not be added; NoRoomError where none may anywhere. What was
        begun is brought to its end without asking: a deal that waits for numbers, an end that was
        told. Names are taken out without asking, too. `share`: of the table's room that may be
        taken for them."""
        free = self._bytes_max - self._used()
        if free <= 0:
            raise NoRoomError(NO_ROOM)
        most = self._events_max * share
        most_bytes = min(most * EVENT_BYTES, max(EVENINGS_BYTES, free * OF_FREE))
        if entry.table.version + more > most or entry.size > most_bytes:
            return TABLE_USED_UP
        if entry.size >= entry.ask_quota_from:
            left = self._host_bytes - self._log.hosted_size(entry.table.host)
            if left <= 0:
                return HOST_USED_UP
            entry.ask_quota_from = entry.size + min(ASK_EVERY, left / 2)
        return None

    def _used(self) -> int:
        """Bytes that all tables take; the log says once when little is left."""
        used = self._log.used()
        passed = sum(used >= mark * self._bytes_max for mark in WARN_AT)
        if passed > self._warned:
            log.warning(
                "the tables take %d%% of the %d MiB that they may (--mib-in-all); from 90%% on no "
                "new ones are opened, and at 100%% nothing more is saved",
                100 * used / self._bytes_max,
                int(self._bytes_max) >> 20,
            )
        if passed > self._warned or used < WELL_BELOW * self._bytes_max:
            self._warned = passed
        return used
