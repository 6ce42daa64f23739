"""What a device can ask of a table. The device itself is passed beside the command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from companion.tables.model import Device, SeatId, Table
from companion.values import Value


class Asked(Value, frozen=True):
    """What `decide` judges, and in what it differs from most."""

    by_host: ClassVar[bool] = False
    """Nobody but the host may give it."""
    by_guests: ClassVar[bool] = False
    """Whoever has the link can give it without end; see `quota.FOR_GUESTS`."""
    not_while_an_end_waits: ClassVar[bool] = False
    """It would change what an end that was told is about, or who sees it and has a say."""
    on_seen_state: ClassVar[bool] = False
    """It is refused when the page it comes from has overlooked a change."""


class Open(Value, frozen=True):
    """Make a table; the device becomes its host."""

    game: str
    edition: str
    way: str
    language: str


class Join(Asked, frozen=True):
    """Take one more seat; a shared phone does so again and again."""

    by_guests = True

    name: str


class AddSeat(Asked, frozen=True):
    """Host: a seat on the host's own device."""

    by_host = True

    name: str


class RemoveSeat(Asked, frozen=True):
    """Host, or the device that holds the seat (which leaves it so). A game keeps its players: only
    who waits for the next one can go while it is on."""

    by_guests = True

    seat: SeatId


class RenameSeat(Asked, frozen=True):
    """Host, or the device that holds the seat; not while an end waits that names somebody."""

    by_guests = True
    not_while_an_end_waits = True

    seat: SeatId
    name: str


class TakeNameOut(Asked, frozen=True):
    """The device that holds the seat, when no game is on: its names are gone for good, from all
    games of the table, and so are those of the seats that this device has given up."""

    by_guests = True

    seat: SeatId
    word: str
    """For a player, before the number of the seat that is the name from now on."""


class OrderSeats(Asked, frozen=True):
    """Host: every seat once, clockwise. In a game where the order counts for what is shared out,
    while the game lets it be put right."""

    by_host = True
    not_while_an_end_waits = True
    on_seen_state = True

    order: tuple[SeatId, ...]


class Configure(Asked, frozen=True):
    """Host. None leaves a setting as it is; the edition is fixed during a game."""

    by_host = True
    not_while_an_end_waits = True

    edition: str | None = None
    way: str | None = None
    language: str | None = None


class SetWifi(Asked, frozen=True):
    by_host = True

    name: str
    password: str


class ClearWifi(Asked, frozen=True):
    by_host = True


class RenewLink(Asked, frozen=True):
    """Host: another join link and another code; whoever has the old ones comes in no more."""

    by_host = True
    not_while_an_end_waits = True


class GoOn(Asked, frozen=True):
    """Host: they play another game, at a table that the host has opened, or are back from there;
    see `next_table`."""

    by_host = True

    table: str
    """Its id."""
    game: str


class Gather(Asked, frozen=True):
    """Whoever sits at the other table sits here as they do there. Only from `next_table`, which has
    seen that the device may say so."""

    others: Table
    """The other table, as it is now."""


class JoinPeople(Asked, frozen=True):
    """Host: who had these seats, in the games that are over, was one person."""

    by_host = True

    seat: SeatId
    same: SeatId


class PartPeople(Asked, frozen=True):
    """Host: the one who had this seat was joined with others by mistake."""

    by_host = True

    seat: SeatId


class Start(Asked, frozen=True):
    """Host. Draws what the game needs and deals, in the lobby or after another game: with everybody
    who sits there.

    Without a starter the game names the seat that begins it (`Game.next_starter`). If that seat is
    gone, or there was no game before, the first seat begins.
    """

    by_host = True
    on_seen_state = True

    starter: SeatId | None = None
    lot: bool = False  # whoever the lot falls on


class Look(Asked, frozen=True):
    """Whoever holds the seat has looked at what was dealt. Asking twice is no error."""

    seat: SeatId


class BeginWithout(Asked, frozen=True):
    """Host: goes on without the players who have not looked."""

    by_host = True
    on_seen_state = True


class Play(Asked, frozen=True):
    """A play of the game, by fields as in a game record, but with seat ids instead of names.

    ``seat`` plays or reports; None: the first seat of the device (or, for a host without
    a seat, nobody's).
    """

    not_while_an_end_waits = True
    on_seen_state = True

    seat: SeatId | None
    play: Mapping[str, Any]


class ConfirmEnd(Asked, frozen=True):
    """Another phone than the one that told the round's end: it is so."""

    on_seen_state = True


class StopEnd(Asked, frozen=True):
    """Anybody at the table: the round has not ended so."""

    on_seen_state = True


class TakeBack(Asked, frozen=True):
    """Host: undoes the last play since the deal. In the referee's way its maker may, too."""

    not_while_an_end_waits = True
    on_seen_state = True


class Correct(Asked, frozen=True):
    """Puts right a play that was reported wrongly; the later ones stay, if they are still legal.

    The host may, and whoever holds the seat whose play it was.
    """

    not_while_an_end_waits = True
    on_seen_state = True

    wrong: Mapping[str, Any]
    """What should stand where, by the game's own fields."""


class LoadDeck(Asked, frozen=True):
    """Host: what is printed on the cards, for the games to come."""

    by_host = True

    known: Mapping[str, str] | None  # None: the file was none of ours


class Deal(Asked, frozen=True):
    """Host: the next round."""

    by_host = True
    not_while_an_end_waits = True
    on_seen_state = True


class Finish(Asked, frozen=True):
    """Host: the game ends now, before its time; whether what was gained until then counts is for
    the game to say."""

    by_host = True
    not_while_an_end_waits = True
    on_seen_state = True


class Count(Asked, frozen=True):
    """Host, or who held a seat in the game, when it is over and its last round has been seen: who
    has won."""


class Explain(Asked, frozen=True):
    """Host, while no game is on: all see this step of the game's explanation, from 1; None: none
    any more."""

    by_host = True

    step: int | None


class FreeSeat(Asked, frozen=True):
    """Host: the phone is lost; the seat waits for another."""

    by_host = True
    not_while_an_end_waits = True

    seat: SeatId


class ClaimSeat(Asked, frozen=True):
    """Any guest: takes a freed seat; or that of the phone which is `stranded`: it came by an
    address that is gone, and cannot come by it again."""

    seat: SeatId
    stranded: Device | None = None


class OfferSeat(Value, frozen=True):
    """The device that holds the seat, or the host where nobody does: another may take it. See
    `seat_offers`."""

    seat: SeatId


class OfferScreen(Value, frozen=True):
    """Who hosts or has a seat: a laptop may become a screen of the table."""


class TakeSeat(Value, frozen=True):
    """The phone that holds the key or code of an offer takes the seat over. See `offers`."""

    offer: str


class TakeHosting(Asked, frozen=True):
    """Any seated device, when the host's has been gone for long enough."""

    not_while_an_end_waits = True

    host_gone_s: float
    host: Device
    """Whose absence that is: somebody else may have been faster."""


class PassHosting(Asked, frozen=True):
    """Host: from now on the phone that holds this seat hosts the table."""

    by_host = True
    not_while_an_end_waits = True

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
    | GoOn
    | Gather
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
"""What `Tables.submit` takes. Opening, offering and taking what was offered have ways in of
their own."""
