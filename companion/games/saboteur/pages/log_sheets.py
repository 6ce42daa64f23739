"""What opens when somebody taps a play in the log: the play, and what can be put right of it.

Another card or place is judged as it will be when it is sent: as it would have been when the play
was made, and whether all that was played since stays legal. Another tool or player is judged by the
former only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from msgspec.structs import replace

from companion.games.game import Rejection
from companion.games.saboteur.pages import log, maze
from companion.games.saboteur.pages.views import Aim, At, Marks, Sheet
from companion.games.saboteur.rules.cards import CODE, TOOLS
from companion.games.saboteur.rules.decide import decide, legal
from companion.games.saboteur.rules.model import (
    Break,
    Path,
    PathPlaced,
    Repair,
    State,
    ToolBroken,
    ToolRepaired,
)
from companion.tables.correcting import again, reported
from companion.web.view.games import UnknownSheetError
from companion.web.view.models import SeatView
from companion.web.view.sheets import SheetRequest

PAIRS = (("pickaxe", "lantern"), ("pickaxe", "cart"), ("lantern", "cart"))
"""Of tools on a repair card."""


class LogSheets(SheetRequest[Sheet]):
    """The part of Saboteur's sheets that is about the log."""

    hosts: bool
    """The device that asks is the host's."""

    def entry(self) -> Sheet:
        found, steps = re.fullmatch(r"e?(\d{1,9})", self.asked["entry"], re.ASCII), self.table.steps
        if found is None:
            raise UnknownSheetError(self.asked["entry"])
        version = found[1]
        step = next((at for at, each in enumerate(steps) if str(each.version) == version), None)
        if step is None:
            return self.without_plays("entry")
        shown, event = log.play(self.table.game, steps[step]), steps[step].events[0]
        mark = Marks(*maze.spot(shown.at), "new") if shown.at else None
        blank = self.without_plays(
            "entry", entry=shown, at=shown.at, mark=mark, step=step, base=f"entry={version}"
        )
        if not isinstance(event, PathPlaced | ToolBroken | ToolRepaired):
            made = any(each.mine and each.id == steps[step].seat for each in self.players)
            return replace(blank, lasts=self.hosts or made)
        if not (self.hosts or self.players[event.by].mine):
            return blank
        if not isinstance(event, PathPlaced):
            aimed = aimed_else(blank, self.players, steps[step].before, event)
            return aimed if aimed.aims or aimed.targets else replace(aimed, lasts=True)
        correcting = Correcting(self, step, event, blank)
        if "to" in self.asked:
            return correcting.place(self.asked["to"])
        if "card" in self.asked:
            return correcting.card(self.asked["card"])
        return replace(blank, corrects=True)


def aimed_else(
    blank: Sheet, players: tuple[SeatView, ...], state: State, event: ToolBroken | ToolRepaired
) -> Sheet:
    """What else could have been broken or mended by the same player then."""
    by, seat = event.by, event.seat
    was: Break | Repair
    if isinstance(event, ToolBroken):
        was = Break(by, event.tool, seat, event.uncounted)
        tools: list[Break | Repair] = [Break(by, tool, seat) for tool in TOOLS]
    else:
        was = Repair(by, event.card, event.tool, seat, event.uncounted)
        cards = [*((tool,) for tool in TOOLS), *PAIRS]
        tools = [Repair(by, card, tool, seat) for card in cards for tool in card]
    others = [replace(was, seat=place) for place in state.circle if place != seat]

    def possible(plays: Iterable[Break | Repair]) -> tuple[Aim, ...]:
        legal = (play for play in plays if not isinstance(decide(state, play), Rejection))
        return tuple(
            Aim(
                "break" if isinstance(play, Break) else "repair",
                play.tool,
                () if isinstance(play, Break) else play.card,
                players[play.seat],
            )
            for play in legal
        )

    same = replace(was, uncounted=0)
    return replace(
        blank,
        aims=possible(play for play in tools if play != same),
        targets=possible(others),
    )


class Correcting:
    """A path card that was reported wrongly."""

    def __init__(self, ask: LogSheets, step: int, event: PathPlaced, blank: Sheet) -> None:
        self.table = ask.table
        self.step = step
        self.before = ask.table.steps[step].before
        self.event = event
        self.plays = reported(ask.table)
        self.refused = ask.refused
        self.blank = replace(blank, back=ask.back("entry"))

    def why_not(self, card: str, at: At) -> Rejection | None:
        plays = [*self.plays]
        uncounted = self.event.uncounted if card == self.event.card else 0
        plays[self.step] = Path(self.event.by, card, at, uncounted)
        answer = again(self.table, plays, (self.step,))
        return answer if isinstance(answer, Rejection) else None

    def card(self, card: str) -> Sheet:
        """Which one lies there, or why this one cannot."""
        at, blank = self.event.at, self.blank
        if card in CODE:
            refusal = self.why_not(card, at)
            if refusal is not None:
                mark = Marks(*maze.spot(at), "refused", maze.symbol(card))
                back = f"{blank.back}&card=1"
                return self.refused(refusal, actor=None, mark=mark, at=at, back=back)
        cards = [text for text in maze.SHAPES if text != self.event.card]
        why = {text: self.why_not(text, at) for text in cards}
        return replace(
            blank,
            kind="place",
            fits=tuple(maze.shape(text) for text in cards if not why[text]),
            others=tuple(maze.shape(text) for text in cards if why[text]),
        )

    def place(self, to: str) -> Sheet:
        """Where it lies, or why it cannot."""
        at, card = maze.cell_named(to), self.event.card
        if at is None:
            places = (at for at, cards in legal(self.before).items() if card in cards)
            others = tuple(at for at in sorted(places) if at != self.event.at)
            return replace(self.blank, kind="move", places=others)
        refusal = self.why_not(card, at)
        back = f"{self.blank.back}&to=1"
        if refusal is not None:
            mark = Marks(*maze.spot(at), "refused", maze.symbol(card))
            return self.refused(refusal, actor=None, mark=mark, at=at, back=back)
        mark = Marks(*maze.spot(at), "new", maze.symbol(card))
        return replace(self.blank, kind="moved", mark=mark, at=at, card=card, back=back)
