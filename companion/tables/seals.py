"""What phones have sealed for the next deals, kept until the list is fixed.

A seal belongs to a device and counts for every seat that the device holds when the deal begins. The
first seal of a device counts. A phone sends the same one again after it has lost its connection, so
a restart of the program loses none. Nobody waits for a phone that sends none.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from companion.record.fair import Seals
from companion.tables.model import Device, Seat, Table
from companion.tables.shared_store import NotesNeeded, SharedStore
from companion.tables.waiting_deals import place_of_shares

DEVICES_MAX = 50
"""Phones whose seals are kept for one deal; beyond them those without a seat are forgotten."""

TABLES_MAX = 10_000
"""Tables whose seals are kept; those longest without a new one make room."""

DealId = tuple[int, int]
"""A deal: number of the game at its table, and round (0: what is drawn once a game)."""


class BehindError(Exception):
    """Another process has changed the table meanwhile: it is to be read again."""


class SealStore(Protocol):
    def put(
        self,
        table: Table,
        device: Device,
        seals: Mapping[DealId, str],
        seated: Collection[Device],
        to_come: Collection[DealId],
    ) -> set[DealId]:
        """Keeps the first seal of this device for each deal; forgets deals that cannot come.

        The deals where this is the one that counts. A device that leaves its seat and comes back
        cannot give another.
        """

    def of(
        self, table_id: str, deal: DealId, seats: Sequence[Seat]
    ) -> tuple[Seals, dict[str, int] | None]:
        """What was given, in the order of these seats; and how many notes were read for it, by
        place; None where nothing is shared with other processes."""

    def forget(self, table_id: str) -> None: ...


class MemorySeals:
    """In the memory of the only process."""

    def __init__(self) -> None:
        self._of: OrderedDict[str, dict[DealId, dict[Device, str]]] = OrderedDict()

    def put(
        self,
        table: Table,
        device: Device,
        seals: Mapping[DealId, str],
        seated: Collection[Device],
        to_come: Collection[DealId],
    ) -> set[DealId]:
        kept = self._of.setdefault(table.id, {})
        self._of.move_to_end(table.id)
        for old in [one for one in kept if one not in to_come]:
            del kept[old]
        counts = set()
        for deal, seal in seals.items():
            given = kept.setdefault(deal, {})
            if len(given) >= DEVICES_MAX:
                for gone in [one for one in given if one not in seated]:
                    del given[gone]
            if given.setdefault(device, seal) == seal:
                counts.add(deal)
        while len(self._of) > TABLES_MAX:
            self._of.popitem(last=False)
        return counts

    def of(self, table_id: str, deal: DealId, seats: Sequence[Seat]) -> tuple[Seals, None]:
        given = self._of.get(table_id, {}).get(deal, {})
        held = (seat.device for seat in seats)
        return tuple(None if device is None else given.get(device) for device in held), None

    def forget(self, table_id: str) -> None:
        self._of.pop(table_id, None)


class SharedSeals:
    """Shared with other processes."""

    def __init__(self, shared: SharedStore) -> None:
        self._shared = shared

    def put(
        self,
        table: Table,
        device: Device,
        seals: Mapping[DealId, str],
        seated: Collection[Device],
        to_come: Collection[DealId],
    ) -> set[DealId]:
        """`BehindError` where the table has changed."""
        places = {*map(_place, to_come), place_of_shares(table)}
        needed = NotesNeeded(places, seated, DEVICES_MAX)
        said: dict[str, dict[str, str]] = {
            _place(deal): {device: seal} for deal, seal in seals.items()
        }
        kept = self._shared.note(table.id, table.version, said, needed)
        if kept is None:
            raise BehindError
        return {deal for deal, seal in seals.items() if kept[_place(deal)].get(device) == seal}

    def of(
        self, table_id: str, deal: DealId, seats: Sequence[Seat]
    ) -> tuple[Seals, dict[str, int]]:
        place = _place(deal)
        given = self._shared.notes(table_id).get(place, {})
        return tuple(given.get(seat.device or "") for seat in seats), {place: len(given)}

    def forget(self, table_id: str) -> None:
        """They go with the table."""


def _place(deal: DealId) -> str:
    game, round_ = deal
    return f"{game}.{round_}"
