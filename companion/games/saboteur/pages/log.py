"""The plays of a round as its log shows them: a sentence and a small picture each."""

from __future__ import annotations

from companion.games.game import AnyGame
from companion.games.saboteur.labels import card_symbol, tool_symbol
from companion.games.saboteur.pages.maze import where_played
from companion.games.saboteur.pages.views import Entry, Picture, ShownPlay
from companion.games.saboteur.rules.cards import TREASURE
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
from companion.web.html.cache import PLAYERS
from companion.web.html.incremental import Incremental
from companion.web.view import presenter
from companion.web.view.models import ToldEvent
from companion.web.view.moments import TABLES_KEPT

_ENTRIES = Incremental[UndoStep, Entry](kept=TABLES_KEPT)


def entries(table: Table) -> tuple[Entry, ...]:
    """Oldest first."""

    def entry(step: UndoStep) -> Entry:
        own = step.seat is not None and step.teller == step.seat  # as it was then
        host = None if own else presenter.nameless(table, step.actor)
        return Entry(step.version, shown_play(table.game, step.events[0]), host)

    return _ENTRIES.map((table.id, table.host), table.round.undo_steps, entry)


def shown_play(game: AnyGame, event: Event, names: tuple[str, ...] = PLAYERS) -> ShownPlay:
    return ShownPlay(ToldEvent(game, event, names), _picture(event), where_played(event))


def _picture(event: Event) -> Picture:
    """A play, small."""
    match event:
        case PathPlaced(_, card):
            return Picture("card", (card_symbol(card),))
        case RockFell(_, _, card):
            return Picture("fallen", (card_symbol(card),))
        case MapRead(_, goal):
            return Picture("goal", (goal,))
        case GoalTurned(_, _, card):
            kind = "treasure" if card == TREASURE else "stone"
            return Picture("card", (card_symbol(card, kind),))
        case ToolBroken(_, tool):
            return Picture("tools", (tool_symbol(tool, broken=True),))
        case ToolRepaired(_, card):
            return Picture("tools", tuple(map(tool_symbol, card)))
        case _:
            return Picture("pass", ())
