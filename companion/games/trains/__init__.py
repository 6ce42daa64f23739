"""The Game of Trains: open rows of wagons and abilities, for two to four players."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from companion.games import words
from companion.games.game import Game, Way
from companion.games.trains import labels, light, record, texts
from companion.games.trains.book import book
from companion.games.trains.correct import correct
from companion.games.trains.explained import explanation
from companion.games.trains.memory import MEMORY
from companion.games.trains.outcome import outcome
from companion.games.trains.reasons import REASONS
from companion.games.trains.rules.decide import decide
from companion.games.trains.rules.evolve import evolve
from companion.games.trains.rules.model import EVENTS, OVER, Event, GameGivenUp, Play, State
from companion.games.trains.rules.setup import EDITION, SEAT_COUNTS, new
from companion.games.trains.rules.view import view
from companion.games.trains.show import draw


@cache
def _pages() -> Any:
    from companion.games.trains.pages import PAGES

    return PAGES


GAME: Final[Game[State, Play, Event]] = Game(
    name=labels.NAME,
    seat_counts=SEAT_COUNTS,
    editions={EDITION: labels.edition},
    ways={
        "referee": Way(
            plays=frozenset(record.REPORTED),
            follows=True,
            name=words.referee,
            hint=words.referee_hint,
        ),
        "light": Way(
            plays=frozenset(light.PLAYS),
            read=light.read_light,
            follows=True,
            name=labels.light,
            hint=labels.light_hint,
        ),
    },
    order_free=frozenset({"deal"}),
    new=new,
    decide=decide,
    evolve=evolve,
    view=view,
    correct=correct,
    memory=MEMORY,
    finish=lambda state: (GameGivenUp(),),
    is_over=lambda state: state.phase == OVER,
    outcome=outcome,
    starter_by_lot=True,
    is_between_rounds=lambda state: state.phase == OVER,
    next_starter=lambda state: state.clockwise(state.starter)[1],
    events=EVENTS,
    reasons=REASONS,
    read_header=record.read_header,
    header_fields=record.header_fields,
    read_play=record.read_play,
    play_fields=record.play_fields,
    plays_of=record.plays_of,
    accepted=record.accepted,
    draw=draw,
    texts=texts,
    book=lambda t, edition: book(t),
    explanation=explanation,
    pages=_pages,
)
