"""What everybody sees of a round under the referee, in parts: a play changes a few of them.

They are made from `PublicRound`, which is made for nobody: what phones share cannot hold what only
one of them may know.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import ClassVar

from companion.games.saboteur.pages import maze
from companion.games.saboteur.pages.sheet_views import AskedSheet, GoalSheet
from companion.games.saboteur.pages.views import (
    LAYOUTS,
    PANELS,
    Amended,
    Board,
    Ending,
    Entry,
    Goal,
    Mark,
    Mate,
    News,
    Picture,
    Place,
    PublicRound,
    ToDo,
)
from companion.games.saboteur.rules.cards import Tool
from companion.games.saboteur.rules.maze import At
from companion.tables.model import SeatId
from companion.web.html.identity_cache import by_identity
from companion.web.html.incremental import Incremental
from companion.web.html.panels import Attributes, Keyed, Panel, Part, View
from companion.web.view.models import Doer, SeatName, ToldEvent
from companion.web.view.moments import VIEWS_KEPT

MANY = 6
"""Players; with more, a table screen is laid out in two columns."""

MATES_KEPT = 1024

NEAR_WIDE, NEAR_HIGH, NEAR_ABOVE = 290, 220, 70
"""Size of the part of the maze that is shown around the mark of a sheet where no script moves it,
and how much of it lies above: five cells or so."""


# What everybody sees


class GoalView(View, frozen=True):
    template = f"{PANELS}/goal.html"
    worded: ClassVar[bool] = False

    id: str
    goal: Goal


class PlaceView(View, frozen=True):
    template = f"{PANELS}/place.html"

    id: str
    place: Place
    asks: bool  # it is a link
    quarters: int


class MarkView(View, frozen=True):
    """What a sheet is about, drawn into the maze where no script does it."""

    template = f"{PANELS}/mark.html"
    worded: ClassVar[bool] = False

    mark: Mark | None


class BrokenView(View, frozen=True):
    """A player's broken tools."""

    template = f"{PANELS}/broken.html"

    id: str
    broken: tuple[Tool, ...]


class HandView(View, frozen=True):
    """How many cards a player has in hand."""

    template = f"{PANELS}/hand.html"

    id: str
    hand: int


class TurnView(View, frozen=True):
    """Whose turn it is."""

    template = f"{PANELS}/turn.html"

    name: str
    reveal: int  # how many goals are lit, of which one is being turned
    silent: bool  # it is the host's, whose device does not answer


class LastView(View, frozen=True):
    """What was played last."""

    template = f"{PANELS}/last.html"

    told: ToldEvent | None
    goal: Picture | None  # that was looked at
    quarters: int
    host: Doer | None = None  # that reported it for whose play it was


class PileView(View, frozen=True):
    """The draw pile."""

    template = f"{PANELS}/pile.html"

    pile: int


class EndingView(View, frozen=True):
    """That the round is about to end, and by which rule."""

    template = f"{PANELS}/ending.html"

    ending: Ending | None
    wide: bool = False  # on the table screen, where nobody reads rules


class UndoneView(View, frozen=True):
    template = f"{PANELS}/undone.html"

    undone: Amended | None
    corrected: Amended | None
    quarters: int


class LogView(View, frozen=True):
    """A play in the log of the round; tapped, it lies lit in the maze."""

    template = f"{PANELS}/log.html"

    told: ToldEvent
    picture: Picture
    quarters: int
    wide: bool
    host: Doer | None  # that reported it for whose play it was
    at: At | None  # on the table screen: the cell that it lights


def undone_of(public: PublicRound) -> UndoneView:
    return UndoneView(_undone(public), public.corrected, public.board.quarters)


def _undone(public: PublicRound) -> Amended | None:
    """The play that was taken back last; None once a newer correction is told instead."""
    return public.undone if public.corrected is None else None


_LINES = Incremental[Entry, tuple[str, View]](kept=VIEWS_KEPT)


def log_lines(
    table: str, public: PublicRound, *, wide: bool = False
) -> tuple[tuple[str, View], ...]:
    """Newest first."""
    quarters = public.board.quarters

    def line(entry: Entry) -> tuple[str, View]:
        play = entry.play
        at = play.at if wide else None
        return f"e{entry.version}", LogView(play.told, play.picture, quarters, wide, entry.host, at)

    return _LINES.map((table, quarters, wide), public.log, line)[::-1]


def last_of(public: PublicRound) -> LastView:
    quarters = public.board.quarters
    if not public.log:
        return LastView(None, None, quarters)
    last, host = public.log[-1].play, public.log[-1].host
    goal = last.picture if last.picture.kind == "goal" else None
    return LastView(last.told, goal, quarters, host)


def maze_parts(board: Board, near: Mark | None, asks: bool) -> tuple[Part, ...]:
    """The maze as one drawing; `near`: what a sheet is about, `asks`: places are links."""
    return (
        Keyed("cells", tuple([(cell.key, cell) for cell in board.cells]), ordered=False),
        *around_cells(board, near, asks),
    )


def around_cells(board: Board, near: Mark | None, asks: bool) -> tuple[Part, ...]:
    """What is drawn beside the cards that lie face up."""
    newest = _at(board.newest)
    return (
        Attributes("pan", _pan(board, near)),
        Attributes(
            "board", (("transform", f"rotate({board.degrees})" if board.quarters else None),)
        ),
        Attributes("glow", newest),
        Keyed(
            "goals",
            tuple((f"g-{goal.name}", GoalView(f"g-{goal.name}", goal)) for goal in board.goals),
        ),
        Keyed("places", tuple(_place(place, asks, board.quarters) for place in board.places)),
        Attributes("newest", newest if near is None else HIDDEN),
        Panel("near", MarkView(near)),
    )


@by_identity(kept=maze.CELLS_KEPT)
def _place(place: Place, asks: bool, quarters: int) -> tuple[str, View]:
    key = f"p{place.at[0]}.{place.at[1]}"
    return key, PlaceView(key, place, asks, quarters)


HIDDEN: tuple[tuple[str, str | None], ...] = (("visibility", "hidden"), ("transform", None))


def _at(mark: Mark | None) -> tuple[tuple[str, str | None], ...]:
    """Attributes of the element that lies over a cell; without a `mark` it is hidden."""
    if mark is None:
        return HIDDEN
    return (("visibility", None), ("transform", f"translate({mark.x} {mark.y})"))


def _pan(board: Board, near: Mark | None) -> tuple[tuple[str, str | None], ...]:
    if near is None:
        return (
            ("viewBox", f"{board.left} {board.top} {board.width} {board.height}"),
            ("width", str(round(board.width * 1.1))),
            ("height", str(round(board.height * 1.1))),
            ("data-quarters", str(board.quarters)),
        )
    x, y = near.x + maze.CARD_WIDE // 2, near.y + maze.CARD_HIGH // 2
    for _ in range(board.quarters):
        x, y = y, -x
    box = f"{x - NEAR_WIDE // 2} {y - NEAR_ABOVE} {NEAR_WIDE} {NEAR_HIGH}"
    return (
        ("viewBox", box),
        ("width", None),
        ("height", None),
        ("data-quarters", str(board.quarters)),
    )


def crew_parts(public: PublicRound) -> Iterator[Part]:
    """Whose turn it is moves on with every play, and what the players have does not."""
    for mate in public.crew:
        yield _turn(mate.seat.id, mate.turn)
        yield _tools(mate.seat.id, mate.broken)
        yield _hand(mate.seat.id, mate.hand)


@lru_cache(MATES_KEPT)
def _turn(seat: SeatId, turn: bool) -> Attributes:
    return Attributes(f"mate-{seat}", (("aria-current", "true" if turn else None),))


@lru_cache(MATES_KEPT)
def _tools(seat: SeatId, broken: tuple[Tool, ...]) -> Panel:
    return Panel(f"tools-{seat}", BrokenView(f"tools-{seat}", broken))


@lru_cache(MATES_KEPT)
def _hand(seat: SeatId, hand: int) -> Panel:
    return Panel(f"hand-{seat}", HandView(f"hand-{seat}", hand))


def table_common(
    table: str,
    public: PublicRound,
    notices: View,
    near: Mark | None,
    asking: bool,
    silent: bool,
) -> tuple[Part, ...]:
    """What is alike on all phones with the same quarter turns. `asking`: a goal is asked about, or
    an end waits, and no place can be tapped. `silent`: see `TurnView`."""
    return (
        *maze_parts(public.board, near, not asking),
        *crew_parts(public),
        Panel("turn", TurnView(public.turn.name, public.asked, silent)),
        Panel("news-now", news_of(public)),
        Panel("last", last_of(public)),
        Panel("pile", PileView(public.pile)),
        Panel("ending", EndingView(public.ending)),
        Panel("took-back", undone_of(public)),
        Panel("notices", notices),
        Keyed("log", log_lines(table, public)),
    )


class NewsView(View, frozen=True):
    template = f"{PANELS}/news.html"

    news: News
    to_do: ToDo


def news_of(public: PublicRound) -> NewsView:
    return NewsView(
        News(
            play=public.log[-1].play if public.log else None,
            undone=_undone(public),
            quarters=public.board.quarters,
        ),
        to_do(public, None, mine=False),
    )


def to_do(public: PublicRound, asked: AskedSheet | None, *, mine: bool) -> ToDo:
    return ToDo(
        goal=asked.goal if isinstance(asked, GoalSheet) else None,
        asked=asked is not None,
        reveal=public.asked,
        turn=None if mine else public.turn.name,
        quarters=public.board.quarters,
    )


class LookView(View, frozen=True):
    """The own role once more: the card to hold, and no role."""

    template = f"{PANELS}/look.html"

    shown: bool
    seat: SeatName | None  # whose, where the phone holds several


# The table screen


class ScreenTurnView(View, frozen=True):
    template = f"{PANELS}/screen_turn.html"

    name: str
    reveal: int
    silent: bool


class PilesView(View, frozen=True):
    template = f"{PANELS}/piles.html"

    pile: int
    spent: int


class ScreenMateView(View, frozen=True):
    template = f"{PANELS}/screen_mate.html"

    id: str
    mate: Mate


class ScreenLayout(View, frozen=True):
    template = f"{LAYOUTS}/screen.html"

    snug: bool
    here: str


def screen_common(table: str, public: PublicRound, notices: View, silent: bool) -> tuple[Part, ...]:
    return (
        *maze_parts(public.board, None, False),
        Panel("took-back", undone_of(public)),
        Panel("notices", notices),
        Panel("turn", ScreenTurnView(public.turn.name, public.asked, silent)),
        Panel("piles", PilesView(public.pile, public.spent)),
        Panel("ending", EndingView(public.ending, wide=True)),
        Keyed(
            "crew",
            tuple(
                (key, ScreenMateView(key, mate))
                for mate in public.crew
                for key in (f"mate-{mate.seat.id}",)
            ),
        ),
        Keyed("log", log_lines(table, public, wide=True)),
        Panel("news-now", news_of(public)),
    )
