"""Which streams give way to a new one, where there are as many as there may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from companion.live.listener import Listener

OWN = 12
"""Streams of a table's own devices for which there is room, however many others there are."""

OWN_EACH = 2
"""Of these one device has no more, and a second one only where all others have their first."""


class StreamLimits(NamedTuple):
    """Streams open at once."""

    in_all: int = 2000
    per_address: int = 200
    per_table: int = 60
    per_device: int = 8
    """At one table; one more ends the device's oldest, so that tabs cannot starve each other."""


USUAL_LIMITS: Final = StreamLimits()

AtTable = Callable[[str], Sequence[Listener]]
"""The streams at a table, oldest first."""

ByAddress = Mapping[str, Collection[Listener]]
"""The streams of each address that has any, oldest first."""


def giving_way(
    new: Listener, at_table: AtTable, by_address: ByAddress, limits: StreamLimits
) -> list[Listener] | None:
    """The streams to close so that `new` fits, or None to refuse it.

    A device at its limit loses its own oldest. Where the table, the address or the program is full,
    somebody's stream there closes, else the device's own oldest. None closes in vain.
    """
    there, here = at_table(new.table), by_address.get(new.address, ())
    of_device = [each for each in there if each.device == new.device]
    give_way = of_device[: max(0, len(of_device) + 1 - limits.per_device)]
    room = [each for each in there if each not in give_way]
    own = new in _own([*room, new])
    mine = [each for each in room if each.device == new.device and new.belongs and not own]
    places: tuple[tuple[bool, Callable[[Listener], bool], Callable[[], Listener | None]], ...] = (
        (
            len(room) >= limits.per_table,
            lambda _: True,
            lambda: _of_table(new, own, room),
        ),
        (
            len(here) >= limits.per_address,
            lambda each: each in here,
            lambda: (_oldest(here, at_table) or _of_crowded(new, here)) if own else None,
        ),
        (
            sum(map(len, by_address.values())) >= limits.in_all,
            lambda _: True,
            lambda: _of_all(new, own, at_table, by_address),
        ),
    )
    for full, makes_room, somebody in places:
        if full and not any(map(makes_room, give_way)):
            found = somebody() or next(filter(makes_room, mine), None)
            if found is None:
                return None
            give_way.append(found)
    return give_way


def _own(listeners: Sequence[Listener]) -> list[Listener]:
    """Of those at one table, oldest first, the ones that the table has a right to: of the devices
    that belong to it the first of each, then the second."""
    by_turn: list[list[Listener]] = [[] for _ in range(OWN_EACH)]
    so_many: Counter[str] = Counter()
    for each in listeners:
        if each.belongs:
            if so_many[each.device] < OWN_EACH:
                by_turn[so_many[each.device]].append(each)
            so_many[each.device] += 1
    return list(chain.from_iterable(by_turn))[:OWN]


def _greediest(listeners: Sequence[Listener]) -> list[Listener]:
    """Those of the device, or of the address of guests, that has most of them."""
    by_whom: dict[str, list[Listener]] = {}
    for each in listeners:
        by_whom.setdefault(each.device if each.belongs else each.address, []).append(each)
    return max(by_whom.values(), key=len, default=[])


def _of_table(new: Listener, own: bool, room: Sequence[Listener]) -> Listener | None:
    """Who gives way to `new` at its table. `own`: the table has a right to it."""
    rights = _own([*room, new])
    rest = _greediest([each for each in room if each not in rights])
    so_many = sum(each.device == new.device for each in room)
    gives = own or (new.belongs and len(rest) > so_many + 1)
    return rest[0] if gives and rest else None


def _of_all(new: Listener, own: bool, at_table: AtTable, by_address: ByAddress) -> Listener | None:
    by_number = sorted(by_address.values(), key=len, reverse=True)
    greediest = by_number[0]
    fewer = len(by_address.get(new.address, ())) + 1 < len(greediest)
    if not own and not fewer:
        return None
    oldest = next(filter(None, (_oldest(each, at_table) for each in by_number)), None)
    if oldest is None and own and fewer:  # tables have a right to all of them
        return next(iter(greediest))
    return oldest


def _of_crowded(new: Listener, here: Collection[Listener]) -> Listener | None:
    """Where tables have a right to all that an address may have, the one with most of them gives
    up the least of its own to one that has fewer."""
    by_table: dict[str, list[Listener]] = {}
    for each in here:
        by_table.setdefault(each.table, []).append(each)
    crowded = max(by_table.values(), key=len, default=[])
    fewer = len(by_table.get(new.table, ())) + 1 < len(crowded)
    return _own(crowded)[-1] if fewer else None


def _oldest(of_address: Collection[Listener], at_table: AtTable) -> Listener | None:
    """The longest open stream of an address that no table has a right to."""
    own: dict[str, list[Listener]] = {}
    for each in of_address:
        if each.belongs and each.table not in own:
            own[each.table] = _own(at_table(each.table))
        if not each.belongs or each not in own[each.table]:
            return each
    return None
