"""The plays of a round as its log shows them: a sentence and a small picture each."""

from __future__ import annotations

from companion.games.game import Game
from companion.games.saboteur.pages.maze import symbol
from companion.games.saboteur.pages.views import At, Entry, Picture
from companion.games.saboteur.rules.cards import TREASURE
from companion.games.saboteur.rules.maze import GOAL_AT
from companion.games.saboteur.rules.model import (
    Event,
    GoalTurned,
    MapRead,
    PathPlaced,
    RockFell,
    ToolBroken,
    ToolRepaired,
)
from companion.tables.model import Player, Table, UndoStep
from companion.web.view.identity_cache import by_identity
from companion.web.view.models import Told

TOOLS = {"pickaxe": "pick", "lantern": "lamp", "cart": "cart"}
"""Their drawings; a broken one's has "-x" behind."""

PLAYS_KEPT = 8192


def entries(table: Table) -> tuple[Entry, ...]:
    """Newest first."""
    return tuple(entry(table, step) for step in reversed(table.steps))


def entry(table: Table, step: UndoStep) -> Entry:
    return _entry(table.game, table.players, step)


@by_identity(kept=PLAYS_KEPT)
def _entry(game: Game, players: tuple[Player, ...], step: UndoStep) -> Entry:
    event: Event = step.events[0]
    picture, at = _picture(event)
    names = tuple(player.name for player in players)
    return Entry(step.version, Told(game, event, names), picture, at)


def _picture(event: Event) -> tuple[Picture, At | None]:
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
            return Picture("tools", (f"{TOOLS[tool]}-x",)), None
        case ToolRepaired(_, card):
            return Picture("tools", tuple(TOOLS[tool] for tool in card)), None
        case _:
            return Picture("pass", ()), None
