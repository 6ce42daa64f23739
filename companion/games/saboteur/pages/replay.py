"""A game of Saboteur watched again: the maze as it grew, broken tools, and now everybody's role."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec.structs import replace

from companion.games.fields import PlayerIndex
from companion.games.saboteur.pages import maze
from companion.games.saboteur.pages.log import shown_play
from companion.games.saboteur.pages.panels import (
    BrokenView,
    PilesView,
    around_cells,
)
from companion.games.saboteur.pages.public import spent
from companion.games.saboteur.pages.views import LAYOUTS, PANELS, Board, ShownPlay
from companion.games.saboteur.rules.cards import SABOTEUR
from companion.games.saboteur.rules.figures import latest_round
from companion.games.saboteur.rules.maze import At, at_of
from companion.games.saboteur.rules.model import Event, PileCounted, ResultTold, State
from companion.games.saboteur.rules.view import VisibleState, view
from companion.record import RecordStep
from companion.tables.model import SeatId
from companion.web.html.panels import Attributes, Keyed, Panel, Part, View
from companion.web.view.models import SeatName, ToldEvent
from companion.web.view.recorded_game import RecordedGame
from companion.web.view.scenes import Scene


class PlayView(View, frozen=True):
    """A play, with a small drawing, and all that is told of it."""

    template = f"{PANELS}/replay_play.html"

    play: ShownPlay
    told: tuple[ToldEvent, ...]


class PurseView(View, frozen=True):
    """A player's gold so far, which nobody else knew then."""

    template = f"{PANELS}/replay_purse.html"

    id: str
    nuggets: int
    gained: int  # of them, in the round that has just ended


class ReplayLayout(View, frozen=True):
    template = f"{LAYOUTS}/replay.html"

    crew: tuple[SeatName, ...]
    rounds: tuple[int, ...]


def scenes(recorded: RecordedGame) -> Iterator[Scene]:
    """While a round lasts its maze keeps its place."""
    steps, names = recorded.steps, recorded.steps[0].names
    crew = tuple(SeatName(SeatId(seat), name) for seat, name in enumerate(names))
    layout = ReplayLayout(crew, tuple(sorted({step.state.round for step in steps})))
    lain = {number: Keyed(f"cells-{number}", (), ordered=False) for number in layout.rounds}
    for number, group in groupby(steps, key=lambda step: step.state.round):
        played = list(group)
        drawing = maze.box(_cells(played), quarters=0)
        followed = any(latest_round(step.state).last is not None for step in played)
        for step in played:
            told = tuple(ToldEvent(recorded.game, event, names) for event in step.events)
            public = view(step.state, None)
            lain[number] = _cards(number, public)
            rounds = (*_seen(number, layout.rounds), *lain.values())
            parts = _parts(step, public, drawing, followed)
            play = shown_play(recorded.game, step.events[0], names)
            yield Scene(number, PlayView(play, told), layout, (*rounds, *parts))


def _cells(played: Sequence[RecordStep]) -> tuple[At, ...]:
    """All on which a card lay in a round."""
    return tuple(map(at_of, set().union(*(latest_round(step.state).maze.cards for step in played))))


def _cards(number: int, shown: VisibleState) -> Keyed:
    """Those that lie face up in a round, which have ids of their own."""
    cells = (replace(cell, key=f"{cell.key}.{number}") for cell in maze.cells(shown.maze))
    return Keyed(f"cells-{number}", tuple((cell.key, cell) for cell in cells), ordered=False)


def _seen(number: int, rounds: Sequence[int]) -> Iterator[Part]:
    """Of the mazes of all rounds the one that is watched."""
    for each in rounds:
        yield Attributes(f"round-{each}", (("opacity", None if each == number else "0"),))


def _parts(
    step: RecordStep, shown: VisibleState, drawing: tuple[int, int, int, int], followed: bool
) -> Iterator[Part]:
    state: State = step.state
    yield Attributes("mazeview", (("hidden", None if followed else ""),))
    yield from around_cells(_board(shown, drawing, step.events), None, asks=False)
    yield Panel("piles", PilesView(shown.pile, spent(shown)))
    by = _player(step.events[0])
    ended = state.now is None
    for seat, role in enumerate(latest_round(state).roles):
        tools, purse = f"tools-{seat}", f"purse-{seat}"
        gold = [sum(past.gold[seat]) for past in state.past]
        yield Attributes(f"mate-{seat}", (("aria-current", "true" if seat == by else None),))
        yield Attributes(f"role-{seat}", (("class", "role sab" if role == SABOTEUR else "role"),))
        yield Panel(tools, BrokenView(tools, shown.broken[seat]))
        yield Panel(purse, PurseView(purse, sum(gold), gold[-1] if ended else 0))


def _board(
    shown: VisibleState, drawing: tuple[int, int, int, int], events: Sequence[Event]
) -> Board:
    left, top, width, height = drawing
    return Board(
        cells=(),
        places=(),
        goals=maze.goals(shown, shown.reveal, quarters=0),
        quarters=0,
        left=left,
        top=top,
        width=width,
        height=height,
        newest=maze.newest(events),
    )


def _player(event: Event) -> PlayerIndex | None:
    """Whose play it was; what is merely said about the table is nobody's."""
    if isinstance(event, ResultTold | PileCounted):
        return None
    return getattr(event, "by", None)
