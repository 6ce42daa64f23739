"""Saboteur: hidden roles and a maze of tunnels, for three to ten players."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from companion.games import words
from companion.games.game import Game, Way
from companion.games.saboteur import labels, record, texts
from companion.games.saboteur.book import book
from companion.games.saboteur.correct import correct
from companion.games.saboteur.explained import explanation
from companion.games.saboteur.outcome import outcome
from companion.games.saboteur.reasons import REASONS
from companion.games.saboteur.rules.cards import SEAT_COUNTS
from companion.games.saboteur.rules.decide import ROUNDS, decide, finished
from companion.games.saboteur.rules.editions import EDITIONS
from companion.games.saboteur.rules.evolve import evolve
from companion.games.saboteur.rules.model import EVENTS, Event, Play, Seats, State
from companion.games.saboteur.rules.redraw import redrawn
from companion.games.saboteur.rules.setup import deal, new
from companion.games.saboteur.rules.view import view
from companion.games.saboteur.show import draw

_RESULT: Final = "result"
_COUNT: Final = "count"


@cache
def _pages() -> Any:
    from companion.games.saboteur.pages import PAGES

    return PAGES


GAME: Final[Game[State, Play, Event]] = Game(
    name=labels.NAME,
    seat_counts=SEAT_COUNTS,
    editions={name: labels.EDITIONS[name] for name in EDITIONS},
    rounds=ROUNDS,
    ways={
        "roles": Way(plays=frozenset({_RESULT}), name=labels.roles, hint=labels.roles_hint),
        "referee": Way(
            plays=frozenset(record.REPORTED) - {_RESULT, _COUNT},
            host_plays=frozenset({_COUNT}),
            host_fields=frozenset({"uncounted"}),
            follows=True,
            name=words.referee,
            hint=words.referee_hint,
        ),
    },
    host_plays=frozenset({_RESULT}),
    new=new,
    decide=decide,
    evolve=evolve,
    view=view,
    deal=deal,
    ends_wait=True,
    drawn_once=labels.gold_order,
    correct=correct,
    redraw=redrawn,
    reseat=lambda state, circle: decide(state, Seats(circle)),
    finish=finished,
    is_over=lambda state: state.over,
    outcome=outcome,
    roles=labels.ROLES,
    points=labels.nuggets,
    board_game_geek=9220,
    gains_when_broken_off=True,
    is_between_rounds=lambda state: state.now is None,
    next_starter=lambda state: state.starter,
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
    public_event=texts.public_event,
    book=book,
    explanation=explanation,
    pages=_pages,
)
