"""Seats and hosting that have changed hands, and a host who is gone."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.tables.identity import name_of, own_seats
from companion.tables.model import Actor, Handovers, Phase, Seat, SeatId, Table
from companion.values import Value
from companion.web.html.panels import Page, Panel, Part, View
from companion.web.view import presenter
from companion.web.view.me import Me
from companion.web.view.models import Doer
from companion.web.view.moments import Moment

READ_PLAYS = 3
"""After so many plays of others what has happened to a seat is known."""


class MovedSeat(Value, frozen=True):
    """A seat that went to another phone, and maybe back."""

    name: str
    times: int
    freed_by: tuple[Doer, ...]  # empty: it was offered
    back: bool  # on the phone where it was first
    taken_by: tuple[Doer, ...]  # meanwhile, where it is back
    stranger: bool  # a phone without a seat of its own did so


class NewName(Value, frozen=True):
    """Of somebody who plays."""

    before: str
    name: str


class NoticesView(View, frozen=True):
    """What has happened to the seats and the host, for everybody to see."""

    template = "panels/notices.html"

    moved: tuple[MovedSeat, ...]
    host: str | None  # name of who hosts now, where the hosting has changed hands; empty: you
    host_moves: int  # how often it has changed hands
    reordered: int  # how often the players have changed places
    order: tuple[str, ...]  # then their names, clockwise
    renamed: tuple[NewName, ...]
    renames: int  # how often somebody was given another name
    low: bool  # one line

    @property
    def count(self) -> int:
        """Of what has happened; it only grows while they stand there."""
        moves = sum(seat.times for seat in self.moved)
        return moves + self.host_moves + self.reordered + self.renames

    @property
    def plain(self) -> bool:
        """Whether it is one short sentence, which nobody would fold away."""
        moved = self.moved[0] if len(self.moved) == 1 else None
        told_of = moved is not None and (
            moved.freed_by or moved.taken_by or moved.stranger or moved.times > 1
        )
        things = bool(self.moved) + bool(self.host_moves) + bool(self.order) + len(self.renamed)
        return things == 1 and not told_of and not self.more

    @property
    def more(self) -> bool:
        """Whether the summary, which names a new host too, does not say it all."""
        says_name = not (self.moved or self.host_moves)
        return len(self.moved) > 1 or bool(self.order) or len(self.renamed) > says_name


class HostGoneView(View, frozen=True):
    """That anybody may take over the hosting."""

    template = "panels/host_gone.html"

    here: str
    gone: bool


def host_name(table: Table) -> str | None:
    """What the host is called; never by a seat that it has got hold of. None: it has no other."""
    return name_of(table, table.host)


def _new_host_name(table: Table) -> str | None:
    """The host's name, if need be that of a seat that it has got hold of: whoever takes over the
    hosting, it is told."""
    held = next((seat.name for seat in table.held(table.host)), None)
    return host_name(table) or held


def notices_of(table: Table, low: bool = False) -> NoticesView:
    """In one line where something else needs the room (`low`), or all have had the time to read."""
    handovers = table.handovers_shown
    return NoticesView(
        tuple(_moved(table, handovers, seat) for seat in table.seats if seat.id in handovers.moved),
        _new_host_name(table) if handovers.host_moves else None,
        handovers.host_moves,
        handovers.reordered,
        tuple(seat.name for seat in table.in_play) if handovers.reordered else (),
        _renamed(table, handovers),
        len(handovers.renamed),
        low or _is_read(table),
    )


def to_host(moment: Moment, me: Me, page: Page) -> Page:
    """A page of whoever hosts now, on a phone of one player: it calls them “you”."""
    if not (me.hosts and moment.table.handovers_shown.host_moves) or len(me.seats) > 1:
        return page
    return replace(page, common=moment.once(_to_host, page.common))


def _to_host(common: tuple[Part, ...]) -> tuple[Part, ...]:
    return tuple(
        replace(part, view=replace(part.view, host=""))
        if isinstance(part, Panel) and isinstance(part.view, NoticesView)
        else part
        for part in common
    )


def _is_read(table: Table) -> bool:
    """Some plays have been reported since the last of it, or one that came later was taken back, or
    the round is over in which it was."""
    if table.phase == Phase.PLAYING:
        steps, amended = table.round.undo_steps, table.round.undone
        if amended is not None and amended.handovers == table.handovers:
            return True  # what is told of it is newer, and needs the room
        return len(steps) >= READ_PLAYS and steps[-READ_PLAYS].handovers == table.handovers
    return table.handovers == Handovers() != table.handovers_before


def _renamed(table: Table, handovers: Handovers) -> tuple[NewName, ...]:
    before = dict(reversed(handovers.renamed))  # what each was called first
    names = ((before.get(seat.id, seat.name), seat.name) for seat in table.seats)
    return tuple(NewName(old, name) for old, name in names if old != name)


def _moved(table: Table, handovers: Handovers, seat: Seat) -> MovedSeat:
    freed = [_doer_by_own_seat(table, by) for each, by in handovers.freed if each == seat.id]
    taken = [_doer_by_own_seat(table, by) for each, by in handovers.takers if each == seat.id]
    return MovedSeat(
        seat.name,
        times=handovers.moved.count(seat.id),
        freed_by=_once(freed),
        back=seat.device is not None and seat.device == dict(handovers.first_phones).get(seat.id),
        taken_by=_once(taken),
        stranger=None in taken,
    )


def _once(doers: Iterable[Doer | None]) -> tuple[Doer, ...]:
    return tuple(dict.fromkeys(doer for doer in doers if doer is not None))


def _doer_by_own_seat(table: Table, actor: Actor | None) -> Doer | None:
    """Called by its own seat's name, as it is now: not by that of a seat which it has got hold of.
    None: nobody known, or one who played then and has no seat of its own any more."""
    if actor is None:
        return None
    own = own_seats(table, actor.device)
    return Doer(own[0].name) if own else presenter.nameless(table, actor)


def is_host_gone(moment: Moment, me: Me) -> bool:
    """And this phone may take over the hosting."""
    # While the end of a round waits, everybody keeps their part; who has gone on to another game
    # with the others is not gone.
    waits = moment.table.round.end_waits
    stays = waits or moment.table.next_table is not None
    return moment.around.host_gone and bool(me.held_in_play) and not me.hosts and not stays


def is_host_silent(moment: Moment, turn: SeatId, *, wide: bool = False) -> bool:
    """Whether it is the turn of a host whose device has not been heard of for a while. After some
    more time a phone is offered to go on without it; on a table screen it stays so."""
    seat = moment.table.seat(turn)
    holds = seat is not None and seat.device == moment.table.host
    return holds and moment.around.host_away and (wide or not moment.around.host_gone)


def host_gone(moment: Moment, me: Me) -> Panel:
    return Panel("host-gone", HostGoneView(me.path, is_host_gone(moment, me)))
