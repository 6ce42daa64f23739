"""The interface of a store: an append-only log for each table, and a few ways to find a table.

The index beside the log is derived from it and changes in the same transaction. A store is slow
and may be shared with other processes; `Tables` decides on what it has in memory, and the pair
(table, version) decides who was first.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

from companion.tables.model import Device
from companion.values import Value


class StorageError(Exception):
    """The store is broken, full or not ours; the text is for the person who runs the program."""


class DamagedError(StorageError):
    """The log of one table cannot be read; all others can."""


class NoRoomError(StorageError):
    """The tables take all the room that they may have; the store itself is well."""


class Row(Value, frozen=True):
    """An event as it is written down."""

    version: int
    kind: str
    data: dict[str, Any]
    request: str | None  # hash of the request's key; only on the first event of a request
    device: Device
    at: float  # seconds since the epoch


class Member(Value, frozen=True):
    """A device that hosts a table, holds a seat there or is its screen."""

    device: Device
    hosts: bool
    seated: bool


class Telling(Value, frozen=True):
    """How often players have told that this is printed on a card of a game."""

    game: str
    card: str
    what: str
    times: int


class Index(Value, frozen=True):
    """How a table is found without reading its log."""

    join: str  # hash of the join key
    code: str  # unique among all tables
    used_at: float  # seconds since the epoch
    members: frozenset[Member] | None  # None: the same devices as before
    renewed: bool = False
    """Whether the join key and the code are others than before. What is offered of the table beside
    the log ends with the old ones, in the same transaction."""

    tellings: tuple[Telling, ...] = ()  # to be added; what is taken back has negative times
    size: int = 0  # bytes that all events of the table take, with these
    notes: Mapping[str, int] | None = None  # read for the decision, by place: no more may be there

    @property
    def unchanged(self) -> bool:
        """Whether all is as before but for how far the table has gone."""
        return (
            self.members is None and not self.renewed and not self.tellings and self.notes is None
        )


class Head(Value, frozen=True):
    """How far a table's log goes, and the short code that is typed to find the table."""

    version: int  # of the last event on disk; the table in memory may be behind it
    code: str
    size: int = 0  # bytes that its events take


class StandingTable(Value, frozen=True):
    """A table of a café: its code lasts, and who plays there changes."""

    number: int
    key: str  # hash of the key in its link
    code: str  # unique among these
    table_id: str | None = None  # where they play there now, or played last


class EventLog(Protocol):
    """What a store does. Times are seconds since the epoch; `StorageError` where it cannot."""

    def append(
        self, table_id: str, rows: Sequence[Row], index: Index, rewritten: Sequence[Row] = ()
    ) -> bool:
        """Adds the rows, all or none; returns when they are safe on disk.

        `rewritten`: older rows as they are from now on, in the same step; what they had instead is
        gone from the disk for good.

        False if the table is not at the version before the first row's (somebody was faster, or
        it is gone; or, for a first row, it is there already; or a new short code is taken).
        """

    def ping(self) -> None:
        """`StorageError` where it cannot be asked, or takes nothing more."""

    def head(self, table_id: str) -> Head | None:
        """None if there is no such table."""

    def read(self, table_id: str, *, up_to: int, after: int = 0) -> list[Row]:
        """The rows with versions `after` + 1 to `up_to`, in order; none if there is no such table.

        The caller says how far to read: while an append is under way, the disk is ahead of the
        table in memory, and a row may hold what is still secret by the older state. A caller that
        has decided by the state of a `Table` reads up to its version. `StorageError` where rows are
        missing.
        """

    def count(self) -> int:
        """How many tables there are."""

    def by_join(self, join: str) -> str | None: ...

    def by_code(self, code: str) -> str | None: ...

    def tables_of(
        self, device: Device, *, most: int | None = None, hosts: bool = False
    ) -> list[str]:
        """Ids, newest used first, `most` of them at most; with `hosts` only those that it hosts."""

    def size_of(self, row: Row) -> int:
        """Bytes of the disk, about; it tells no more of what is secret than what lies there."""

    def hosted_size(self, device: Device) -> int:
        """Bytes that all tables take which this device hosts."""

    def used(self) -> int:
        """Bytes that everything takes."""

    def standing(self) -> list[StandingTable]:
        """The tables of a café, in the order of their numbers."""

    def standing_by(self, *, key: str = "", code: str = "") -> StandingTable | None:
        """The one with this hash of a key, or this code."""

    def add_standing(self, one: StandingTable) -> bool:
        """False if its number, key or code is taken."""

    def move_standing(self, number: int, before: str | None, after: str | None) -> bool:
        """They play there at another table now, or at none; False if it was not the one of
        `before`."""

    def renew_standing(self, one: StandingTable, before: str) -> bool:
        """Its key and code are those of `one` now, and nobody plays there; False if its key was not
        `before`, or these are taken."""

    def tellings(self, game: str) -> list[Telling]:
        """Of all tables, those that are gone too."""

    def delete(self, table_id: str, version: int | None = None) -> bool:
        """Everything of the table; False if there was nothing, or it is not at this version."""

    def delete_unused(self, before: float, spared: Collection[str] = ()) -> list[str]:
        """Deletes every table last used before then but the spared ones; their ids. Some
        may be left for another time."""

    def used_between(self, since: float, now: float) -> None:
        """Tables that were last used at no such time count as used now."""

    def purged_at(self) -> float | None:
        """What `set_purged_at` was last given; None before."""

    def set_purged_at(self, at: float) -> None: ...

    def close(self) -> None: ...
