"""Who has come to which table, by which of our addresses, and who is still awaited."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from companion.live.hub import Hub
from companion.tables.model import Device, Seat, SeatId, Table
from companion.web.http import security
from companion.web.view.asking import Asking
from companion.web.view.network import Network, Sign

if TYPE_CHECKING:
    from companion.tables.service import Tables

DEVICES_KNOWN = 20_000

TABLES_KNOWN = 20_000

LONELY_S = 45.0
"""A table screen waits so long for a first phone before it says what to try."""

HOST_AWAY_S = 30.0
"""Nothing heard of a host's device for so long: it sleeps, or will be gone soon."""

STRANDED_S = 60.0
"""An address is gone, and a phone not heard of, for so long before its seat may be claimed: a Wi-Fi
may be missing for a moment, and a phone may have another way here."""


@dataclass(slots=True)
class AtTable:
    """What is remembered of those who came to a table."""

    held: dict[Device, frozenset[SeatId]] = field(default_factory=dict)
    """The seats that each device had when it was last heard of."""
    waits_since: float | None = None
    """When, by the services' clock, the table's screen was first looked at."""
    greeted: bool = False
    """A phone has come."""


@dataclass
class Arrivals:
    tables: Tables
    hub: Hub
    network: Callable[[], Network]
    """Where phones reach this machine; asked each time, since a laptop may change networks in the
    middle of an evening."""
    clock: Callable[[], float]  # seconds
    host_gone_after_s: float

    last_table: OrderedDict[Device, str] = field(default_factory=OrderedDict)
    """At which table each device was last heard of; the latest last."""

    came_by: dict[Device, str] = field(default_factory=dict)
    """The address of our own by which each device came last; empty where it was none of ours, as
    behind a router that passes on what it is sent."""

    at_tables: OrderedDict[str, AtTable] = field(default_factory=OrderedDict)
    """By table; the latest last."""

    _own_addresses: set[str | None] = field(default_factory=set)
    """Names and addresses that this machine had when it was last looked at."""
    _gone_at: dict[str | None, float] = field(default_factory=dict)
    """By former address, the time since which this machine no longer has it, by `clock`."""

    def host_gone_s(self, table: Table) -> float:
        """Seconds since the host's device was last heard of."""
        return self.hub.absent_s(table.id, table.host)

    def host_gone(self, table: Table) -> bool:
        return self.host_gone_s(table) >= self.host_gone_after_s

    def host_away(self, table: Table) -> bool:
        """Whether its device is away, or gone already."""
        return self.host_gone_s(table) >= self._away_after_s

    def host_stage_s(self, table: Table) -> float:
        """Seconds until the host counts as away, or then as gone; endless where nothing is to
        come."""
        past = self.host_gone_s(table)
        stages = (self._away_after_s, self.host_gone_after_s)
        return min((at - past for at in stages if 0 < past < at), default=math.inf)

    @property
    def _away_after_s(self) -> float:
        return min(HOST_AWAY_S, self.host_gone_after_s)

    def stranded(self, table: Table, seat: Seat) -> bool:
        """Whether the phone that holds the seat came by an address that this machine has no more:
        to its browser the new address is another site, where nothing is known of the old one."""
        device = seat.device
        if device is None or not self.network().at_home:
            return False
        address = self.came_by.get(device, "")
        if not security.is_network_ip(address) or self._is_ours(address):
            return False
        gone_s = self.clock() - self._gone_at.get(address, math.inf)
        return min(gone_s, self.hub.absent_s(table.id, device)) >= STRANDED_S

    def _is_ours(self, address: str) -> bool:
        self.note_addresses()
        return address in self._own_addresses

    def note_addresses(self) -> None:
        """Keeps in mind since when addresses are gone by which phones may have come."""
        now, addresses = self.clock(), {urlsplit(way.url).hostname for way in self.network().ways}
        if addresses != self._own_addresses:
            gone = {
                address: self._gone_at.get(address, now)
                for address in (*self._gone_at, *self._own_addresses)
            }
            self._gone_at = {
                address: at for address, at in gone.items() if address not in addresses
            }
            self._own_addresses = addresses

    def claimable(self, table: Table) -> tuple[SeatId, ...]:
        """Ids of the seats that a phone may take without a word of another."""
        return tuple(
            seat.id for seat in table.seats if seat.device is None or self.stranded(table, seat)
        )

    def awaited_seats(self, table: Table) -> frozenset[SeatId]:
        """Seats of those who have been led here from another table, as long as their phones have
        not followed; until the first game begins."""
        if table.came_from is None or table.game_state is not None:
            return frozenset()
        return frozenset(
            seat.id
            for seat in table.seats
            if seat.device is not None
            and seat.device != table.host
            and not self.hub.has_come(table.id, seat.device)
        )

    def heard_of(self, table: Table, device: Device, by: str) -> None:
        """`device` is there, at our address `by`."""
        if self.came_by.get(device) != by:
            self.came_by[device] = by if self._is_ours(by) else ""
        held = frozenset(seat.id for seat in table.held(device))
        self.of(table).held[device] = held
        self.last_table[device] = table.id
        self.last_table.move_to_end(device)
        while len(self.last_table) > DEVICES_KNOWN:
            gone, _ = self.last_table.popitem(last=False)
            self.came_by.pop(gone, None)
        with self.told_who_is_back(table):
            self.hub.touch(table.id, device)

    @contextmanager
    def told_who_is_back(self, table: Table) -> Iterator[None]:
        """Around what notes that a device is there: if it is the host who was away, or one whose
        seat was awaited, everybody learns it."""
        before = self.host_away(table), self.awaited_seats(table)
        yield
        if (self.host_away(table), self.awaited_seats(table)) != before:
            self.hub.publish(table.id)

    def of(self, table: Table) -> AtTable:
        there = self.at_tables.setdefault(table.id, AtTable())
        self.at_tables.move_to_end(table.id)
        while len(self.at_tables) > TABLES_KNOWN:
            self.at_tables.popitem(last=False)
        return there

    def plays(self, device: Device) -> bool:
        """Whether `device` was last heard of at a table that has begun a game, where it hosts or
        holds a seat, also when that is over: an open table of one's own is nothing yet."""
        return self.plays_at(self.last_table.get(device, ""), device)

    def plays_at(self, table_id: str, device: Device) -> bool:
        """The same at a table that may not have heard of it here, as after a start."""
        table = self.tables.in_memory(table_id)
        return (
            table is not None
            and table.game_state is not None
            and (table.host == device or bool(table.held(device)))
        )

    def looked_at(self, who: Asking) -> None:
        """A page is shown or followed: from now on a table screen waits for a first phone."""
        if who.page != "screen":
            return
        there = self.of(who.table)
        if there.waits_since is None:
            there.waits_since = self.clock()

    def greet(self, table: Table) -> None:
        """A phone has come to the table."""
        there = self.of(table)
        if not there.greeted:
            there.greeted = True
            self.hub.publish(table.id)

    def awaited(self) -> set[str]:
        """Ids of the tables whose screen waits for a first phone."""
        tables = map(self.tables.in_memory, tuple(self.at_tables))
        return {each.id for each in tables if each and self.lonely_s(each) < math.inf}

    def lonely_s(self, table: Table) -> float:
        """Seconds until the table screen says what to try, since no phone comes; not above 0: it
        does; endless where it never will."""
        there = self.at_tables.get(table.id)
        if table.game_state is not None or there is None or there.greeted:
            return math.inf
        network, since = self.network(), there.waits_since
        phones = any(seat.device != table.host for seat in table.seats)
        if not network.at_home or phones or since is None:
            return math.inf
        if Sign.HALF in network.signs:
            return 0.0
        return since + LONELY_S - self.clock()

    def seats_had(self, table: Table, device: Device) -> frozenset[SeatId]:
        """Ids of the seats that `device` had when it was last heard of at the table."""
        there = self.at_tables.get(table.id)
        return there.held.get(device, frozenset()) if there is not None else frozenset()

    def forget(self, table: str) -> None:
        """The table is gone."""
        self.at_tables.pop(table, None)
