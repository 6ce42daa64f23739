"""What opens when somebody taps a play in the log: the play, and what can be put right of it.

All that is offered is judged as it will be when it is sent: as it would have been when the play was
made, and whether all that was played since stays legal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from msgspec.structs import replace

from companion.games.game import Rejection
from companion.games.saboteur.correct import vouched_as
from companion.games.saboteur.labels import card_symbol
from companion.games.saboteur.pages import log, maze
from companion.games.saboteur.pages.sheet_request import MazeSheetRequest
from companion.games.saboteur.pages.sheet_views import (
    Aim,
    AimedSheet,
    CardSheet,
    EntrySheet,
    LaidSheet,
    MazeFrame,
    MazeSheet,
    MovedSheet,
    MoveSheet,
    RefusedSheet,
    TakenBackSheet,
)
from companion.games.saboteur.rules.cards import CODE, TOOLS
from companion.games.saboteur.rules.maze import At, placements
from companion.games.saboteur.rules.model import (
    Break,
    Path,
    PathPlaced,
    Play,
    Repair,
    ToolBroken,
    ToolRepaired,
)
from companion.tables.correcting import judged_again, reported
from companion.tables.model import Table
from companion.web.http.fields import digits
from companion.web.view.games import UnknownSheetError

PAIRS = tuple(combinations(TOOLS, 2))
"""The two tools on each double repair card."""


def entry(ask: MazeSheetRequest) -> MazeSheet:
    """The play that was tapped."""
    version, steps = digits(ask.asked["entry"].removeprefix("e")), ask.table.round.undo_steps
    if version is None:
        raise UnknownSheetError(ask.asked["entry"])
    step = next((at for at, each in enumerate(steps) if each.version == version), None)
    if step is None:
        return TakenBackSheet(**ask.maze_frame(plays=False))
    event = steps[step].events[0]
    shown = log.shown_play(ask.table.game, event)
    mark = maze.mark(shown.at, "new") if shown.at else None
    frame = ask.maze_frame(mark, plays=False)
    if not isinstance(event, PathPlaced | ToolBroken | ToolRepaired):
        return EntrySheet(**frame, entry=shown, lasts=True, others=False)
    others = not (ask.hosts or ask.players[event.by].mine)
    if ask.table.round.waiting_end or others:
        return EntrySheet(**frame, entry=shown, lasts=False, others=others)
    if isinstance(event, PathPlaced):
        return Correcting(ask, step, event, frame).sheet()
    aims, targets = aimed_else(ask, step, event)
    if not (aims or targets):
        return EntrySheet(**frame, entry=shown, lasts=True, others=False)
    return AimedSheet(**frame, entry=shown, step=step, aims=aims, targets=targets)


def aimed_else(
    ask: MazeSheetRequest, step: int, event: ToolBroken | ToolRepaired
) -> tuple[tuple[Aim, ...], tuple[Aim, ...]]:
    """What else the same player could have broken or mended then: of the same target, and of other
    targets."""
    by, seat, made = event.by, event.seat, reported(ask.table)
    was: Break | Repair
    if isinstance(event, ToolBroken):
        was = Break(by, event.tool, seat, event.uncounted)
        tools: list[Break | Repair] = [Break(by, tool, seat) for tool in TOOLS]
    else:
        was = Repair(by, event.card, event.tool, seat, event.uncounted)
        cards = [*((tool,) for tool in TOOLS), *PAIRS]
        tools = [Repair(by, card, tool, seat) for card in cards for tool in card]

    def possible(plays: Iterable[Break | Repair]) -> tuple[Aim, ...]:
        other = (play for each in plays if (play := vouched_as(each, was)) != was)
        return tuple(
            Aim(
                "break" if isinstance(play, Break) else "repair",
                play.tool,
                () if isinstance(play, Break) else play.card,
                ask.players[play.seat],
            )
            for play in other
            if refusal_of(ask.table, made, step, play) is None
        )

    circle = ask.table.round.undo_steps[step].before.circle
    return possible(tools), possible(replace(was, seat=place) for place in circle)


def refusal_of(table: Table, plays: Sequence[Play], step: int, play: Play) -> Rejection | None:
    """Why this play cannot take the place of that step's among all that were reported."""
    answer = judged_again(table, [*plays[:step], play, *plays[step + 1 :]], (step,))
    return answer if isinstance(answer, Rejection) else None


class Correcting:
    """A path card that was reported wrongly. `frame`: of a sheet that points at it."""

    def __init__(
        self, ask: MazeSheetRequest, step: int, event: PathPlaced, frame: MazeFrame
    ) -> None:
        self.ask = ask
        self.table = ask.table
        self.step = step
        self.made = ask.table.round.undo_steps[step]
        self.event = event
        self.frame = frame
        self.plays = reported(ask.table)
        self.back = ask.back("entry")

    def sheet(self) -> MazeSheet:
        asked = self.ask.asked
        if "to" in asked:
            return self.place(asked["to"])
        if "card" in asked:
            return self.card(asked["card"])
        entry = log.shown_play(self.table.game, self.made.events[0])
        return LaidSheet(**self.frame, entry=entry, version=self.made.version)

    def why_not(self, card: str, at: At) -> Rejection | None:
        play = vouched_as(Path(self.event.by, card, at), self.plays[self.step])
        return refusal_of(self.table, self.plays, self.step, play)

    def refused(self, refusal: Rejection, card: str, at: At, back: str) -> RefusedSheet:
        sides = str(refusal.params.get("sides", ""))
        mark = maze.mark(at, "refused", card_symbol(card), sides)
        return self.ask.refused(refusal, mark, plays=False, at=at, back=f"{self.back}{back}")

    def card(self, card: str) -> MazeSheet:
        """Which one lies there, or why this one cannot."""
        at = self.event.at
        refusal = self.why_not(card, at) if card in CODE else None
        if refusal is not None:
            return self.refused(refusal, card, at, "&card=1")
        cards = [text for text in maze.SHAPES if text != self.event.card]
        why = {text: self.why_not(text, at) for text in cards}
        return CardSheet(
            **self.frame,
            at=at,
            version=self.made.version,
            step=self.step,
            fits=tuple(maze.shape(text) for text in cards if not why[text]),
            others=tuple(maze.shape(text) for text in cards if why[text]),
        )

    def _places(self) -> tuple[At, ...]:
        """Where it could have been laid else, whoever counts it."""
        before = self.made.before
        assert before.now is not None
        fits = placements(before.now.maze, before.edition.connected).items()
        return tuple(
            sorted(at for at, cards in fits if self.event.card in cards and at != self.event.at)
        )

    def place(self, to: str) -> MazeSheet:
        """Where it lies, or why it cannot."""
        at, card = maze.cell_named(to), self.event.card
        if at is None:
            return MoveSheet(
                **self.frame,
                entry=log.shown_play(self.table.game, self.made.events[0]),
                version=self.made.version,
                places=self._places(),
                back=self.back,
            )
        refusal = self.why_not(card, at)
        if refusal is not None:
            return self.refused(refusal, card, at, "&to=1")
        mark, back = maze.mark(at, "new", card_symbol(card)), f"{self.back}&to=1"
        frame = self.ask.maze_frame(mark, plays=False)
        return MovedSheet(**frame, at=at, step=self.step, card=card, back=back)
