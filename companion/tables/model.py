"""What a table is: its seats, its settings, the commands it is given and the events it keeps.

A table is one group's sitting. Commands are imperative and may be refused; events are past tense
and carry the outcome, so that folding the log needs neither chance nor clock. A device is known
only by the SHA-256 of its cookie's key, in hexadecimal (``Device``); nothing here can be used to
act in its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Device = str

NAME_MAX = 24
"""Code points of a seat's name: the record's limit."""


@dataclass(frozen=True, slots=True)
class Wifi:
    """The network that guests need first; shown as a second QR code."""

    name: str
    password: str  # empty: an open network


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place. ``id`` is given once and never again at this table."""

    id: int
    name: str
    device: Device | None  # None: freed by the host, waiting for a phone
    moves: int = 0  # how often the seat went to another phone during its life


@dataclass(frozen=True, slots=True)
class Step:
    """The game as it was before a play, so that the play can be taken back."""

    version: int  # of the table, that the play led to
    by: Device
    before: Any  # the game's own state
    began: bool


@dataclass(frozen=True, slots=True)
class Table:
    """The fold of a table's log."""

    id: str
    version: int  # of the last event; the first event makes it 1
    changed: int  # version of the last event that a stale page must not overlook
    game: str  # a name in the registry of games
    edition: str
    way: str  # "roles" (roles and gold) or "referee"
    language: str  # of the table: for guests whose own is not spoken here
    host: Device
    seats: tuple[Seat, ...]  # clockwise
    next_seat: int
    wifi: Wifi | None
    play: Any | None  # the game's own state; None in the lobby
    starter: int | None  # id of the seat that begins the game
    looked: frozenset[int]  # ids of the seats that have looked at what was dealt last
    began: bool  # everybody has looked (or the host went on without)
    steps: tuple[Step, ...]  # since the last deal, newest last
    moved: tuple[int, int] | None  # (seat id, version) of the last seat that changed phones
    host_moved: int  # version at which the hosting was last taken over; 0: never
    games: int  # finished games at this table
    opened_at: float  # seconds since the epoch
    used_at: float  # seconds since the epoch
    ended: bool
