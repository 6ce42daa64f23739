"""What happened at a table, as its log keeps it. Events carry outcomes; folding needs no chance.

Secrets are in `WifiSet`, in all ``shuffles`` and in whatever is `Plain`: the game's own events,
which are kept as plain JSON (see `codec`).
"""

from __future__ import annotations

from typing import Final, get_args

from companion.games.game import Rejection
from companion.record.fair import Seals, Shares
from companion.tables.codec import Plain
from companion.tables.model import Device, SeatId, SeatPairs
from companion.values import Value


class Opened(Value, frozen=True):
    game: str
    edition: str
    way: str
    language: str


class SeatTaken(Value, frozen=True):
    seat: SeatId
    name: str
    device: Device


class SeatRemoved(Value, frozen=True):
    seat: SeatId


class SeatRenamed(Value, frozen=True):
    seat: SeatId
    name: str


class NamesTakenOut(Value, frozen=True):
    """What these seats were called is in no event any more: the older ones were written anew, with
    the names that are here."""

    names: tuple[tuple[SeatId, str], ...]
    """By the ids of the seats."""


class SeatsOrdered(Value, frozen=True):
    order: tuple[SeatId, ...]
    events: Plain = ()
    """Of the game that is on, where its players change places."""


class SeatFreed(Value, frozen=True):
    seat: SeatId


class SeatMoved(Value, frozen=True):
    seat: SeatId
    device: Device


class HostMoved(Value, frozen=True):
    device: Device


class Configured(Value, frozen=True):
    edition: str
    way: str
    language: str


class WifiSet(Value, frozen=True):
    name: str
    password: str


class WifiCleared(Value, frozen=True):
    pass


class LinkRenewed(Value, frozen=True):
    """The join key and the code are others now."""


class WentOn(Value, frozen=True):
    """They play another game at another table of this program, or have come back from there."""

    table: str
    """Its id; this one's own, where they are back."""
    game: str


class Gathered(Value, frozen=True):
    """They have come from another table of this program, each to a seat of their own here."""

    table: str
    """Id of the table that they come from."""
    seats: SeatPairs
    """Here, and there."""
    screens: tuple[Device, ...] = ()
    """That may be the table's screen there."""


class PeopleJoined(Value, frozen=True):
    """Who had these two seats was one person; ids of seats that there are or have been."""

    seat: SeatId
    same: SeatId


class PeopleParted(Value, frozen=True):
    """Nobody else was the one who had this seat, or whom it was joined with."""

    seat: SeatId


class SealsFixed(Value, frozen=True):
    """A deal has begun: these numbers count, if they are opened in time."""

    starter: SeatId | None
    """Id of the seat that begins a new game; None: another round is dealt."""
    seals: tuple[Seals, ...]
    """For each deal to come now (of a game, what is drawn once, and its first round; or the next
    round), in the order of the players."""


class GameStarted(Value, frozen=True):
    starter: SeatId
    """Id of the seat that begins."""
    shuffles: tuple[tuple[int, ...], ...]
    """Each shuffle that the game asked for, as the old place of every item."""
    shares: Shares | None = None
    """What the phones added to what is drawn once; None: it cannot be proved."""
    seals: Seals | None = None
    """What they had sealed before; None: they sent it unsealed, to an older program."""
    known: tuple[tuple[str, str], ...] = ()
    """What was told in other games of what is printed on the cards."""


class DeckLoaded(Value, frozen=True):
    """What is printed on the cards of this table's deck, from a file."""

    known: tuple[tuple[str, str], ...]


class Dealt(Value, frozen=True):
    events: Plain
    shares: Shares | None = None
    """What the phones added to this deal; None: it cannot be proved."""
    seals: Seals | None = None


class Looked(Value, frozen=True):
    seat: SeatId


class BegunWithout(Value, frozen=True):
    """The host went on without the players who had not looked."""


class Played(Value, frozen=True):
    seat: SeatId | None
    events: Plain


class EndTold(Value, frozen=True):
    """Somebody has said how the round or the game ended; it has not ended yet (see `ending`)."""

    seat: SeatId | None
    events: Plain
    """What `Played` will have."""


class EndStopped(Value, frozen=True):
    """It was not so: the round goes on."""


class Corrected(Value, frozen=True):
    """The last plays as they should have been reported."""

    step: int
    """Which of the plays since the deal is the first that differs, from 0."""
    events: tuple[Plain, ...]
    """Of that play, and of each one since."""


class Counted(Value, frozen=True):
    """All have seen how the last round ended; now they see who has won the game."""


class Explained(Value, frozen=True):
    """All see this step of the game's explanation, from 1; None: none any more. It is an event, so
    that it comes to every phone as a play does, once and in order, and outlives the program."""

    step: int | None


class TakenBack(Value, frozen=True):
    version: int
    """That the play taken back had led to: the last one always, so nothing is folded by it."""
    shuffles: tuple[tuple[int, ...], ...] = ()
    """What was left to be drawn, drawn anew: some of it had been seen at the round's end."""


Event = (
    Opened
    | SeatTaken
    | SeatRemoved
    | SeatRenamed
    | NamesTakenOut
    | SeatsOrdered
    | SeatFreed
    | SeatMoved
    | HostMoved
    | Configured
    | WifiSet
    | WifiCleared
    | LinkRenewed
    | WentOn
    | Gathered
    | PeopleJoined
    | PeopleParted
    | SealsFixed
    | GameStarted
    | DeckLoaded
    | Dealt
    | Looked
    | BegunWithout
    | Played
    | EndTold
    | EndStopped
    | Corrected
    | Counted
    | Explained
    | TakenBack
)

Answer = tuple[Event, ...] | Rejection
"""To a command: what follows, or the one reason why nothing does. No events are an answer too: the
table already is as the command asks."""

EVENTS: Final[dict[str, type[Event]]] = {event.__name__: event for event in get_args(Event)}
"""By the names under which they are stored."""

MAKES_PAGES_STALE = (
    SeatRemoved,
    SeatsOrdered,
    Configured,
    GameStarted,
    Dealt,
    Played,
    Corrected,
    TakenBack,
    EndTold,
)
"""Events that make a page stale. Joining, looking and changing phones are not among them, nor is
that a seat is gone which only waited for the next game (see `evolve`)."""

IGNORED_BY_ORDER_FREE_PLAYS = (Played, Corrected, TakenBack)
"""Those of them that order-independent plays ignore."""

BY_WHO_PLAYS = (
    GameStarted,
    Dealt,
    Looked,
    BegunWithout,
    Played,
    EndTold,
    EndStopped,
    Corrected,
    Counted,
    TakenBack,
)
"""Events by which a game goes on: also one device that all share brings them about.
What is about seats, links, settings and the explanation of the rules is not among them."""
