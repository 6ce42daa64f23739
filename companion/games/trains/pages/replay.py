"""A Game of Trains watched again: every row as it came into order, and the face-up cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.games.trains.pages import present
from companion.games.trains.pages.panels import RemovalsView, ScreenMarketView, train_parts
from companion.games.trains.rules.view import view
from companion.record import RecordStep
from companion.tables.model import SeatId
from companion.web.html.panels import Panel, Part, View
from companion.web.view.models import SeatName
from companion.web.view.recorded_game import RecordedGame
from companion.web.view.scenes import Scene, ToldView


class ReplayLayout(View, frozen=True):
    template = "games/trains/layouts/replay.html"

    seats: tuple[SeatId, ...]


def scenes(recorded: RecordedGame) -> Iterator[Scene]:
    """The row of whoever made the play is set apart."""
    steps = recorded.steps
    players = tuple(SeatName(SeatId(seat), name) for seat, name in enumerate(steps[0].names))
    layout = ReplayLayout(tuple(player.id for player in players))
    for step in steps:
        told = present.told_events(recorded.game, step.events, step.names)
        yield Scene(0, ToldView(told), layout, tuple(_parts(step, players)))


def _parts(step: RecordStep, players: Sequence[SeatName]) -> Iterator[Part]:
    shown = view(step.state, None)
    trains = present.trains(shown, players, step.events[0].seat)
    for train in trains:
        yield from train_parts(train)
    removals = tuple((train.seat.name, train.removed) for train in trains if train.removed)
    yield Panel("market", ScreenMarketView(present.market(shown, step.events)))
    yield Panel("removals", RemovalsView(removals, none=False))
