"""The maze as it lay when the game was over, in the picture of its result."""

from __future__ import annotations

from companion.games.saboteur.pages import maze
from companion.games.saboteur.pages.views import DrawnCard, Goal
from companion.games.saboteur.rules.model import State
from companion.games.saboteur.rules.view import view
from companion.web.view.models import Drawing
from companion.web.view.panels import View


class MazeView(View, frozen=True):
    template = "games/saboteur/pictures/maze.svg"

    cells: tuple[DrawnCard, ...]
    goals: tuple[Goal, ...]


def picture(state: State) -> Drawing | None:
    """None where nobody has reported what was laid in the last round."""
    if not state.past or state.past[-1].final.last is None:
        return None
    shown = view(state, None)
    drawn = MazeView(maze.cells(shown.maze), maze.goals(shown, (), quarters=0))
    return Drawing(drawn, *maze.box((laid.at for laid in shown.maze), quarters=0))
