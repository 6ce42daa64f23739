"""What the Game of Trains is made of: its state, the plays, and the events that they bring about.

Everything is immutable and made of plain numbers, texts and tuples, so that states can be compared
and events written down. Seats are numbers from 0, clockwise. Plays say what somebody wants to
do; events say what has happened.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from companion.games.fields import PlayerIndex, players
from companion.games.trains.rules.abilities import PLACES, WAGONS, Ability, Row
from companion.values import Value

Phase = Literal["deal", "draft", "turn", "refill", "over"]

DEAL: Final = "deal"
DRAFT: Final = "draft"
TURN: Final = "turn"
REFILL: Final = "refill"
OVER: Final = "over"

NO_LOCKS: Final[Row] = (0,) * len(PLACES)
NOTHING_KNOWN: Final[tuple[Ability | None, ...]] = (None,) * WAGONS.stop


class State(Value, frozen=True):
    """A game between two plays."""

    phase: Phase
    starter: PlayerIndex
    player: PlayerIndex
    """The seat whose turn it is, in the opening draft too; all through the refills the seat that
    used the removal."""
    rows: tuple[Row, ...]
    """A seat's wagons from left to right; empty before its deal, with 0 for a gap."""
    locks: tuple[Row, ...]
    """A seat's protect cards: the number of the one under each place, 0 for none."""
    market: tuple[tuple[Ability, int], ...]
    """The face-up wagons beside the pile, (ability, number), sorted."""
    known: tuple[Ability | None, ...]
    """What ability a wagon of this number has, as far as the referee has been told in this game."""
    given: tuple[Ability | None, ...]
    """The same, as it was told in other games: so nobody is asked, but who says otherwise is
    believed."""
    owed: tuple[tuple[PlayerIndex, int], ...]
    """(seat, removed wagon) of everybody with a gap, in the order in which they fill them; those
    that a win has left open stay here."""
    winner: PlayerIndex | None
    light: bool = False
    """Events of the light way have come."""

    def ability(self, wagon: int) -> Ability | None:
        """What a wagon can do, as far as anybody has told."""
        return self.known[wagon] or self.given[wagon]

    @property
    def turn(self) -> PlayerIndex | None:
        """The seat that acts next; None until all are dealt, and when the game is over."""
        return None if self.phase in (DEAL, OVER) else self.acting

    @property
    def acting(self) -> PlayerIndex:
        """The same while the game is on; in the light way, which deals nothing, from the start."""
        return self.owed[0][0] if self.owed else self.player

    @property
    def next_player(self) -> PlayerIndex:
        """Clockwise from whoever is to play."""
        return PlayerIndex((self.player + 1) % len(self.rows))

    def clockwise(self, first: PlayerIndex) -> tuple[PlayerIndex, ...]:
        """All players, beginning with one of them."""
        order = players(len(self.rows))
        return (*order[first:], *order[:first])


# Plays


class Deal(Value, frozen=True):
    """Say which seven wagons a seat begins with, in descending order (“Ettevalmistus mänguks”)."""

    by: PlayerIndex
    row: tuple[int, ...]


class Draft(Value, frozen=True):
    """Put the wagon kept in the opening draft in place of one of the row."""

    by: PlayerIndex
    wagon: int
    place: int
    ability: Ability | None = None
    """Of the wagon that leaves the row; None if the referee knows it already."""


class Draw(Value, frozen=True):
    """Put the top wagon in place of one of the row, as a turn (“Tegevused”, 1)."""

    by: PlayerIndex
    wagon: int
    place: int
    ability: Ability | None = None


class Use(Value, frozen=True):
    """Use an ability of the market, as a turn (“Tegevused”, 2)."""

    by: PlayerIndex
    ability: Ability
    place: int | None = None
    """As `abilities.REACH` has it; removals have none."""


class Refill(Value, frozen=True):
    """Put the wagon drawn into the gap that a removal has left."""

    by: PlayerIndex
    wagon: int
    ability: Ability | None = None
    """Of the wagon that was removed."""


class Next(Value, frozen=True):
    """Light way: the turn is over, or the gap is filled."""

    by: PlayerIndex


class Gaps(Value, frozen=True):
    """Light way: these seats have lost a wagon by a removal."""

    by: PlayerIndex
    lost: tuple[PlayerIndex, ...]


class Claim(Value, frozen=True):
    """Light way: a row has risen, and this is it."""

    by: PlayerIndex
    row: tuple[int, ...]


LightPlay = Next | Gaps | Claim
Put = Draft | Draw | Refill
"""A wagon comes to a row."""

Play = Deal | Put | Use


# Events


class RowDealt(Value, frozen=True):
    seat: PlayerIndex
    row: tuple[int, ...]


class WagonDrafted(Value, frozen=True):
    seat: PlayerIndex
    wagon: int
    place: int
    replaced: int


class WagonDrawn(Value, frozen=True):
    seat: PlayerIndex
    wagon: int
    place: int
    replaced: int


class GapFilled(Value, frozen=True):
    seat: PlayerIndex
    wagon: int
    place: int
    removed: int


class MarketGrew(Value, frozen=True):
    """A wagon that left a row now lies in the market for its ability."""

    wagon: int
    ability: Ability


class PairDiscarded(Value, frozen=True):
    """A wagon that left a row met its ability in the market: both have been discarded."""

    wagon: int
    ability: Ability
    other: int
    """The one that lay there."""


class WagonsSwapped(Value, frozen=True):
    seat: PlayerIndex
    ability: Ability
    card: int
    """The wagon that was in the market for its ability, discarded now."""
    left: int
    right: int


class WagonMoved(Value, frozen=True):
    seat: PlayerIndex
    ability: Ability
    card: int
    start: int
    end: int


class WagonsRemoved(Value, frozen=True):
    seat: PlayerIndex
    ability: Ability
    card: int
    place: int
    removed: tuple[tuple[PlayerIndex, int], ...]
    """(seat, wagon) for each seat that lost one, in the order of the refills."""


class WagonProtected(Value, frozen=True):
    seat: PlayerIndex
    ability: Ability
    card: int
    """The wagon that lies under the row now, only its lock to be seen."""
    place: int


class ProtectionLost(Value, frozen=True):
    seat: PlayerIndex
    place: int
    card: int


class TurnEnded(Value, frozen=True):
    seat: PlayerIndex
    gap: bool = False
    """By filling a gap; events of before do not have it."""


class GapsOpened(Value, frozen=True):
    seat: PlayerIndex
    lost: tuple[PlayerIndex, ...]
    """In the order in which they draw."""


class RowShown(Value, frozen=True):
    seat: PlayerIndex
    row: tuple[int, ...]


class GameWon(Value, frozen=True):
    seat: PlayerIndex


class GameGivenUp(Value, frozen=True):
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
