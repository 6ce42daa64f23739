"""Those who come from another table sit here as they sat there: the same people in the same order,
each on the same phone and by the same name.

Who has left there has left here, too. Who never sat there, since its game is for fewer, stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.game import Rejection
from companion.tables import events as on
from companion.tables.model import Device, Seat, SeatId, SeatPairs, Table
from companion.tables.names import Names
from companion.tables.rejections import UNDER_WAY


def gather(here: Table, device: Device, there: Table, name_max: int) -> on.Answer:
    """What makes this table like the other one, all at once. `device`: the other one's host, and
    this one's from now on."""
    if here.playing:
        return UNDER_WAY
    pairs = _known(here, there)
    staying = [seat for seat in here.seats if not _has_left(seat, pairs, there)]
    come = _come(here, there, staying, pairs)
    return (
        *([on.HostMoved(device)] if device != here.host else ()),
        *(on.SeatRemoved(seat.id) for seat in here.seats if seat not in staying),
        *_seated(here, there, staying, come, name_max),
        *_ordered(staying, come),
        *(on.LinkRenewed() for _ in range(here.link_renewals, there.link_renewals)),
        *_about_the_table(here, there),
        on.Gathered(there.id, come, _screens(here, there)),
    )


def _known(here: Table, there: Table) -> SeatPairs:
    """Of each one's seats here and there, as it was when they came from one table to the other."""
    pairs: list[tuple[SeatId, SeatId]] = []
    if here.came_from is not None and here.came_from.table == there.id:
        pairs += here.came_from.seats
    if there.came_from is not None and there.came_from.table == here.id:
        pairs += ((ours, theirs) for theirs, ours in there.came_from.seats)
    return tuple(pairs)


def _has_left(seat: Seat, pairs: SeatPairs, there: Table) -> bool:
    sat = [theirs for ours, theirs in pairs if ours == seat.id]
    return bool(sat) and all(there.seat(theirs) is None for theirs in sat)


def _come(here: Table, there: Table, staying: Sequence[Seat], pairs: SeatPairs) -> SeatPairs:
    """Those who sit there and here, clockwise as there: on seats that they have here already, or on
    new ones, as long as there is room for them and they have a phone."""
    own = {seat.id: _own(seat, staying, pairs) for seat in there.seats}
    room = here.game.seat_counts[-1] - len(staying)
    new = [seat.id for seat in there.seats if own[seat.id] is None and seat.device is not None]
    own |= {theirs: SeatId(here.next_seat + at) for at, theirs in enumerate(new[:room])}
    return tuple((ours, theirs) for theirs, ours in own.items() if ours is not None)


def _own(seat: Seat, staying: Sequence[Seat], pairs: SeatPairs) -> SeatId | None:
    """The seat here of who sits there: the one that they came from or to; or, where nothing is
    known of it, one by the same name on the same phone."""
    known = {ours for ours, theirs in pairs if theirs == seat.id}
    others = {ours for ours, _ in pairs} - known
    for one in staying:
        alike = (one.device, one.name) == (seat.device, seat.name) and one.device is not None
        if one.id in known or (alike and one.id not in others):
            return one.id
    return None


def _seated(
    here: Table, there: Table, staying: Sequence[Seat], come: SeatPairs, name_max: int
) -> Iterator[on.Event]:
    """Each on the phone that they have there, and by the name that they have there, unless somebody
    else here is called so, or was in the last game."""
    before, now = {seat.id: seat for seat in staying}, dict(come)
    others = [seat.name for seat in staying if seat.id not in now]
    taken = Names(others + [each.name for each in here.players if each.id not in now])
    after = {seat.id: seat for seat in there.seats}
    for ours, theirs in come:
        seat, own = after[theirs], before.get(ours)
        free = taken.free(seat.name, name_max)
        name = free.params["suggestion"] if isinstance(free, Rejection) else free
        taken.add(name)
        if own is None:
            assert seat.device is not None
            yield on.SeatTaken(ours, name, seat.device)
            continue
        if name != own.name:
            yield on.SeatRenamed(ours, name)
        if seat.device != own.device:
            yield on.SeatFreed(ours) if seat.device is None else on.SeatMoved(ours, seat.device)


def _ordered(staying: Sequence[Seat], come: SeatPairs) -> Iterator[on.SeatsOrdered]:
    """Whoever has come sits as there, in the places of those who have; the others sit where they
    sat."""
    ours = [each for each, _ in come]
    sitting = [seat.id for seat in staying]
    sitting += sorted(each for each in ours if each not in sitting)
    coming = iter(ours)
    order = tuple(next(coming) if seat in ours else seat for seat in sitting)
    if order != tuple(sitting):
        yield on.SeatsOrdered(order)


def _about_the_table(here: Table, there: Table) -> Iterator[on.Event]:
    if there.wifi is not None and there.wifi != here.wifi:
        yield on.WifiSet(there.wifi.name, there.wifi.password)
    if here.next_table is not None:
        yield on.WentOn(here.id, here.game.name)


def _screens(here: Table, there: Table) -> tuple[Device, ...]:
    """What is the screen there is so here, unless a link was made anew here that keeps it out."""
    return tuple(sorted(there.screens)) if here.link_renewals <= there.link_renewals else ()
