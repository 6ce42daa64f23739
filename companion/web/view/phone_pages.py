"""Pages of a phone beside its table: the way in for others, and its seat on another phone."""

from __future__ import annotations

from typing import Literal

from markupsafe import Markup

from companion.games.game import Reason
from companion.tables.model import Table
from companion.web.html.cache import TABLE
from companion.web.html.panels import Page, Panel, Part, View
from companion.web.view import common, handovers, scanning
from companion.web.view.me import Me
from companion.web.view.models import GuestWifi, Reach, SeatName, SeatOfferView
from companion.web.view.moments import Moment

SeatGone = Literal["", "seat_moved", "seat_freed", "seat_removed", "not_at_table"]


class WayInView(View, frozen=True):
    """The code to scan, the network that is needed first, and who has sat down."""

    template = "panels/way_in.html"

    qr: Markup
    address: str
    code: str
    wifi: GuestWifi | None
    names: tuple[str, ...]


class LendView(View, frozen=True):
    """A laptop or a television becomes the table screen, by a code that this phone shows."""

    template = "panels/lend.html"

    here: str
    address: str
    code: str  # empty: it has not been asked for


class MySeatView(View, frozen=True):
    """A seat of this phone: its name, to another phone, away from the table; and one more seat."""

    template = "panels/my_seat.html"

    here: str
    back: str
    seat: SeatName | None  # None: it has gone, or the host has none
    gone: SeatGone  # why there is none; empty: there is one
    secrets: bool  # something is dealt that only its player may see
    leaves: bool  # no game is on that it has a part in
    gains: bool  # something is gained in one that ends before its time
    offer: SeatOfferView | None
    room: bool  # for one more seat
    playing: bool  # a game is on: one more seat waits for the next one
    forgets: bool  # its player, and not who has only got hold of it, may take the name out
    nameless: bool  # and has done so


class SeatLostView(View, frozen=True):
    """A phone that was dealt in has no seat any more."""

    template = "panels/seat_lost.html"

    reason: Reason


class SeatLostLayout(View, frozen=True):
    template = "layouts/seat_lost.html"


class QrLayout(View, frozen=True):
    template = "layouts/qr.html"

    here: str


class MySeatLayout(View, frozen=True):
    template = "layouts/my_seat.html"


def _way_in(table: Table, reach: Reach) -> tuple[Part, ...]:
    view = WayInView(
        qr=reach.qr,
        address=reach.address,
        code=reach.code,
        wifi=reach.wifi,
        names=tuple(seat.name for seat in table.seats),
    )
    return (Panel("way-in", view), scanning.other_addresses(reach))


def qr(moment: Moment, me: Me) -> Page:
    lend = LendView(me.path, me.reach.address, me.screen_code)
    shared = moment.once(_way_in, moment.table, me.reach)
    return Page(QrLayout(me.path), shared, (*common.beside(moment, me), Panel("lend", lend)))


def my_seat(moment: Moment, me: Me) -> Page:
    table = moment.table
    seat = me.one_of(me.seats) or (next(iter(me.seats), None) if me.seat is None else None)
    about = seat.id if seat else me.seat
    query = f"?seat={about}" if about and me.several and table.plays(about) else ""
    held = table.seat(seat.id) if seat else None
    view = MySeatView(
        here=me.path,
        back=f"/t/{TABLE}{query}",
        seat=seat,
        gone="" if seat else _gone(table, me),
        secrets=table.game.deals_secrets,
        leaves=not table.playing or (seat is not None and not table.plays(seat.id)),
        gains=table.game.gains_when_broken_off,
        offer=me.offer,
        room=table.has_room,
        playing=table.playing,
        forgets=not table.playing and held is not None and me.device in held.phones,
        nameless=about in table.people.nameless,
    )
    own = (
        *common.beside(moment, me),
        handovers.host_gone(moment, me),
        Panel("my-seat", view),
    )
    return Page(MySeatLayout(), (Panel("notices", handovers.notices_of(table)),), own)


def _gone(table: Table, me: Me) -> SeatGone:
    handovers = table.handovers_shown
    mine = [seat for seat, phone in handovers.first_phones if phone == me.device]
    if any(seat in handovers.moved for seat in mine if me.seat in (None, seat)):
        return "seat_moved"
    if not me.seats:
        return "not_at_table"
    there = me.seat is not None and table.seat(me.seat) is not None
    return "seat_freed" if there else "seat_removed"


def seat_lost(moment: Moment, me: Me) -> Page:
    """Of the game that goes on without this phone nothing but an end that waits."""
    assert me.seat_lost is not None
    own = (
        common.bar(moment.table, me, None),
        common.waiting_end(moment, me),
        Panel("lost", SeatLostView(me.seat_lost)),
    )
    return Page(SeatLostLayout(), (), own)
