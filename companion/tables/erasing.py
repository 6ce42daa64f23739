"""Names are taken out of a table's log: the events that gave them are written anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from companion.tables import events as on
from companion.tables.log import Row

NAMING: Final = (on.SeatTaken.__name__, on.SeatRenamed.__name__)
"""Events in which there is a name."""


def names_taken_out(events: Iterable[on.Event]) -> dict[int, str]:
    """What seats are called from now on, and have always been called, by their ids."""
    return {
        seat: name
        for event in events
        if isinstance(event, on.NamesTakenOut)
        for seat, name in event.names
    }


def written_anew(rows: Iterable[Row], names: Mapping[int, str]) -> dict[int, Row]:
    """By their versions, those that called these seats something, as they are from now on.

    The hash of their request goes, too: it was made of the form in which the name stood.
    """
    return {
        row.version: replace(row, data={**row.data, "name": names[row.data["seat"]]}, request=None)
        for row in rows
        if row.kind in NAMING and row.data["seat"] in names
    }
