"""Saboteur: hidden roles and a maze of tunnels, for three to ten players."""

from __future__ import annotations

from typing import Any

from companion.games.game import Game
from companion.games.saboteur import record, texts
from companion.games.saboteur.book import book
from companion.games.saboteur.refusals import REASONS
from companion.games.saboteur.rules import EVENTS, PLAYS
from companion.games.saboteur.rules import GAME as RULES
from companion.games.saboteur.show import draw


def _pages() -> Any:
    from companion.games.saboteur.pages import PAGES

    return PAGES


GAME = Game(
    name="saboteur",
    rules=RULES,
    plays=tuple(kind for name, kind in PLAYS.items() if name != "Deal"),
    events=tuple(EVENTS.values()),
    modes={
        "roles": lambda play: play == "result",
        "referee": lambda play: play != "result",
    },
    deal=RULES.deal,
    is_over=lambda state: bool(state.over),
    is_between_rounds=lambda state: state.now is None,
    next_starter=lambda state: int(state.starter),
    host_plays=frozenset({"result"}),
    seat_fields=frozenset({"by", "seat", "finisher", "last"}),
    by_field="by",
    record=record.RECORD,
    draw=draw,
    texts=texts,
    book=book,
    reasons=REASONS,
    pages=_pages,
)
