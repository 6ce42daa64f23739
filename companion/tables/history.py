"""The last whole game of a table, read from its log, for the record that can be saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from companion.tables import events as on
from companion.tables.codec import decode_events
from companion.tables.evolve import LoggedEvent
from companion.tables.model import Table


@dataclass(frozen=True, slots=True)
class GameHistory:
    """A game from its first shuffle: how it began, and what has not been taken back."""

    began: Any  # the game's own state before the first deal
    events: tuple[Any, ...]  # the game's own


def last_game(table: Table, logged: Iterable[LoggedEvent]) -> GameHistory | None:
    """`logged`: the table's events after its game's `beginning`, up to the table's own version.

    None where no game has begun.
    """
    if table.beginning is None:
        return None
    groups: list[tuple[Any, ...]] = []  # of one deal or play each
    for one in logged:
        match one.event:
            case on.Dealt(events) | on.Played(_, events):
                groups.append(decode_events(table.game.events, events))
            case on.Corrected(_, corrected):
                kinds = table.game.events
                groups[-len(corrected) :] = [decode_events(kinds, plain) for plain in corrected]
            case on.TakenBack():
                groups.pop()
    return GameHistory(table.beginning.play, tuple(event for group in groups for event in group))
