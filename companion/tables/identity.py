"""Whose phone is whose: which seats a device is called by, and which were its player's before.

It is judged by what the fold of the log keeps of it (`evolve_seats`): who holds each seat and which
phones its player had before (`Seat`), which seats went to other phones lately (`Handovers`), and
who held those that are gone (`People.gone`). Who may confirm or stop an end is in `ending`.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.tables.model import Device, Seat, SeatId, Table


def own_seats(table: Table, device: Device) -> tuple[Seat, ...]:
    """Those of the seats it holds that have not come to it from another phone lately (see
    `Table.handovers_shown`), nor are only lent to it, or have come back."""
    handovers = table.handovers_shown
    first = dict(handovers.first_phones)
    return tuple(
        seat
        for seat in table.held(device)
        if device in seat.phones
        and (seat.id not in handovers.moved or first.get(seat.id) == device)
    )


def seats_it_goes_by(table: Table, device: Device) -> tuple[Seat, ...]:
    """The seats by whose names a device is called: its own, if it has one. A host, that can take
    any seat, is never called by one that it has taken."""
    return own_seats(table, device) or (() if device == table.host else table.held(device))


def name_of(table: Table, device: Device) -> str | None:
    """A name to call the device by."""
    seats = seats_it_goes_by(table, device)
    return seats[0].name if seats else None


def reports_as(table: Table, device: Device, seat: SeatId | None) -> SeatId | None:
    """The seat by which a report of this device counts: `seat`, if the device goes by it, else its
    first that plays, if need be one that it has taken; None: a host without a seat."""
    seats = [each.id for each in seats_it_goes_by(table, device) if table.plays(each.id)]
    if not seats and device != table.host:
        seats = [each.id for each in table.held_in_play(device)]
    return seat if seat in seats else next(iter(seats), None)


def has_had_seat(table: Table, device: Device) -> bool:
    """Whether it has had a seat here, as far as the table knows, that it may hold no more."""
    had = (*table.handovers_shown.first_phones, *table.people.gone)
    return device in {phone for _, phone in had} | table.dealt_phones


def seats_of_player(table: Table, seat: Seat, played: Sequence[SeatId]) -> Sequence[SeatId]:
    """Ids of this seat, and of those that are gone: that whoever holds it had, or the same person
    (`People.first_seats`). `played`: the seats of games that are over."""
    person = table.people.person(seat.id)
    gone = [each for each, by in table.people.gone if by == seat.device]
    same = [each for each in played if table.people.person(each) == person and not table.seat(each)]
    return list(dict.fromkeys((seat.id, *gone, *same)))
