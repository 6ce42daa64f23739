"""Who sits at the table, where and as whom, and who hosts it."""

from __future__ import annotations

from typing import Any, Final

from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables import ending, reasons
from companion.tables import events as on
from companion.tables.codec import Plain, encode_events
from companion.tables.identity import name_of, seats_of_player
from companion.tables.model import Device, SeatId, Table
from companion.tables.names import Names, free_name
from companion.tables.rejections import (
    NOT_HOST,
    NOT_SEATED,
    OFFER_EXPIRED,
    UNDER_WAY,
    UNKNOWN_SEAT,
    bad,
    stale,
)

MISSED: Final = stale(on.SeatTaken)
"""Somebody sat down or left while the host put the seats in order."""


def takes_guests(table: Table) -> bool:
    """Somebody could sit down now: a seat waits for a phone, or there is room for another, who
    plays from the next game on."""
    waits = any(seat.device is None for seat in table.seats)
    return waits or table.has_room


def join(table: Table, device: Device, command: ask.Join | ask.AddSeat, name_max: int) -> on.Answer:
    if not table.has_room:
        return Rejection(reasons.TABLE_FULL, {"max": table.game.seat_counts[-1]})
    name = free_name(command.name, (seat.name for seat in table.seats), name_max)
    if isinstance(name, Rejection):
        return name
    return (on.SeatTaken(table.next_seat, name, device),)


def remove_seat(table: Table, device: Device, command: ask.RemoveSeat) -> on.Answer:
    seat = table.seat(command.seat)
    if seat is None:
        return UNKNOWN_SEAT
    if device not in (table.host, seat.device):
        return NOT_HOST
    if table.playing and table.plays(seat.id):
        return UNDER_WAY
    return (on.SeatRemoved(seat.id),)


def rename_seat(table: Table, device: Device, command: ask.RenameSeat, name_max: int) -> on.Answer:
    seat = table.seat(command.seat)
    if seat is None:
        return UNKNOWN_SEAT
    if device not in (table.host, seat.device):
        return NOT_HOST
    others = [one.name for one in table.seats if one.id != seat.id]
    if table.index(seat.id) is not None:  # they are called so in the game, also once it is over
        others += [one.name for one in table.players if one.id != seat.id]
    name = free_name(command.name, others, name_max)
    if isinstance(name, Rejection):
        return name
    return () if name == seat.name else (on.SeatRenamed(seat.id, name),)


def take_name_out(table: Table, device: Device, command: ask.TakeNameOut) -> on.Answer:
    seat = table.seat(command.seat)
    if seat is None:
        return UNKNOWN_SEAT
    if device != seat.device or device not in seat.phones:  # who has only got hold of it may not
        return NOT_SEATED
    if table.playing:
        return UNDER_WAY
    players = [each for result in table.results for each in result.players]
    mine = seats_of_player(table, seat, [each.id for each in players])
    if table.people.nameless.issuperset(mine):
        return ()
    known = {(each.id, each.name) for each in table.seats}
    for player in (*table.players, *players):
        known |= {(player.id, player.name), (player.id, player.recorded)}
    shown = {each for each, _ in known}
    taken = Names(name for each, name in known if each not in mine)
    names = {each: f"{command.word} {each}" for each in mine}
    for each in mine:
        if each not in shown:  # no page tells these from each other
            continue
        name = taken.free(names[each])
        names[each] = name.params["suggestion"] if isinstance(name, Rejection) else name
        taken.add(names[each])
    return (on.NamesTakenOut(tuple(names.items())),)


def order_seats(table: Table, command: ask.OrderSeats) -> on.Answer:
    present = tuple(seat.id for seat in table.seats)
    if sorted(command.order) != sorted(present):
        return UNDER_WAY if table.playing else MISSED
    if command.order == present:
        return ()
    if not table.playing:
        return (on.SeatsOrdered(command.order),)
    events = ending.blocked(table) or _events_of(table, command.order)
    return events if isinstance(events, Rejection) else (on.SeatsOrdered(command.order, events),)


def may_reorder(table: Table) -> bool:
    """Whether the players of the game that is on may change places now."""
    return _reseats(table, table.game_state)


def order_ends_undo(table: Table) -> bool:
    """Whether after that the last play could not be taken back any more (see `evolve_seats`)."""
    if not table.playing:
        return bool(table.round.undo_steps)
    return any(not _reseats(table, step.before) for step in table.round.undo_steps)


def _reseats(table: Table, state: Any) -> bool:
    reseat, circle = table.game.reseat, table.circle_of(seat.id for seat in table.seats)
    return reseat is not None and not isinstance(reseat(state, circle), Rejection)


def _events_of(table: Table, order: tuple[SeatId, ...]) -> Plain | Rejection:
    """What a game that is on makes of the seats' new order, by their ids."""
    game = table.game
    circle = table.circle_of(order)
    if circle == table.circle_of(seat.id for seat in table.seats):  # who waits sits elsewhere
        return ()
    if game.reseat is None:
        return UNDER_WAY
    events = game.reseat(table.game_state, circle)
    return events if isinstance(events, Rejection) else encode_events(events)


def free_seat(table: Table, command: ask.FreeSeat) -> on.Answer:
    seat = table.seat(command.seat)
    if seat is None:
        return UNKNOWN_SEAT
    return () if seat.device is None else (on.SeatFreed(seat.id),)


def claim_seat(table: Table, device: Device, command: ask.ClaimSeat) -> on.Answer:
    seat = table.seat(command.seat)
    if seat is None:
        return UNKNOWN_SEAT
    if seat.device == device:
        return ()
    if seat.device not in (None, command.stranded):
        return Rejection(reasons.SEAT_NOT_FREE, {"name": seat.name})
    return (on.SeatMoved(seat.id, device),)


def move_seat(table: Table, old: Device | None, new: Device, seat_id: SeatId) -> on.Answer:
    """The seat that `old` has offered goes to `new`, if `old` still holds it; None: it was free."""
    seat = table.seat(seat_id)
    if seat is not None and seat.device == new:
        return ()
    if seat is None or seat.device != old:
        return OFFER_EXPIRED
    return (on.SeatMoved(seat.id, new),)


def take_hosting(
    table: Table, device: Device, command: ask.TakeHosting, host_gone_s: float
) -> on.Answer:
    if device == table.host:
        return ()
    if not table.held_in_play(device):
        return NOT_SEATED
    if command.host != table.host:
        return stale(on.HostMoved, name_of(table, table.host))
    if not command.host_gone_s >= host_gone_s:
        return Rejection(reasons.HOST_PRESENT, {"minutes": max(1, round(host_gone_s / 60))})
    return (on.HostMoved(device),)


def pass_hosting(table: Table, command: ask.PassHosting) -> on.Answer:
    seat = table.seat(command.seat)
    if seat is None:
        return UNKNOWN_SEAT
    if seat.device is None:
        return bad("seat")
    return () if seat.device == table.host else (on.HostMoved(seat.device),)


def join_people(table: Table, command: ask.JoinPeople) -> on.Answer:
    one, other = table.people.person(command.seat), table.people.person(command.same)
    met = encounters(table)
    if one not in met or other not in met:
        return UNKNOWN_SEAT
    if one == other:
        return ()
    if other in met[one]:
        return Rejection(reasons.PLAYED_TOGETHER)
    return (on.PeopleJoined(command.seat, command.same),)


def may_join_people(table: Table) -> bool:
    """Whether the host can say of any two names that they are the same person's, or has."""
    met = encounters(table)
    several = not table.people.several.isdisjoint(met)
    two = any(len(others) + 1 < len(met) for others in met.values())
    return bool(table.results) and (several or two)


def part_people(table: Table, command: ask.PartPeople) -> on.Answer:
    person = table.people.person(command.seat)
    return (on.PeopleParted(command.seat),) if person in table.people.several else ()


def encounters(table: Table) -> dict[SeatId, frozenset[SeatId]]:
    """Everybody who has had a part in a game that is over or sits at the table now, by the id of
    their first seat; and whom they have met there, so that these are others."""
    met: dict[SeatId, frozenset[SeatId]] = {}
    together = [[player.id for player in result.players] for result in table.results]
    for seats in (*together, [seat.id for seat in table.seats]):
        persons = frozenset(map(table.people.person, seats))
        for person in persons:
            met[person] = met.get(person, frozenset()) | persons - {person}
    return met
