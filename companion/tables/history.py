"""The last game of a table, whole, out of its log: for the record that can be saved."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from companion.tables import events as on
from companion.tables.evolve import Recorded, evolve, known_rules, opened
from companion.tables.model import Table


@dataclass(frozen=True, slots=True)
class Played:
    """A game from its first shuffle: how it began, and what has not been taken back."""

    began: Any  # the game's own state before the first deal
    events: tuple[Any, ...]  # the game's own


def last_game(table_id: str, recorded: Iterable[Recorded]) -> Played | None:
    """None where no game has begun."""
    table: Table | None = None
    began: Any = None
    groups: list[tuple[Any, ...]] = []  # of one deal or play each
    for one in recorded:
        table = opened(table_id, one) if table is None else evolve(table, one)
        match one.event:
            case on.GameStarted():
                began, groups = table.play, []
            case on.Dealt(events) | on.Played(_, events):
                groups.append(known_rules(table).from_plain(events))
            case on.TakenBack():
                groups.pop()
    if began is None:
        return None
    return Played(began, tuple(event for group in groups for event in group))
