"""What a game of Saboteur is made of: its state, the players' plays, and the events.

Plays are imperative and may be refused; events are in the past tense, carry the outcome, and may
not be refused. A seat is a player's index here. All fields of plays and events are integers,
texts, tuples of these, or None, so that they can be written down as they are.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from companion.games.fields import PlayerIndex
from companion.games.saboteur.rules.cards import Counts, GoalName, Role, Tool
from companion.games.saboteur.rules.editions import Edition
from companion.games.saboteur.rules.gold import Shares
from companion.games.saboteur.rules.maze import At, Maze
from companion.values import Value


class Round(Value, frozen=True):
    """The round that is being played, or how it stood when it ended."""

    roles: tuple[Role, ...]
    circle: tuple[PlayerIndex, ...]
    """The seats clockwise, as they sit in this round."""
    starter: PlayerIndex
    turn: PlayerIndex
    """The seat that acts next, also where it must turn a goal."""
    pile: int
    """Cards left to draw."""
    hands: tuple[int, ...]
    """Cards in each hand."""
    broken: tuple[int, ...]
    """The bits of each seat's broken tools."""
    maze: Maze
    used: Counts
    """The copies that have been played of each kind of card (see `cards`)."""
    last: PlayerIndex | None
    """The seat that made the last play in this round."""
    passes: int
    """Passes one after another, each begun with the pile empty."""
    reveal: tuple[GoalName, ...]
    """The goals that must be turned before anything else; those to choose from in an edition
    that turns one."""
    told_last: PlayerIndex | None = None
    """The seat that had the last turn, as somebody said when the round was over."""


WonBy = Literal["miners", "saboteurs", "nobody"]

MINERS_WON: Final = "miners"
SABOTEURS_WON: Final = "saboteurs"
NOBODY: Final = "nobody"
"""Has won a round that was broken off."""


class Past(Value, frozen=True):
    """A round that is over."""

    final: Round
    """As it stood at its end."""
    won_by: WonBy
    finisher: PlayerIndex | None
    last: PlayerIndex
    """The seat that had the last turn; or counts as the last one, where nobody knows
    (`last_known`)."""
    gold: Shares

    @property
    def last_known(self) -> bool:
        return self.final.last is not None or self.final.told_last is not None


class State(Value, frozen=True):
    seats: int
    circle: tuple[PlayerIndex, ...]
    """Clockwise, as they sit now; at the game's beginning in the order of their numbers."""
    edition: Edition
    starter: PlayerIndex
    """The seat that starts the present round, or the next one."""
    gold: tuple[int, ...]
    """The gold pile, top first."""
    now: Round | None
    past: tuple[Past, ...]
    over: bool

    @property
    def round(self) -> int:
        """From 1; the one just ended until the next is dealt; 0 before the first."""
        return len(self.past) + (self.now is not None)

    @property
    def totals(self) -> tuple[int, ...]:
        """Nuggets of each seat, from the rounds that are over."""
        return tuple(sum(sum(past.gold[seat]) for past in self.past) for seat in range(self.seats))


# Plays


class Deal(Value, frozen=True):
    roles: tuple[Role, ...]


class Path(Value, frozen=True):
    by: PlayerIndex
    card: str
    at: At
    uncounted: int = 0
    """1: the table has this card though none is left by the counts; the host vouches for it."""


class Reveal(Value, frozen=True):
    by: PlayerIndex
    goal: GoalName
    card: str


class Break(Value, frozen=True):
    by: PlayerIndex
    tool: Tool
    seat: PlayerIndex
    uncounted: int = 0


class Repair(Value, frozen=True):
    by: PlayerIndex
    card: tuple[Tool, ...]
    tool: Tool
    seat: PlayerIndex
    uncounted: int = 0


class Rockfall(Value, frozen=True):
    by: PlayerIndex
    at: At
    uncounted: int = 0


class Map(Value, frozen=True):
    by: PlayerIndex
    goal: GoalName
    uncounted: int = 0


class Pass(Value, frozen=True):
    by: PlayerIndex


class Count(Value, frozen=True):
    """The cards left to draw, as they were counted; nobody's turn."""

    by: PlayerIndex
    pile: int


class Result(Value, frozen=True):
    """How the round ended, by word alone: with a finisher the miners have won."""

    by: PlayerIndex
    finisher: PlayerIndex | None
    last: PlayerIndex | None


class Seats(Value, frozen=True):
    """In which order the players sit; they sat down otherwise than the game has it."""

    order: tuple[PlayerIndex, ...]
    """Clockwise."""


CopyPlay = Path | Break | Repair | Rockfall | Map
"""Plays of a card of which there are so many copies."""

Play = Deal | Seats | CopyPlay | Reveal | Pass | Count | Result


# Events


class Dealt(Value, frozen=True):
    roles: tuple[Role, ...]


class Reseated(Value, frozen=True):
    circle: tuple[PlayerIndex, ...]


class PathPlaced(Value, frozen=True):
    by: PlayerIndex
    card: str
    at: At
    uncounted: int = 0
    """1: no copy was left by the counts, and none is counted."""


class GoalTurned(Value, frozen=True):
    by: PlayerIndex
    goal: GoalName
    card: str


class ToolBroken(Value, frozen=True):
    by: PlayerIndex
    tool: Tool
    seat: PlayerIndex
    uncounted: int = 0


class ToolRepaired(Value, frozen=True):
    by: PlayerIndex
    card: tuple[Tool, ...]
    tool: Tool
    seat: PlayerIndex
    uncounted: int = 0


class RockFell(Value, frozen=True):
    by: PlayerIndex
    at: At
    card: str
    """The card that was taken away, as it lay."""
    uncounted: int = 0


class MapRead(Value, frozen=True):
    by: PlayerIndex
    goal: GoalName
    uncounted: int = 0


class Passed(Value, frozen=True):
    by: PlayerIndex


class PileCounted(Value, frozen=True):
    by: PlayerIndex
    pile: int


class ResultTold(Value, frozen=True):
    by: PlayerIndex
    finisher: PlayerIndex | None
    last: PlayerIndex | None
    """As it was reported; `RoundEnded` holds the seat that counts as the last one."""


class RoundEnded(Value, frozen=True):
    won_by: WonBy
    finisher: PlayerIndex | None
    last: PlayerIndex
    """The seat that had the last turn."""
    gold: Shares
    """The cards that each seat gained, in the order in which it took them."""
    pile: tuple[int, ...]
    """The gold pile as it lies now."""
    starter: PlayerIndex
    """The seat that starts the next round."""


class GameEnded(Value, frozen=True):
    totals: tuple[int, ...]
    """Nuggets of each seat."""
    winners: tuple[PlayerIndex, ...]


Event = (
    Dealt
    | Reseated
    | PathPlaced
    | GoalTurned
    | ToolBroken
    | ToolRepaired
    | RockFell
    | MapRead
    | Passed
    | PileCounted
    | ResultTold
    | RoundEnded
    | GameEnded
)

EVENTS: Final[dict[str, type[Event]]] = {event.__name__: event for event in get_args(Event)}
"""By the names under which they are stored."""
