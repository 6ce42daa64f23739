"""The Game of Trains: open rows of wagons and abilities, for two to four players."""

from __future__ import annotations

from typing import Any

from companion.games.game import Game
from companion.games.trains import record, texts
from companion.games.trains.book import book
from companion.games.trains.refusals import REASONS
from companion.games.trains.rules import GAME as RULES
from companion.games.trains.rules.model import EVENTS, PLAYS
from companion.games.trains.show import draw


def _pages() -> Any:
    from companion.games.trains.pages import PAGES

    return PAGES


GAME = Game(
    name="trains",
    rules=RULES,
    plays=tuple(PLAYS.values()),
    events=tuple(EVENTS.values()),
    modes={"referee": lambda play: True},
    is_over=lambda state: state.phase == "over",
    is_between_rounds=lambda state: state.phase == "over",
    next_starter=lambda state: (state.starter + 1) % len(state.rows),
    order_free=frozenset({"deal"}),
    seat_fields=frozenset({"seat"}),
    by_field="seat",
    read_play=record.read_play,
    record=record.RECORD,
    draw=draw,
    texts=texts,
    book=lambda t, edition: book(t),
    reasons=REASONS,
    pages=_pages,
)
