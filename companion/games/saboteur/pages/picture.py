"""The maze as it lay at the end of the last round that counts: in the picture of a result."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.saboteur.pages import maze
from companion.games.saboteur.pages.views import DrawnCard, Goal
from companion.games.saboteur.rules.model import NOBODY, State
from companion.games.saboteur.rules.view import view
from companion.web.html.panels import View
from companion.web.view.models import Drawing


class MazeView(View, frozen=True):
    template = "games/saboteur/pictures/maze.svg"

    cells: tuple[DrawnCard, ...]
    goals: tuple[Goal, ...]


def picture(state: State) -> Drawing | None:
    """None where nobody has reported what was laid in that round."""
    past = tuple(each for each in state.past if each.won_by != NOBODY)
    if not past or past[-1].final.last is None:
        return None
    shown = view(replace(state, now=None, past=past), None)
    drawn = MazeView(maze.cells(shown.maze), maze.goals(shown, (), quarters=0))
    return Drawing(drawn, *maze.box((laid.at for laid in shown.maze), quarters=0))
