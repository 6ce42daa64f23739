"""What the Game of Trains is made of: its state, the plays, and the events that they bring about.

Everything is immutable and made of plain numbers, texts and tuples, so that states can be compared
and events written down. Seats are numbers from 0, clockwise. Plays say what somebody wants to
do; events say what has happened.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, get_args

from companion.games.trains.rules.abilities import PLACES, WAGONS, Row

DEAL: Final = "deal"
DRAFT: Final = "draft"
TURN: Final = "turn"
REFILL: Final = "refill"
OVER: Final = "over"

NO_LOCKS: Final[Row] = (0,) * len(PLACES)
NOTHING_KNOWN: Final[tuple[str | None, ...]] = (None,) * (WAGONS.stop)


@dataclass(frozen=True, slots=True)
class State:
    """A game between two plays."""

    phase: str
    starter: int
    player: int
    """The seat whose turn it is, in the opening draft too; all through the refills the seat that
    used the removal."""
    rows: tuple[Row, ...]
    """A seat's wagons from left to right; empty before its deal, with 0 for a gap."""
    locks: tuple[Row, ...]
    """A seat's protect cards: the number of the one under each place, 0 for none."""
    market: tuple[tuple[str, int], ...]
    """The face-up wagons beside the pile, (ability, number), sorted."""
    known: tuple[str | None, ...]
    """What ability a wagon of this number has, as far as the referee has been told in this game."""
    given: tuple[str | None, ...]
    """The same, as it was told in other games: so nobody is asked, but who says otherwise is
    believed."""
    owed: tuple[tuple[int, int], ...]
    """(seat, removed wagon) of everybody with a gap, in the order in which they fill them; those
    that a win has left open stay here."""
    winner: int | None
    light: bool = False
    """No play is reported, only whose turn is over: nobody's row is known."""

    def ability(self, wagon: int) -> str | None:
        """What a wagon can do, as far as anybody has told."""
        return self.known[wagon] or self.given[wagon]

    @property
    def turn(self) -> int | None:
        """The seat that acts next; None until all are dealt, and when the game is over."""
        if self.phase in (DEAL, OVER):
            return None
        return self.owed[0][0] if self.owed else self.player


# Plays


@dataclass(frozen=True, slots=True)
class Deal:
    """Say which seven wagons a seat begins with, in descending order (“Ettevalmistus mänguks”)."""

    by: int
    row: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """Put the wagon kept in the opening draft in place of one of the row."""

    by: int
    wagon: int
    place: int
    ability: str | None = None
    """Of the wagon that leaves the row; None if the referee knows it already."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Put the top wagon in place of one of the row, as a turn (“Tegevused”, 1)."""

    by: int
    wagon: int
    place: int
    ability: str | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """Use an ability of the market, as a turn (“Tegevused”, 2)."""

    by: int
    ability: str
    place: int | None = None
    """As `abilities.REACH` has it; removals have none."""


@dataclass(frozen=True, slots=True)
class Refill:
    """Put the wagon drawn into the gap that a removal has left."""

    by: int
    wagon: int
    ability: str | None = None
    """Of the wagon that was removed."""


@dataclass(frozen=True, slots=True)
class Next:
    """Light way: the turn is over, or the gap is filled."""

    by: int


@dataclass(frozen=True, slots=True)
class Gaps:
    """Light way: these seats have lost a wagon by a removal."""

    by: int
    lost: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """Light way: a row has risen, and this is it."""

    by: int
    row: tuple[int, ...]


LightPlay = Next | Gaps | Claim
Play = Deal | Draft | Draw | Use | Refill


# Events


@dataclass(frozen=True, slots=True)
class RowDealt:
    seat: int
    row: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WagonDrafted:
    seat: int
    wagon: int
    place: int
    replaced: int


@dataclass(frozen=True, slots=True)
class WagonDrawn:
    seat: int
    wagon: int
    place: int
    replaced: int


@dataclass(frozen=True, slots=True)
class GapFilled:
    seat: int
    wagon: int
    place: int
    removed: int


@dataclass(frozen=True, slots=True)
class MarketGrew:
    """A wagon that left a row now lies in the market for its ability."""

    wagon: int
    ability: str


@dataclass(frozen=True, slots=True)
class PairDiscarded:
    """A wagon that left a row met its ability in the market: both have been discarded."""

    wagon: int
    ability: str
    other: int
    """The one that lay there."""


@dataclass(frozen=True, slots=True)
class WagonsSwapped:
    seat: int
    ability: str
    card: int
    """The wagon that was in the market for its ability, discarded now."""
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class WagonMoved:
    seat: int
    ability: str
    card: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class WagonsRemoved:
    seat: int
    ability: str
    card: int
    place: int
    removed: tuple[tuple[int, int], ...]
    """(seat, wagon) for each seat that lost one, in the order of the refills."""


@dataclass(frozen=True, slots=True)
class WagonProtected:
    seat: int
    ability: str
    card: int
    """The wagon that lies under the row now, only its lock to be seen."""
    place: int


@dataclass(frozen=True, slots=True)
class ProtectionLost:
    seat: int
    place: int
    card: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    seat: int


@dataclass(frozen=True, slots=True)
class GapsOpened:
    seat: int
    lost: tuple[int, ...]
    """In the order in which they draw."""


@dataclass(frozen=True, slots=True)
class RowShown:
    seat: int
    row: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class GameWon:
    seat: int


@dataclass(frozen=True, slots=True)
class GameGivenUp:
    """It ends before its time, and nobody wins."""


Event = (
    RowDealt
    | WagonDrafted
    | WagonDrawn
    | GapFilled
    | MarketGrew
    | PairDiscarded
    | WagonsSwapped
    | WagonMoved
    | WagonsRemoved
    | WagonProtected
    | ProtectionLost
    | TurnEnded
    | GapsOpened
    | RowShown
    | GameWon
    | GameGivenUp
)

EVENTS: Final[dict[str, type[Event]]] = {event.__name__: event for event in get_args(Event)}
"""By the names under which they are stored."""
