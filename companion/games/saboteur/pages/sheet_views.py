"""What a page may know of what somebody has opened: a value for each sheet, with its own fields.

As in `views`, an allow-list of frozen values. A sheet is what opens when somebody taps a place, a
player or a card in the maze, or a play in the log; `sheets` and `log_sheets` make them.
"""

from __future__ import annotations

from typing import Literal

from companion.games.saboteur.pages.views import (
    SHEETS,
    DrawnCard,
    Line,
    Mark,
    Mate,
    Shape,
    ShownPlay,
)
from companion.games.saboteur.reasons import NO_COPIES_LEFT, PROTECTED_CARD
from companion.games.saboteur.rules.cards import GoalName, Tool
from companion.games.saboteur.rules.maze import At
from companion.tables.reasons import STALE
from companion.values import Value
from companion.web.view.models import SeatView
from companion.web.view.sheets import Sheet, SheetFrame, Verdict


class MazeSheet(Sheet, frozen=True):
    """What all of them have."""

    quarters: int  # quarter turns of the view
    mark: Mark | None  # what it points at in the maze


class MazeFrame(SheetFrame):
    """The fields of every `MazeSheet`."""

    quarters: int
    mark: Mark | None


# A place in the maze


class PlaceSheet(MazeSheet, frozen=True, kw_only=True):
    """Which card is laid there."""

    template = f"{SHEETS}/place.html"
    kind = "place"

    at: At
    fits: tuple[Shape, ...]
    others: tuple[Shape, ...]  # tapping one says why not


class GoneSheet(MazeSheet, frozen=True, kw_only=True):
    """There is a card now."""

    template = f"{SHEETS}/gone.html"
    kind = "gone"

    laid: ShownPlay | None  # the play that took it


class RefusedSheet(MazeSheet, frozen=True, kw_only=True):
    """Why not."""

    template = f"{SHEETS}/refused.html"
    kind = "refused"

    verdict: Verdict
    at: At | None  # where the card lies that the mark shows
    vouched: tuple[tuple[str, str], ...]  # fields of a play that the host may accept
    back: str  # the sheet to choose another on; empty: there is none

    @property
    def waits(self) -> bool:
        """Nothing is wrong with the play: an end of the round waits."""
        return self.verdict.refusal.reason is STALE

    @property
    def taken(self) -> bool:
        """The place, which a finger may have meant that hit the start card."""
        return self.verdict.refusal.reason is PROTECTED_CARD

    @property
    def counted_out(self) -> bool:
        """All cards of this kind have been played, as it was reported."""
        return self.verdict.refusal.reason is NO_COPIES_LEFT


# A player


class Breaking(Value, frozen=True):
    """A tool that a card may break; not `can`: tapping it says why not."""

    tool: Tool
    can: bool


class Mending(Value, frozen=True):
    """A tool and the cards that may have mended it; none: tapping it says why not."""

    tool: Tool
    single: bool  # copies of the card with this tool alone are left
    double: tuple[tuple[Tool, Tool], ...]  # the two-tool cards of which copies are left


class PlayerSheet(MazeSheet, frozen=True, kw_only=True):
    """Which tool is broken or mended."""

    template = f"{SHEETS}/player.html"
    kind = "player"

    target: SeatView
    breaks: tuple[Breaking, ...]
    repairs: tuple[Mending, ...]


class DoubleSheet(MazeSheet, frozen=True, kw_only=True):
    """With which of the two-tool cards it is mended."""

    template = f"{SHEETS}/double.html"
    kind = "double"

    target: SeatView
    repair: Mending
    back: str


# Action cards that lie in nobody's way


class ActionSheet(MazeSheet, frozen=True, kw_only=True):
    """Which action card is played."""

    template = f"{SHEETS}/action.html"
    kind = "action"

    crew: tuple[Mate, ...]
    maps: tuple[str, ...]  # goals that can be looked at
    cells: tuple[DrawnCard, ...]  # that a rockfall may take
    rockfall: bool  # it can be played now


class MapSheet(MazeSheet, frozen=True, kw_only=True):
    """Whether this goal card was looked at."""

    template = f"{SHEETS}/map.html"
    kind = "map"

    goal: GoalName
    back: str


class FallSheet(MazeSheet, frozen=True, kw_only=True):
    """Whether this card was taken away."""

    template = f"{SHEETS}/fall.html"
    kind = "fall"

    cell: DrawnCard
    back: str
    wrong: str  # address of the play that laid it; empty: nobody did


# Goals that have been reached


class WhichGoalSheet(MazeSheet, frozen=True, kw_only=True):
    """Which of several is turned."""

    template = f"{SHEETS}/which_goal.html"
    kind = "goal"

    goals: tuple[GoalName, ...]
    can_take_back: bool  # the play that reached them


class GoalSheet(MazeSheet, frozen=True, kw_only=True):
    """What it shows."""

    template = f"{SHEETS}/goal.html"
    kind = "goal"

    goal: GoalName
    cards: tuple[str, ...]  # what it may show
    before: bool  # it was reached earlier than by the card that was laid now
    back: str  # where another can be chosen; empty: nowhere
    can_take_back: bool


AskedSheet = WhichGoalSheet | GoalSheet
"""What the phone of whoever reached a goal is asked at once."""


# The log


class TakenBackSheet(MazeSheet, frozen=True):
    """A play that is not in the log any more."""

    template = f"{SHEETS}/taken_back.html"
    kind = "entry"


class EntrySheet(MazeSheet, frozen=True, kw_only=True):
    """A play that this phone cannot put right."""

    template = f"{SHEETS}/entry.html"
    kind = "entry"

    entry: ShownPlay
    lasts: bool  # nobody can: it can only be undone
    others: bool  # its player can, and the host


class LaidSheet(MazeSheet, frozen=True, kw_only=True):
    """A path card that can be put right."""

    template = f"{SHEETS}/laid.html"
    kind = "entry"

    entry: ShownPlay
    version: int  # of the table, that it led to


class Aim(Value, frozen=True):
    """Another tool or player that a tool was broken or mended of."""

    play: Literal["break", "repair"]
    tool: Tool
    card: tuple[Tool, ...]  # the tools on it; of a repair
    target: SeatView


class AimedSheet(MazeSheet, frozen=True, kw_only=True):
    """A tool that was broken or mended, and what else it could have been."""

    template = f"{SHEETS}/aimed.html"
    kind = "entry"

    entry: ShownPlay
    step: int  # its number since the deal
    aims: tuple[Aim, ...]  # of the same player
    targets: tuple[Aim, ...]  # of other players


class CardSheet(MazeSheet, frozen=True, kw_only=True):
    """Which card lies there indeed."""

    template = f"{SHEETS}/card.html"
    kind = "place"

    at: At
    version: int
    step: int
    fits: tuple[Shape, ...]
    others: tuple[Shape, ...]


class MoveSheet(MazeSheet, frozen=True, kw_only=True):
    """Where the card lies indeed."""

    template = f"{SHEETS}/move.html"
    kind = "move"

    entry: ShownPlay
    version: int
    places: tuple[At, ...]
    back: str


class MovedSheet(MazeSheet, frozen=True, kw_only=True):
    """Whether it lies there."""

    template = f"{SHEETS}/moved.html"
    kind = "moved"

    at: At
    step: int
    card: str
    back: str


# What is known of the round


class CountSheet(MazeSheet, frozen=True, kw_only=True):
    """How many cards are left to draw."""

    template = f"{SHEETS}/count.html"
    kind = "count"

    pile: int  # as far as is known
    most: int  # that can be left


CopiesOf = Literal["path", "break", "repair", "rockfall", "map"]


class Copies(Value, frozen=True):
    """A kind of card, and how many of it may still come: it has not been played face up."""

    kind: CopiesOf
    drawn: tuple[str, ...]  # a symbol of a path card; tools
    left: int
    of: int


class CopiesSheet(MazeSheet, frozen=True, kw_only=True):
    """Cards that may still come."""

    template = f"{SHEETS}/copies.html"
    kind = "copies"

    copies: tuple[Copies, ...]  # of every kind


class WordsSheet(MazeSheet, frozen=True, kw_only=True):
    """The maze in words."""

    template = f"{SHEETS}/words.html"
    kind = "words"

    grid: tuple[Line, ...]
