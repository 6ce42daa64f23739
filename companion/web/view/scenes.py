"""The moments of a game that is watched again, as its pages give them: the replay knows no game."""

from __future__ import annotations

from collections.abc import Iterator

from companion.values import Value
from companion.web.html.panels import Part, View
from companion.web.view.models import ToldEvent
from companion.web.view.recorded_game import RecordedGame


class Scene(Value, frozen=True):
    """What a play was, and what lay on the table after it."""

    round: int  # from 1; 0 in a game without rounds
    caption: View  # the play in words
    layout: View  # the same in all scenes of a game
    parts: tuple[Part, ...]  # the same ones in all scenes of a game


class ToldView(View, frozen=True):
    """A play and what followed of it."""

    template = "panels/scene_told.html"

    told: tuple[ToldEvent, ...]


class WordsLayout(View, frozen=True):
    """Of a game that draws nothing: its plays are told in words alone."""

    template = "panels/scene_words.html"


def in_words(recorded: RecordedGame) -> Iterator[Scene]:
    for step in recorded.steps:
        told = tuple(ToldEvent(recorded.game, event, step.names) for event in step.events)
        yield Scene(0, ToldView(told), WordsLayout(), ())
