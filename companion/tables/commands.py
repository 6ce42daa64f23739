"""What a device can ask of a table. The device itself is passed beside the command."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Open:
    """Make a table; the device becomes its host."""

    game: str
    edition: str
    way: str
    language: str


@dataclass(frozen=True, slots=True)
class Join:
    """Take one more seat; a shared phone does so again and again."""

    name: str


@dataclass(frozen=True, slots=True)
class AddSeat:
    """Host: a seat on the host's own device."""

    name: str


@dataclass(frozen=True, slots=True)
class RemoveSeat:
    """Host, or the device that holds the seat (which leaves it so). A game keeps its players: only
    who waits for the next one can go while it is on."""

    seat: int


@dataclass(frozen=True, slots=True)
class RenameSeat:
    """Host, or the device that holds the seat; at any time."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class TakeNameOut:
    """The device that holds the seat, when no game is on: its names are gone for good, from all
    games of the table, and so are those of the seats that this device has given up."""

    seat: int
    word: str
    """For a player, before the number of the seat that is the name from now on."""


@dataclass(frozen=True, slots=True)
class OrderSeats:
    """Host: every seat once, clockwise. In a game where the order counts for what is shared out,
    while the game lets it be put right."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Configure:
    """Host. None leaves a setting as it is; the edition is fixed during a game."""

    edition: str | None = None
    way: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class SetWifi:
    name: str
    password: str


@dataclass(frozen=True, slots=True)
class ClearWifi:
    pass


@dataclass(frozen=True, slots=True)
class RenewLink:
    """Host: another join link and another code; whoever has the old ones comes in no more."""


@dataclass(frozen=True, slots=True)
class JoinPeople:
    """Host: who had these seats, in the games that are over, was one person."""

    seat: int
    same: int


@dataclass(frozen=True, slots=True)
class PartPeople:
    """Host: the one who had this seat was joined with others by mistake."""

    seat: int


@dataclass(frozen=True, slots=True)
class Start:
    """Host. Draws what the game needs and deals; without a starter the first seat begins."""

    starter: int | None = None
    lot: bool = False  # whoever the lot falls on


@dataclass(frozen=True, slots=True)
class NewGame:
    """Host, after a game: another game with everybody who sits there, dealt at once.

    The game names the seat that begins it (`Game.next_starter`). If that seat is gone, the
    first seat begins.
    """


@dataclass(frozen=True, slots=True)
class Look:
    """Whoever holds the seat has looked at what was dealt. Asking twice is no error."""

    seat: int


@dataclass(frozen=True, slots=True)
class Begin:
    """Host: goes on without the players who have not looked."""


@dataclass(frozen=True, slots=True)
class Play:
    """A play of the game, by fields as in a game record, but with seat ids instead of names.

    ``seat`` plays or reports; None: the first seat of the device (or, for a host without
    a seat, nobody's).
    """

    seat: int | None
    play: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ConfirmEnd:
    """Another phone than the one that told the round's end: it is so."""


@dataclass(frozen=True, slots=True)
class StopEnd:
    """Anybody at the table: the round has not ended so."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Host: undoes the last play since the deal. In the referee's way its maker may, too."""


@dataclass(frozen=True, slots=True)
class Correct:
    """Puts right a play that was reported wrongly; the later ones stay, if they are still legal.

    The host may, and whoever holds the seat whose play it was.
    """

    wrong: Mapping[str, Any]
    """What should stand where, by the game's own fields."""


@dataclass(frozen=True, slots=True)
class LoadDeck:
    """Host: what is printed on the cards, for the games to come."""

    known: Mapping[str, str] | None  # None: the file was none of ours


@dataclass(frozen=True, slots=True)
class Deal:
    """Host: the next round."""


@dataclass(frozen=True, slots=True)
class Finish:
    """Host: the game ends now, before its time; what was gained until then counts."""


@dataclass(frozen=True, slots=True)
class Count:
    """Anybody at the table, when the game is over and its last round has been seen: who has won."""


@dataclass(frozen=True, slots=True)
class Explain:
    """Host, while no game is on: all see this step of the game's explanation, from 1; None: none
    any more."""

    step: int | None


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """Host: the phone is lost; the seat waits for another."""

    seat: int


@dataclass(frozen=True, slots=True)
class ClaimSeat:
    """Any guest: takes a freed seat. `stranded`: the phone that holds it came by an address that is
    gone, and cannot come by it again."""

    seat: int
    stranded: bool = False


@dataclass(frozen=True, slots=True)
class TakeSeat:
    """The phone that holds the key or code of an offer takes the seat over. See `offers`."""

    offer: str


@dataclass(frozen=True, slots=True)
class TakeHosting:
    """Any seated device, when the host's has been gone for long enough."""

    host_gone_s: float


@dataclass(frozen=True, slots=True)
class End:
    """Host: deletes the table with everything in it."""


Command = (
    Join
    | AddSeat
    | RemoveSeat
    | RenameSeat
    | TakeNameOut
    | OrderSeats
    | Configure
    | SetWifi
    | ClearWifi
    | RenewLink
    | JoinPeople
    | PartPeople
    | Start
    | NewGame
    | Look
    | Begin
    | Play
    | ConfirmEnd
    | StopEnd
    | TakeBack
    | Correct
    | LoadDeck
    | Deal
    | Finish
    | Count
    | Explain
    | FreeSeat
    | ClaimSeat
    | TakeHosting
    | End
)
"""What `Tables.submit` takes. Opening and taking an offered seat have ways in of their own."""

ON_SEEN_STATE = (
    OrderSeats,
    Start,
    NewGame,
    Begin,
    Play,
    ConfirmEnd,
    StopEnd,
    TakeBack,
    Correct,
    Deal,
    Finish,
)
"""Commands that are refused when the page they come from has overlooked a change."""
