"""The plays of a round as its log shows them: a sentence and a small picture each."""

from __future__ import annotations

from companion.games.game import Game
from companion.games.saboteur.labels import tool_symbol
from companion.games.saboteur.pages.maze import symbol
from companion.games.saboteur.pages.views import At, Entry, Picture, Play
from companion.games.saboteur.rules.cards import TREASURE
from companion.games.saboteur.rules.maze import GOAL_AT, START_AT
from companion.games.saboteur.rules.model import (
    Event,
    GoalTurned,
    MapRead,
    PathPlaced,
    RockFell,
    ToolBroken,
    ToolRepaired,
)
from companion.tables.model import Table, UndoStep
from companion.web.view.html_cache import PLAYERS
from companion.web.view.incremental import Incremental
from companion.web.view.models import ToldEvent
from companion.web.view.moments import TABLES_KEPT

_ENTRIES = Incremental[UndoStep, Entry](kept=TABLES_KEPT)


def entries(table: Table) -> tuple[Entry, ...]:
    """Oldest first."""

    def entry(step: UndoStep) -> Entry:
        return Entry(step.version, play(table.game, step))

    return _ENTRIES.map(table.id, table.steps, entry)


def play(game: Game, step: UndoStep) -> Play:
    event: Event = step.events[0]
    shown, at = picture(event)
    return Play(ToldEvent(game, _sentence(event), PLAYERS), shown, at)


def _sentence(event: Event) -> Event:
    """What its sentence says: it is the same wherever the card lies, and whatever is on it."""
    match event:
        case PathPlaced(by):
            return PathPlaced(by, "", START_AT)
        case RockFell(by):
            return RockFell(by, START_AT, "")
    return event


def picture(event: Event) -> tuple[Picture, At | None]:
    """A play, small, and the cell of the maze that it was about."""
    match event:
        case PathPlaced(_, card, at):
            return Picture("card", (symbol(card),)), at
        case RockFell(_, at, card):
            return Picture("fallen", (symbol(card),)), at
        case MapRead(_, goal):
            return Picture("goal", (goal,)), GOAL_AT[goal]
        case GoalTurned(_, goal, card):
            kind = "treasure" if card == TREASURE else "stone"
            return Picture("card", (symbol(card, kind),)), GOAL_AT[goal]
        case ToolBroken(_, tool):
            return Picture("tools", (tool_symbol(tool, broken=True),)), None
        case ToolRepaired(_, card):
            return Picture("tools", tuple(map(tool_symbol, card))), None
        case _:
            return Picture("pass", ()), None
