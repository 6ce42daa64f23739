"""What a page may know of a Game of Trains: everything, since it all lies open on the table.

What differs from phone to phone is only whom it may report for (`Mine`). What sheets know is in
`sheet_views`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from companion.games.trains.rules.abilities import Ability
from companion.games.trains.rules.model import DRAFT, OVER, REFILL, TURN, PairDiscarded, Phase
from companion.values import Value

if TYPE_CHECKING:
    from companion.web.view.models import Doer, SeatName, SeatView, ToldEvent


PANELS, LAYOUTS, SHEETS = "games/trains/panels", "games/trains/layouts", "games/trains/sheets"

PutName = Literal["draft", "draw", "refill"]

PUTS: dict[Phase, PutName] = {DRAFT: "draft", TURN: "draw", REFILL: "refill"}
"""By the phase of the game, the play that puts a drawn wagon into a row."""


class Wagon(Value, frozen=True):
    """One place of a row."""

    place: int  # 1 (left) to 7
    number: int | None  # None: a gap
    joined: bool  # the next one has a higher number: a lit coupling
    protected: bool
    known: bool  # what it can do need not be asked when it leaves the row


class Train(Value, frozen=True):
    """A player's row."""

    seat: SeatName
    wagons: tuple[Wagon, ...]  # empty before the deal
    out_of_order: int | None  # wagons that keep it from ascending; None before the deal
    astray: int | None  # that wagon, where it is one alone
    turn: bool
    locks: tuple[int, ...]  # numbers of the cards that protect wagons of it
    removed: int | None  # the wagon that was taken out, while its gap is open


class MarketCard(Value, frozen=True):
    """A face-up card beside the pile."""

    ability: Ability
    number: int
    fresh: bool


class Call(Value, frozen=True):
    """Where a card goes after the last play: what the hands do now. After one that was taken back
    nothing: the play before it has been carried out."""

    what: Literal["up", "pair", "spent", "lock", "under", "rest"]
    card: int = 0
    other: int = 0  # of a pair; the wagon that a lock lies under
    name: str = ""  # of the player under whose row a lock lay
    count: int = 0  # of cards, for "rest"


class Amended(Value, frozen=True):
    """A play that has just been taken back or put right."""

    play: ToldEvent
    by: Doer | None  # None: whose play it was, or nobody known
    numbers: tuple[int, ...] = ()  # of a wagon: as it was reported, and as it is
    back: tuple[int, ...] = ()  # cards that lie face up by it, and were discarded before
    away: tuple[int, ...] = ()  # that are discarded by it


class PublicGame(Value, frozen=True):
    """A game as everybody sees it; made for nobody in particular."""

    game: int  # at this table, from 1: what is half typed belongs to one of them
    version: int  # that the last play led to; and to one of these
    stage: Phase
    trains: tuple[Train, ...]  # clockwise
    turn: SeatName | None  # who acts next; None in the deal and when the game is over
    missing: tuple[SeatName, ...]  # have no row yet
    market: tuple[MarketCard, ...]
    draws: int | None  # cards drawn in the opening draft, to keep one
    drafts: tuple[tuple[str, int], ...]  # the same of everybody by name, from the starter on
    removed: int | None  # the wagon whose gap is to be filled now
    plays: tuple[tuple[ToldEvent, ...], ...]  # the last few, newest first; what followed of each
    calls: tuple[Call, ...]
    called: str  # name of whoever made the last play: theirs to do
    undone: Amended | None
    corrected: Amended | None
    starter: SeatName
    winner: SeatName | None
    wins: tuple[tuple[str, int], ...]  # at this table, by name of the player, most first
    finished: tuple[tuple[int, str], ...]
    """Games before the last one that can be watched: number and winner; "": given up."""

    @property
    def over(self) -> bool:
        return self.stage == OVER

    @property
    def last(self) -> tuple[ToldEvent, ...]:
        return self.plays[0] if self.plays else ()

    @property
    def last_in_sight(self) -> tuple[ToldEvent, ...]:
        """Without what is called beside it."""
        called = PairDiscarded if self.calls and not self.over else ()
        return tuple(each for each in self.last if not isinstance(each.event, called))

    @property
    def removals(self) -> tuple[tuple[str, int], ...]:
        """Of the rows with a gap, in the order in which they are filled: whose it is, and the wagon
        that was taken out."""
        first = next((at for at, each in enumerate(self.trains) if each.turn), 0)
        clockwise = (*self.trains[first:], *self.trains[:first])
        return tuple((each.seat.name, each.removed) for each in clockwise if each.removed)

    def train(self, seat: SeatName) -> Train:
        return next(each for each in self.trains if each.seat == seat)


class Acting(Value, frozen=True):
    """What is needed where somebody's turn is reported."""

    version: int  # that the last play led to
    stage: Phase
    actor: SeatName
    train: Train
    draws: int | None
    removed: int | None
    market: bool  # there are face-up cards

    @property
    def play(self) -> PutName:
        """That puts a drawn wagon into the row."""
        return PUTS[self.stage]


class Mine(Value, frozen=True):
    """Whom a device may report for now."""

    turn: bool  # the seat whose turn it is lies on this device
    actor: SeatView | None  # its own seat, or for the host anyone
    dealing: tuple[SeatView, ...]  # have no row yet, and this device may type it; its own first
    can_take_back: bool
    host: bool
    corrects: bool  # something that it reported, or for the host anything, can be corrected
