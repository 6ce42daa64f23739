"""What a device can ask of a table. The device itself is passed beside the command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.tables.model import Device, SeatId
from companion.values import Value


class Open(Value, frozen=True):
    """Make a table; the device becomes its host."""

    game: str
    edition: str
    way: str
    language: str


class Join(Value, frozen=True):
    """Take one more seat; a shared phone does so again and again."""

    name: str


class AddSeat(Value, frozen=True):
    """Host: a seat on the host's own device."""

    name: str


class RemoveSeat(Value, frozen=True):
    """Host, or the device that holds the seat (which leaves it so). A game keeps its players: only
    who waits for the next one can go while it is on."""

    seat: SeatId


class RenameSeat(Value, frozen=True):
    """Host, or the device that holds the seat; at any time."""

    seat: SeatId
    name: str


class TakeNameOut(Value, frozen=True):
    """The device that holds the seat, when no game is on: its names are gone for good, from all
    games of the table, and so are those of the seats that this device has given up."""

    seat: SeatId
    word: str
    """For a player, before the number of the seat that is the name from now on."""


class OrderSeats(Value, frozen=True):
    """Host: every seat once, clockwise. In a game where the order counts for what is shared out,
    while the game lets it be put right."""

    order: tuple[SeatId, ...]


class Configure(Value, frozen=True):
    """Host. None leaves a setting as it is; the edition is fixed during a game."""

    edition: str | None = None
    way: str | None = None
    language: str | None = None


class SetWifi(Value, frozen=True):
    name: str
    password: str


class ClearWifi(Value, frozen=True):
    pass


class RenewLink(Value, frozen=True):
    """Host: another join link and another code; whoever has the old ones comes in no more."""


class JoinPeople(Value, frozen=True):
    """Host: who had these seats, in the games that are over, was one person."""

    seat: SeatId
    same: SeatId


class PartPeople(Value, frozen=True):
    """Host: the one who had this seat was joined with others by mistake."""

    seat: SeatId


class Start(Value, frozen=True):
    """Host. Draws what the game needs and deals, in the lobby or after another game: with everybody
    who sits there.

    Without a starter the game names the seat that begins it (`Game.next_starter`). If that seat is
    gone, or there was no game before, the first seat begins.
    """

    starter: SeatId | None = None
    lot: bool = False  # whoever the lot falls on


class Look(Value, frozen=True):
    """Whoever holds the seat has looked at what was dealt. Asking twice is no error."""

    seat: SeatId


class BeginWithout(Value, frozen=True):
    """Host: goes on without the players who have not looked."""


class Play(Value, frozen=True):
    """A play of the game, by fields as in a game record, but with seat ids instead of names.

    ``seat`` plays or reports; None: the first seat of the device (or, for a host without
    a seat, nobody's).
    """

    seat: SeatId | None
    play: Mapping[str, Any]


class ConfirmEnd(Value, frozen=True):
    """Another phone than the one that told the round's end: it is so."""


class StopEnd(Value, frozen=True):
    """Anybody at the table: the round has not ended so."""


class TakeBack(Value, frozen=True):
    """Host: undoes the last play since the deal. In the referee's way its maker may, too."""


class Correct(Value, frozen=True):
    """Puts right a play that was reported wrongly; the later ones stay, if they are still legal.

    The host may, and whoever holds the seat whose play it was.
    """

    wrong: Mapping[str, Any]
    """What should stand where, by the game's own fields."""


class LoadDeck(Value, frozen=True):
    """Host: what is printed on the cards, for the games to come."""

    known: Mapping[str, str] | None  # None: the file was none of ours


class Deal(Value, frozen=True):
    """Host: the next round."""


class Finish(Value, frozen=True):
    """Host: the game ends now, before its time; what was gained until then counts."""


class Count(Value, frozen=True):
    """Host, or who held a seat in the game, when it is over and its last round has been seen: who
    has won."""


class Explain(Value, frozen=True):
    """Host, while no game is on: all see this step of the game's explanation, from 1; None: none
    any more."""

    step: int | None


class FreeSeat(Value, frozen=True):
    """Host: the phone is lost; the seat waits for another."""

    seat: SeatId


class ClaimSeat(Value, frozen=True):
    """Any guest: takes a freed seat; or that of the phone which is `stranded`: it came by an
    address that is gone, and cannot come by it again."""

    seat: SeatId
    stranded: Device | None = None


class TakeSeat(Value, frozen=True):
    """The phone that holds the key or code of an offer takes the seat over. See `offers`."""

    offer: str


class TakeHosting(Value, frozen=True):
    """Any seated device, when the host's has been gone for long enough."""

    host_gone_s: float
    host: Device
    """Whose absence that is: somebody else may have been faster."""


class PassHosting(Value, frozen=True):
    """Host: from now on the phone that holds this seat hosts the table."""

    seat: SeatId


class End(Value, frozen=True):
    """Host: deletes the table with everything in it."""


Judged = (
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
    | Look
    | BeginWithout
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
    | PassHosting
)
"""What `decide` judges."""

Command = Judged | End
"""What `Tables.submit` takes. Opening and taking an offered seat have ways in of their own."""

BY_HOST = (
    AddSeat,
    OrderSeats,
    Configure,
    SetWifi,
    ClearWifi,
    RenewLink,
    JoinPeople,
    PartPeople,
    LoadDeck,
    Explain,
    Start,
    Deal,
    BeginWithout,
    Finish,
    FreeSeat,
    PassHosting,
)
"""Commands that nobody but the host may give."""

BY_GUESTS = (Join, RenameSeat, RemoveSeat, TakeNameOut)
"""Commands that whoever has the link can give without end; see `quota.FOR_GUESTS`."""

NOT_WHILE_AN_END_WAITS = (
    OrderSeats,
    FreeSeat,
    TakeHosting,
    PassHosting,
    Configure,
    RenewLink,
    Play,
    TakeBack,
    Correct,
    Deal,
    Finish,
)
"""Commands that would change what an end that was told is about, or who sees it and has a say."""

ON_SEEN_STATE = (
    OrderSeats,
    Start,
    BeginWithout,
    Play,
    ConfirmEnd,
    StopEnd,
    TakeBack,
    Correct,
    Deal,
    Finish,
)
"""Commands that are refused when the page they come from has overlooked a change."""
