"""The services and caches that all requests of a process share; `create_app` makes them once."""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from flask import Response, current_app

from companion.games.game import Reason
from companion.live.hub import Hub
from companion.tables import refusals as table_refusals
from companion.tables.model import Device, Seat, Table
from companion.web.http import refusals, security
from companion.web.http.assets import Assets
from companion.web.http.limits import Limits
from companion.web.view.kept import Kept
from companion.web.view.moments import Moments
from companion.web.view.network import Network, Sign
from companion.web.view.panels import Html

if TYPE_CHECKING:
    from companion.settings import Settings
    from companion.tables.service import Tables

HEARTBEAT_S = 15.0

DEVICES_KNOWN = 20_000

TABLES_KNOWN = 20_000

KEPT_CHARACTERS = 16_000_000

LONELY_S = 45.0
"""A table screen waits so long for a first phone before it says what to try."""


TURN_COOKIE = "turn"

TURNS_KEPT = 4096

GOALS_ABOVE = 1
"""Quarter turns to the left: on a phone the maze grows upwards at first."""


@dataclass
class Turns:
    """How far each phone has turned its view, so that its stream knows it too.

    The phone's cookie keeps it for good; this copy goes when the program ends or many others come.
    """

    _of: OrderedDict[str, int] = field(default_factory=OrderedDict)

    def of(self, device: str | None) -> int:
        return self._of.get(device or "", GOALS_ABOVE)

    def told(self, device: str | None) -> int | None:
        """As its player has said; None: nobody has said how the maze is to lie."""
        return self._of.get(device or "")

    def chosen(self, device: str | None) -> bool:
        return self.told(device) is not None

    def keep(self, device: str, turn: int) -> None:
        self._of[device] = turn
        self._of.move_to_end(device)
        while len(self._of) > TURNS_KEPT:
            self._of.popitem(last=False)

    def seen(self, device: str, cookie: str | None) -> None:
        """A page was asked for by a phone with this cookie."""
        if cookie in ("0", "1", "2", "3"):
            self.keep(device, int(cookie))


@dataclass(slots=True)
class Guests:
    """What is remembered of those who came to a table."""

    held: dict[Device, frozenset[int]] = field(default_factory=dict)
    """The seats that each device had when it was last heard of."""
    waits_since: float | None = None
    """When, by the house's clock, the table's screen was first looked at, until a phone comes."""
    greeted: bool = False
    """A phone has come."""


@dataclass
class House:
    settings: Settings
    tables: Tables
    hub: Hub
    limits: Limits
    network: Callable[[], Network]
    """Where phones reach this machine; asked each time, since a laptop may change networks in the
    middle of an evening."""
    html: Html
    moments: Moments
    assets: Assets = field(default_factory=Assets)

    records: Kept[str] = field(default_factory=lambda: Kept(KEPT_CHARACTERS))
    """Finished games as their records: by table and version."""

    replays: Kept[str] = field(default_factory=lambda: Kept(KEPT_CHARACTERS))
    """Pages on which games that are over are watched again: by table and version, and all else
    that such a page depends on."""

    pictures: Kept[bytes] = field(default_factory=lambda: Kept(KEPT_CHARACTERS))
    """Results of games that are over: by table and version, and all else that a picture depends
    on."""

    rule_pages: Kept[str] = field(default_factory=lambda: Kept(KEPT_CHARACTERS))
    """The rules, whole and searched: by all that such a page depends on."""

    turns: Turns = field(default_factory=Turns)
    heartbeat_s: float = HEARTBEAT_S
    clock: Callable[[], float] = time.monotonic  # seconds; the one that offers end by
    offers: dict[tuple[str, int], tuple[str, str, float]] = field(default_factory=dict)
    """Of (table, seat): key, code and end of the offer that its old phone is showing."""

    call: Callable[..., None] = lambda *what: None
    """Tells other processes what they must know of a phone: the kind, and what."""

    unsaved: int = 0
    """Forms that could not be saved, since that was logged."""
    unsaved_told_at: float = -math.inf
    """By `clock`."""

    refusals: dict[tuple[str, str, bool, int], Response] = field(default_factory=dict)
    """Pages that say it was too often; by language, text, whether it is a part, and when it asks
    again."""

    last_at: OrderedDict[Device, str] = field(default_factory=OrderedDict)
    """At which table each device was last heard of; the latest last."""

    came_by: dict[Device, str] = field(default_factory=dict)
    """The address of our own by which each device came last; empty where it was none of ours, as
    behind a router that passes on what it is sent."""

    guests: OrderedDict[str, Guests] = field(default_factory=OrderedDict)
    """By table; the latest last."""
    awaiting: set[str] = field(default_factory=set)
    """Tables whose screen waits for a first phone."""

    def base(self) -> str:
        """The address that phones reach most likely, like "http://192.168.1.20:8080"."""
        return self.network().best.url

    def host_gone_s(self, table: Table) -> float:
        """Seconds since the host's device was last heard of."""
        return self.hub.last_seen(table.id, table.host)

    def host_gone(self, table: Table) -> bool:
        return self.host_gone_s(table) >= self.settings.host_gone_s

    def stranded(self, seat: Seat) -> bool:
        """Whether the phone that holds the seat came by an address that this machine has no more:
        to its browser the new address is another site, where nothing is known of the old one."""
        host = self.came_by.get(seat.device or "", "")
        network = self.network()
        return network.at_home and security.is_address(host) and not self._is_ours(host)

    def _is_ours(self, host: str) -> bool:
        return host in {urlsplit(way.url).hostname for way in self.network().ways}

    def claimable(self, table: Table) -> tuple[int, ...]:
        """Ids of the seats that a phone may take without a word of another."""
        return tuple(seat.id for seat in table.seats if seat.device is None or self.stranded(seat))

    def heard_of(self, table: Table, device: Device, by: str = "") -> None:
        """`device` is there, at our address `by`; if it is the host who was away, everybody learns
        it."""
        if self.came_by.get(device) != by:
            self.came_by[device] = by if self._is_ours(by) else ""
        held = frozenset(seat.id for seat in table.held(device))
        self.guests_of(table).held[device] = held
        self.last_at[device] = table.id
        self.last_at.move_to_end(device)
        while len(self.last_at) > DEVICES_KNOWN:
            gone, _ = self.last_at.popitem(last=False)
            self.came_by.pop(gone, None)
        was_gone = device == table.host and self.host_gone(table)
        self.hub.touch(table.id, device)
        if was_gone:
            self.hub.publish(table.id)

    def guests_of(self, table: Table) -> Guests:
        guests = self.guests.setdefault(table.id, Guests())
        self.guests.move_to_end(table.id)
        while len(self.guests) > TABLES_KNOWN:
            forgotten, _ = self.guests.popitem(last=False)
            self.awaiting.discard(forgotten)
        return guests

    def plays(self, device: Device) -> bool:
        """Whether `device` was last heard of at a table with a game on it, where it hosts or holds
        a seat: an open table of one's own is nothing yet."""
        table = self.tables.in_memory(self.last_at.get(device, ""))
        return (
            table is not None
            and table.play is not None
            and (table.host == device or bool(table.held(device)))
        )

    def waits(self, table: Table) -> None:
        """The table screen is looked at: from now on it waits for a first phone."""
        guests = self.guests_of(table)
        if guests.waits_since is None:
            guests.waits_since = self.clock()
            if not guests.greeted:
                self.awaiting.add(table.id)

    def greet(self, table: Table) -> None:
        """A phone has come to the table."""
        guests = self.guests_of(table)
        if not guests.greeted:
            guests.greeted = True
            self.awaiting.discard(table.id)
            self.hub.publish(table.id)

    def lonely_s(self, table: Table) -> float:
        """Seconds until the table screen says what to try, since no phone comes; not above 0: it
        does; endless where it never will."""
        guests = self.guests.get(table.id)
        if table.play is not None or guests is None or guests.greeted:
            return math.inf
        network, since = self.network(), guests.waits_since
        phones = any(seat.device != table.host for seat in table.seats)
        if not network.at_home or phones or since is None:
            return math.inf
        if Sign.HALF in network.signs:
            return 0.0
        return since + LONELY_S - self.clock()

    def denied(self, table: Table, device: Device | None, page: str) -> Reason | None:
        """The reason why `device` may not see this page of the table, or None.

        Without a device it is a television that came by the join link: it gets the screen alone.
        """
        if device is None:
            return None if page == "screen" else refusals.NOT_AT_TABLE
        if device == table.host:
            return None
        if not table.held(device):
            if page == "screen" and device in table.screens:
                return None
            guests = self.guests.get(table.id, Guests())
            had = guests.held.get(device, frozenset())
            left = [seat for each in had if (seat := table.seat(each))]
            if any(seat.device for seat in left):
                return refusals.SEAT_MOVED
            return refusals.SEAT_FREED if left else refusals.NOT_AT_TABLE
        return table_refusals.NOT_HOST if page == "host" else None

    def forget(self, table: str) -> None:
        """The table is gone."""
        self.hub.forget(table)
        self.guests.pop(table, None)
        self.forget_made(table)
        self.awaiting.discard(table)
        self.forget_offers(table)

    def forget_made(self, table: str) -> None:
        """What was drawn of it."""
        self.moments.forget(table)
        self.records.forget(table)
        self.replays.forget(table)
        self.pictures.forget(table)

    def forget_offers(self, table: str) -> None:
        """They are good no more."""
        for place in [place for place in self.offers if place[0] == table]:
            del self.offers[place]


def house() -> House:
    return cast(House, current_app.extensions["companion"])
