"""A whole game of a table, read from its log, for the record that can be saved."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.games.game import AnyGame
from companion.tables import events as on
from companion.tables.codec import decode_events
from companion.tables.evolve import LoggedEvent
from companion.tables.model import Beginning
from companion.values import Value


class GameHistory(Value, frozen=True):
    """A game from its first shuffle: how it began, and what has not been taken back."""

    initial_state: Any  # the game's own, before the first deal
    events: tuple[Any, ...]  # the game's own


def history_of(game: AnyGame, beginning: Beginning, logged: Iterable[LoggedEvent]) -> GameHistory:
    """`logged`: the table's events after the `beginning`."""
    groups: list[tuple[Any, ...]] = []  # of one deal or play each
    places: list[tuple[int, tuple[Any, ...]]] = []  # and before which players moved
    for one in logged:
        match one.event:
            case on.Dealt(events) | on.Played(_, events):
                groups.append(decode_events(game.events, events))
            case on.Corrected(_, corrected):
                kinds = game.events
                groups[-len(corrected) :] = [decode_events(kinds, plain) for plain in corrected]
            case on.SeatsOrdered(_, events):
                places.append((len(groups), decode_events(game.events, events)))
            case on.TakenBack():
                groups.pop()
                places = [(min(at, len(groups)), events) for at, events in places]
    for at, events in reversed(places):
        groups.insert(at, events)
    return GameHistory(beginning.game_state, tuple(event for group in groups for event in group))
