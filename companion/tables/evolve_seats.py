"""What becomes of a table by events about its people: who sits where, on which phone, who hosts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from companion.games.game import Rejection
from companion.tables import events as on
from companion.tables.codec import decode_events
from companion.tables.model import (
    Actor,
    Deals,
    Device,
    Phase,
    Player,
    Round,
    Seat,
    SeatId,
    Table,
    UndoStep,
)

Pair = TypeVar("Pair")


def taken(table: Table, event: on.SeatTaken) -> Table:
    lent = bool(table.held(event.device))
    seats = (*table.seats, Seat(event.seat, event.name, event.device, lent=lent))
    return replace(table, seats=seats, next_seat=SeatId(event.seat + 1))


def removed(table: Table, seat: SeatId) -> Table:
    gone, handovers = table.seat(seat), table.handovers
    phones = gone.phones if gone else ()
    left = table.round.left
    if gone is not None and table.index(seat) is not None:
        left = (*left, (_player_before(table, seat), gone))
    return replace(
        table,
        seats=_left(table, seat),
        handovers=replace(
            handovers,
            moved=tuple(one for one in handovers.moved if one != seat),
            freed=tuple(pair for pair in handovers.freed if pair[0] != seat),
        ),
        people=replace(
            table.people, gone=(*table.people.gone, *((seat, phone) for phone in phones))
        ),
        round=replace(table.round, left=left),
    )


def _player_before(table: Table, seat: SeatId) -> SeatId | None:
    """The player's seat before this one, clockwise; None before the first."""
    ids = [each.id for each in table.seats]
    before = [each for each in ids[: ids.index(seat)] if table.index(each) is not None]
    return before[-1] if before else None


def brought_back(table: Table) -> Table:
    """The table with the players who have left it since the game was over, each on the phone and
    between the players as before."""
    seats = list(table.seats)
    for before, seat in reversed(table.round.left):
        ids = [each.id for each in seats]
        seats.insert(0 if before is None else ids.index(before) + 1, seat)
    back = {seat.id for _, seat in table.round.left}
    gone = tuple(pair for pair in table.people.gone if pair[0] not in back)
    return replace(
        table,
        seats=tuple(seats),
        people=replace(table.people, gone=gone),
        round=replace(table.round, left=()),
    )


def _final(so_far: Round) -> Round:
    """What has been played can no more be taken back."""
    return replace(so_far, undo_steps=())


def _left(table: Table, gone: SeatId) -> tuple[Seat, ...]:
    """The seats without the one that is gone. If its phone has only lent seats left, these become
    its own; not a host's, who can take any seat."""
    seats = tuple(one for one in table.seats if one.id != gone)
    device = next((one.device for one in table.seats if one.id == gone), None)
    own = [one for one in seats if one.device == device and not one.lent]
    if device in (None, table.host) or own:
        return seats
    return tuple(replace(one, lent=False) if one.device == device else one for one in seats)


def renamed(table: Table, seat: SeatId, name: str) -> Table:
    seats = tuple(replace(one, name=name) if one.id == seat else one for one in table.seats)
    players = tuple(
        replace(one, name=name, signed=one.recorded) if one.id == seat else one
        for one in table.players
    )
    results = table.results
    if table.phase == Phase.OVER and results:  # who is called otherwise now is so in that game, too
        results = (*results[:-1], replace(results[-1], players=players))
    people = replace(table.people, nameless=table.people.nameless - {seat})
    handovers = table.handovers
    before = table.player_name(seat)
    if table.playing and before not in (None, name):  # else the older one was taken out of the log
        handovers = replace(handovers, renamed=(*handovers.renamed, (seat, before)))
    return replace(
        table, seats=seats, players=players, results=results, people=people, handovers=handovers
    )


def nameless(table: Table, version: int, names: Sequence[tuple[SeatId, str]]) -> Table:
    """The names are gone from the older events already. Deals that were drawn with them cannot be
    drawn again by anybody."""
    gone = {seat for seat, _ in names}

    def still_proved(deals: Deals, players: Sequence[Player]) -> Deals:
        if gone.isdisjoint(player.id for player in players):
            return deals
        nothing = (None,) * len(deals.shares)
        return replace(deals, shares=nothing, seals=nothing)

    results = tuple(
        replace(each, deals=still_proved(each.deals, each.players)) for each in table.results
    )
    people = replace(table.people, nameless=table.people.nameless | gone, nameless_version=version)
    deals = still_proved(table.deals, table.players)
    return replace(table, deals=deals, results=results, people=people)


def ordered(table: Table, event: on.SeatsOrdered) -> Table:
    by_id = {seat.id: seat for seat in table.seats}
    table = replace(table, seats=tuple(by_id[seat] for seat in event.order))
    if not table.playing:
        return replace(table, round=_final(table.round))
    if not event.events:
        return table
    game = table.game
    return replace(
        table,
        game_state=game.fold(table.game_state, decode_events(game.events, event.events)),
        round=replace(table.round, undo_steps=_undo_steps_in(table, event.order)),
        handovers=replace(table.handovers, reordered=table.handovers.reordered + 1),
    )


def _undo_steps_in(table: Table, order: Sequence[SeatId]) -> tuple[UndoStep, ...]:
    """The plays that can still be taken back, with the players where they sit now. None where the
    game does not let them change places in the middle of what was played."""
    game, circle = table.game, table.circle_of(order)
    steps = []
    for step in table.round.undo_steps:
        events = game.reseat(step.before, circle) if game.reseat else ()
        if isinstance(events, Rejection):
            return ()
        steps.append(replace(step, before=game.fold(step.before, events)))
    return tuple(steps)


def freed(table: Table, seat: SeatId, by: Device) -> Table:
    table = _leaving(table, seat, keeps=True)
    handovers = table.handovers
    freed = _with_one(handovers.freed, (seat, table.actor(by)))
    return replace(table, handovers=replace(handovers, freed=freed))


def moved(table: Table, event: on.SeatMoved) -> Table:
    seat, device = event.seat, event.device
    lent = device == table.host or bool(table.held(device))
    takers = _with_taker(table, seat, device)
    table = _with_device(_leaving(table, seat, keeps=lent), seat, device, lent)
    handovers = replace(table.handovers, moved=(*table.handovers.moved, seat), takers=takers)
    return replace(table, handovers=handovers)


def _with_taker(
    table: Table, seat_id: SeatId, device: Device
) -> tuple[tuple[SeatId, Actor | None], ...]:
    """The takers with this one. A phone that neither has hosted nor holds a seat counts only for a
    free seat, as None; a phone of the seat's player never counts."""
    takers, seat = table.handovers.takers, table.seat(seat_id)
    if seat is None or device in seat.phones:
        return takers
    hosted = table.may_be_screen(device)
    if hosted or table.held(device):
        return _with_one(takers, (seat_id, Actor(device, hosted)))
    return _with_one(takers, (seat_id, None)) if seat.device is None else takers


def host_moved(table: Table, device: Device) -> Table:
    handovers = replace(table.handovers, host_moves=table.handovers.host_moves + 1)
    return replace(table, host=device, handovers=handovers, screens=table.screens | {table.host})


def joined(table: Table, event: on.PeopleJoined) -> Table:
    people = table.people
    one, other = sorted((people.person(event.seat), people.person(event.same)))
    first_seats = {each: one if first == other else first for each, first in people.first_seats}
    first_seats[other] = one
    return replace(table, people=replace(people, first_seats=tuple(sorted(first_seats.items()))))


def parted(table: Table, seat: SeatId) -> Table:
    people, person = table.people, table.people.person(seat)
    first_seats = tuple(pair for pair in people.first_seats if pair[1] != person)
    return replace(table, people=replace(people, first_seats=first_seats))


def _with_device(table: Table, seat_id: SeatId, device: Device, lent: bool) -> Table:
    seat = table.seat(seat_id)
    if seat is None:
        return table
    earlier = seat.earlier_phones
    # Where it comes back to a phone of its player's, who had it meanwhile was not its player.
    kept = earlier[: earlier.index(device)] if device in earlier else earlier
    lent = lent and device not in earlier
    after = replace(seat, device=device, moves=seat.moves + 1, earlier_phones=kept, lent=lent)
    return _with(table, after)


def _leaving(table: Table, seat_id: SeatId, *, keeps: bool) -> Table:
    """The table with the seat on no phone; the first one is remembered. `keeps`: the phone stays
    among its player's, unless the seat was only lent to it."""
    seat = table.seat(seat_id)
    if seat is None or seat.device is None:
        return table
    first = table.handovers.first_phones
    if seat_id not in dict(first):
        first = (*first, (seat_id, seat.device))
    earlier = seat.earlier_phones
    if keeps and not seat.lent:
        earlier = (*earlier, seat.device)
    table = replace(table, handovers=replace(table.handovers, first_phones=first))
    return _with(table, replace(seat, device=None, earlier_phones=earlier))


def _with(table: Table, seat: Seat) -> Table:
    return replace(table, seats=tuple(seat if one.id == seat.id else one for one in table.seats))


def _with_one(pairs: tuple[Pair, ...], one: Pair) -> tuple[Pair, ...]:
    return pairs if one in pairs else (*pairs, one)
