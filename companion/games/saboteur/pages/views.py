"""What a page may know of a round that the referee follows: the maze, the crew, the turn.

As in `views`, an allow-list of frozen values; a hand's size is in them, its cards are not. A
sheet is what opens when somebody taps a place, a player or a card in the maze.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.values import Value
from companion.web.view.panels import View

if TYPE_CHECKING:
    from companion.games.game import Rejection
    from companion.web.view.models import SeatView, ToldEvent

At = tuple[int, int]


class Cell(View, frozen=True):
    """A card in the maze, as it is drawn: the board's own coordinates, 40 × 58 a card."""

    template = "games/saboteur/panels/cell.html"
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

    name: str
    x: int
    y: int
    upright: int  # degrees
    asked: bool  # it has been reached and is to be turned


class Marks(Value, frozen=True):
    """What a sheet points at in the maze."""

    x: int
    y: int
    kind: str  # "chosen", "refused" or "new"
    symbol: str | None = None  # the refused card, as it would lie
    sides: str = ""  # the edges that do not match


class Board(Value, frozen=True):
    """The maze as one drawing. `turn` counts quarter turns to the left; 1: the goals are above."""

    cells: tuple[Cell, ...]
    places: tuple[Place, ...]
    goals: tuple[Goal, ...]
    turn: int
    left: int
    top: int
    wide: int
    high: int
    newest: Marks | None  # the card that was laid or turned last

    @property
    def degrees(self) -> int:
        return -90 * self.turn

    @property
    def cards(self) -> int:
        return len(self.cells)


class Mate(Value, frozen=True):
    """A player as the crew shows them."""

    seat: SeatView
    broken: tuple[str, ...]
    hand: int  # cards
    turn: bool


class Picture(Value, frozen=True):
    """What was played, as a small drawing."""

    kind: str  # "card", "fallen" (taken away), "goal", "tools" or "pass"
    drawn: tuple[str, ...]  # a symbol, a goal's name, or symbols


class Play(Value, frozen=True):
    """A play, in words and small."""

    told: ToldEvent
    picture: Picture
    at: At | None  # the cell of the maze that it was about


class Entry(Value, frozen=True):
    """A play in the log of the round."""

    version: int  # of the table, that it led to
    play: Play


class Ending(Value, frozen=True):
    """The draw pile is empty: how near the end of the round is."""

    edition: str
    last_circle: bool  # nobody has more than one card
    passes: int  # in a row, where a circle of passes ends the round; else 0
    players: int


class PublicRound(Value, frozen=True):
    """A round that is being played, as everybody sees it; made for nobody in particular."""

    board: Board
    crew: tuple[Mate, ...]  # clockwise
    turn: SeatView
    reveal: tuple[str, ...]  # goals that are to be turned now
    choose: bool  # one of them, of the player's choice
    broken: tuple[str, ...]  # tools of the player whose turn it is
    pile: int
    ending: Ending | None
    spent: int  # cards played or thrown away
    log: tuple[Entry, ...]  # the plays of this round
    undone: Play | None  # what has just been taken back
    undone_by: str | None
    undone_times: int  # plays taken back in a row
    corrected: Play | None  # what has just been put right


class May(Value, frozen=True):
    """What a device may do in a round."""

    mine: bool  # the seat whose turn it is lies on this device
    actor: SeatView | None  # whom it may report for now: its own seat, or the host anyone
    can_take_back: bool


class News(Value, frozen=True):
    """What is new, to be read aloud: the last play or what was taken back, then what is to do."""

    play: Play | None
    undone: Play | None
    undone_by: str | None
    undone_times: int
    goal: str | None  # what this phone is asked about
    asked: bool
    reveal: bool
    turn: str | None  # name of the player whose turn it is; None: it is this phone's


class Shape(Value, frozen=True):
    """A tunnel card one way up."""

    card: str
    symbol: str
    dead_end: bool
    sides: str


class Breaking(Value, frozen=True):
    """A tool that a card may break; not `can`: tapping it says why not."""

    tool: str
    can: bool


class Repair(Value, frozen=True):
    """A tool and the cards that may have mended it; none: tapping it says why not."""

    tool: str
    single: bool  # copies of the card with this tool alone are left
    double: tuple[tuple[str, str], ...]  # the two-tool cards of which copies are left


class Spot(Value, frozen=True):
    """A cell of the maze in words: a card, a goal card that lies face down, an open place, or
    nothing."""

    at: At
    card: Cell | None
    goal: str | None
    open: bool


class Line(Value, frozen=True):
    """A row of the maze in words."""

    row: int
    columns: tuple[int, ...]
    cells: tuple[Spot, ...]


class Aim(Value, frozen=True):
    """Another tool or player that a tool was broken or mended of."""

    play: str  # "break" or "repair"
    tool: str
    card: tuple[str, ...]  # the tools on it; of a repair
    target: SeatView


class Copies(Value, frozen=True):
    """A kind of card, and how many of it may still come: it has not been played face up."""

    kind: str  # "path", "break", "repair", "rockfall" or "map"
    drawn: tuple[str, ...]  # a symbol of a path card; tools
    left: int
    of: int


class Sheet(Value, frozen=True):
    """What somebody has opened. `kind` leads: place, gone, refused, player, double, action, fall,
    map, goal, entry, move, moved, count, copies, words."""

    kind: str
    path: str  # address of this sheet
    turn: int  # quarter turns of the view
    actor: SeatView | None  # in whose turn its plays are; None: it has none now
    mark: Marks | None = None
    entry: Play | None = None  # a play; None: it has been taken back
    step: int | None = None  # its number since the deal, where it is put right
    corrects: bool = False  # this phone may do so
    lasts: bool = False  # it cannot be put right, and whoever may undo it is told so
    aims: tuple[Aim, ...] = ()  # of the same player, else
    targets: tuple[Aim, ...] = ()  # of other players
    places: tuple[At, ...] = ()  # where it could lie else
    card: str = ""  # that is laid there
    base: str = ""  # what the addresses of sheets that this one leads to have
    vouched: tuple[tuple[str, str], ...] = ()  # fields of a play that the host may accept
    pile: int = 0  # cards left to draw
    most: int = 0  # that can be left
    copies: tuple[Copies, ...] = ()  # of every kind
    at: At | None = None
    fits: tuple[Shape, ...] = ()
    others: tuple[Shape, ...] = ()
    refusal: Rejection | None = None
    rule: str = ""  # anchor of the paragraph that says so
    target: SeatView | None = None
    breaks: tuple[Breaking, ...] = ()
    repairs: tuple[Repair, ...] = ()
    repair: Repair | None = None
    maps: tuple[str, ...] = ()
    rockfall: bool = False
    cells: tuple[Cell, ...] = ()  # that a rockfall may take
    cell: Cell | None = None
    grid: tuple[Line, ...] = ()  # the maze in words, the uppermost row first
    goals: tuple[str, ...] = ()  # to choose from
    goal: str | None = None
    cards: tuple[str, ...] = ()  # what the goal card may show
    back: str = ""  # the sheet to go back to


class Result(Value, frozen=True):
    """How the round that was just settled ended; players by their names."""

    won_by: str  # "miners", "saboteurs" or "nobody": it was broken off
    finisher: str | None  # who placed the last tunnel card, if the treasure was reached
    last: str | None  # who had the last turn, if it was not
    last_known: bool  # else nobody knew, and `last` counts as the one
    cause: str  # as the game's view has it
    miners: tuple[str, ...]
    saboteurs: tuple[str, ...]
    spare: tuple[str, ...]  # the roles left over, turned over too


class EndUndone(Value, frozen=True):
    """An end of the round on the table, or settled last, that was taken back."""

    undone_by: str | None  # None: a device without a seat
    told_by: str | None  # whose word it was; None: the host's, without a seat, or a play's
    won_by: str
    finisher: str | None
    last: str | None
    last_known: bool
    times: int


class EndTold(Value, frozen=True):
    """An end of the round that somebody has told, and anybody can stop."""

    told_by: str | None  # None: the host, without a seat
    finishes: bool  # the game is to end before its last round
    won_by: str
    finisher: str | None
    last: str | None
    last_known: bool


class Standing(Value, frozen=True):
    """One player's line when the game is over."""

    place: int  # shared places have the same number: 1, 1, 3
    shared: bool
    name: str
    nuggets: int  # in all
    nuggets_by_round: tuple[int, ...]
    roles: tuple[str, ...]  # by round


class Evening(Value, frozen=True):
    """A player's games at this table."""

    name: str
    wins: int
    nuggets: int  # in all of them


class RoleView(View, frozen=True):
    """Secret: made only for the device that holds the seat, while it asks."""

    template = "games/saboteur/secrets/role.html"

    role: str  # "miner" or "saboteur"


class GoldView(View, frozen=True):
    """Secret: the seat's own gold cards."""

    template = "games/saboteur/secrets/gold.html"

    held: tuple[int, ...]  # values of all cards
    gained: int  # how many of them, the last ones, in the round just settled

    @property
    def nuggets(self) -> int:
        return sum(self.held)
