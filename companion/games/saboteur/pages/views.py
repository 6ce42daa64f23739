"""What a page may know of a round that the referee follows: the maze, the crew, the turn.

An allow-list of frozen values; a hand's size is in them, its cards are not. Those of sheets are in
`sheet_views`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from companion.values import Value
from companion.web.html.panels import View

if TYPE_CHECKING:
    from companion.games.saboteur.rules.cards import Counts, GoalName, Role, Tool
    from companion.games.saboteur.rules.maze import At
    from companion.games.saboteur.rules.model import WonBy
    from companion.games.saboteur.rules.view import Cause
    from companion.web.view.models import Doer, SeatView, ToldEvent

PANELS, LAYOUTS, SHEETS = "games/saboteur/panels", "games/saboteur/layouts", "games/saboteur/sheets"


class DrawnCard(View, frozen=True):
    """A card in the maze, as it is drawn: the board's own coordinates, 40 × 58 a card."""

    template = f"{PANELS}/cell.html"
    worded: ClassVar[bool] = False

    key: str  # among the cells of the maze
    at: At
    symbol: str  # of the sprite, such as "t-NES"
    x: int
    y: int
    lit: bool  # the path from the start comes here
    tunnel: bool  # a rockfall may take it away


class Place(Value, frozen=True):
    """An empty cell where some card can be laid now."""

    at: At
    x: int
    y: int


class Goal(Value, frozen=True):
    """A face-down goal card; `upright` turns its question mark back for the reader."""

    name: GoalName
    x: int
    y: int
    upright: int  # degrees
    asked: bool  # it has been reached and is to be turned


MarkKind = Literal["chosen", "refused", "new"]


class Mark(Value, frozen=True):
    """What a sheet points at in the maze."""

    x: int
    y: int
    kind: MarkKind
    symbol: str | None = None  # the refused card, as it would lie
    sides: str = ""  # the edges that do not match


class Board(Value, frozen=True):
    """The maze as one drawing. `quarters`: quarter turns to the left; at 1 the goals are above."""

    cells: tuple[DrawnCard, ...]
    places: tuple[Place, ...]
    goals: tuple[Goal, ...]
    quarters: int
    left: int
    top: int
    width: int
    height: int
    newest: Mark | None  # the card that was laid or turned last

    @property
    def degrees(self) -> int:
        return -90 * self.quarters


class Spot(Value, frozen=True):
    """A cell of the maze in words: a card, a goal card that lies face down, an open place, or
    nothing."""

    at: At
    card: DrawnCard | None
    goal: GoalName | None
    open: bool


class Line(Value, frozen=True):
    """A row of the maze in words, as it lies in this view."""

    cells: tuple[Spot, ...]


class Mate(Value, frozen=True):
    """A player as the crew shows them."""

    seat: SeatView
    broken: tuple[Tool, ...]
    hand: int  # cards
    turn: bool


class Picture(Value, frozen=True):
    """What was played, as a small drawing."""

    kind: Literal["card", "fallen", "goal", "tools", "pass"]  # fallen: taken away
    drawn: tuple[str, ...]  # a symbol, a goal's name, or symbols


class ShownPlay(Value, frozen=True):
    """A play, in words and small."""

    told: ToldEvent
    picture: Picture
    at: At | None  # the cell of the maze that it was about


class Entry(Value, frozen=True):
    """A play in the log of the round."""

    version: int  # of the table, that it led to
    play: ShownPlay
    host: Doer | None  # that reported it for whose play it was


class Ending(Value, frozen=True):
    """The draw pile is empty: how near the end of the round is."""

    edition: str
    last_circle: bool  # nobody has more than one card
    ring: bool  # a circle of passes ends the round, too
    passes: int  # in a row, where it does; else 0
    players: int


class Amended(Value, frozen=True):
    """A play that has just been taken back or put right."""

    play: ShownPlay
    by: Doer | None  # None: whose play it was, or nobody known
    times: int = 1  # plays taken back in a row, this one the last
    was: Picture | None = None  # of one that was put right: as it had been reported


class PublicRound(Value, frozen=True):
    """A round that is being played, as everybody sees it; made for nobody in particular."""

    board: Board
    crew: tuple[Mate, ...]  # clockwise
    turn: SeatView
    reveal: tuple[GoalName, ...]  # goals that are to be turned now
    broken: tuple[Tool, ...]  # tools of the player whose turn it is
    pile: int
    used: Counts  # copies of each kind of card that lie face up
    ending: Ending | None
    spent: int  # cards played or thrown away
    log: tuple[Entry, ...]  # the plays of this round
    undone: Amended | None
    corrected: Amended | None

    @property
    def asked(self) -> int:
        """How many goals are lit, of which one is to be turned now: several where the edition
        leaves the choice to the player."""
        return sum(goal.asked for goal in self.board.goals)


class May(Value, frozen=True):
    """What a device may do in a round."""

    mine: bool  # the seat whose turn it is lies on this device
    actor: SeatView | None  # whom it may report for now: its own seat, or the host anyone
    reveal: bool  # and that can be nothing but a goal card that is turned over
    can_take_back: bool


class News(Value, frozen=True):
    """What has happened, to be read aloud: the last play or what was taken back."""

    play: ShownPlay | None
    undone: Amended | None
    quarters: int  # quarter turns of the view, in whose words places and cards are told


class ToDo(Value, frozen=True):
    """What is to be done now and by whom, read aloud after what has happened."""

    goal: GoalName | None  # what this phone is asked about
    asked: bool
    reveal: int  # how many goals are lit, of which one is being turned
    turn: str | None  # name of the player whose turn it is; None: it is this phone's
    quarters: int


class Shape(Value, frozen=True):
    """A tunnel card one way up."""

    card: str
    symbol: str


class RoundResult(Value, frozen=True):
    """How the round that was just settled ended; players by their names."""

    won_by: WonBy
    finisher: str | None  # who placed the last tunnel card, if the treasure was reached
    last: str | None  # who had the last turn, if it was not
    last_known: bool  # else nobody knew, and `last` counts as the one
    cause: Cause
    miners: tuple[str, ...]
    saboteurs: tuple[str, ...]
    spare: Role  # left over, and turned over too


class EndUndone(Value, frozen=True):
    """An end of the round on the table, or settled last, that was taken back; or of the game."""

    undone_by: Doer | None  # also whoever had told it; None: a phone that has lost its seat
    told_by: Doer | None  # whose phone; None: a play ended it
    won_by: WonBy | None  # None: the game was finished between two rounds
    finisher: str | None
    last: str | None
    last_known: bool
    times: int


class ShownEnd(Value, frozen=True):
    """An end of the round that somebody has told, and anybody can stop or has stopped."""

    told_by: Doer  # whose phone
    finishes: bool  # the game is to end before its last round
    won_by: WonBy
    finisher: str | None
    last: str | None
    last_known: bool
    left: int | None  # cards, by the plays reported; None: none are


class FinalStanding(Value, frozen=True):
    """One player's line when the game is over."""

    place: int  # shared places have the same number: 1, 1, 3
    name: str
    nuggets: int  # in all
    nuggets_by_round: tuple[int, ...]
    roles: tuple[Role, ...]  # by round


class EveningLine(Value, frozen=True):
    """A player's games at this table."""

    name: str
    wins: int
    nuggets: int  # in all of them


class RoleView(View, frozen=True):
    """Secret: made only for the device that holds the seat, while it asks."""

    template = "games/saboteur/secrets/role.html"

    role: Role


class GoldView(View, frozen=True):
    """Secret: the seat's own gold cards."""

    template = "games/saboteur/secrets/gold.html"

    held: tuple[int, ...]  # values of all cards
    gained: int  # how many of them, the last ones, in the round just settled

    @property
    def nuggets(self) -> int:
        return sum(self.held)
