"""The full referee: a round whose plays are reported, one after the other."""

from __future__ import annotations

from companion.games.saboteur.rules.model import Pass, Play, Result, Reveal, Rockfall, State
from tests.games.saboteur.players import any_play, digger_play
from tests.kit.forms import form_of
from tests.noninterference.by_word import all_the_rest, result_of, waited
from tests.noninterference.crowd import Crowd
from tests.noninterference.getting_in import the_host_is_gone

PLAYS_MAX = 16
"""Plays reported in a round before its end is told by word."""


def referee(crowd: Crowd, number: int) -> None:
    if number == 0:
        the_host_is_gone(crowd)
    reached = crowd.plan.winners[number] == "miners"
    treasure = "middle" if reached else "none"
    halt_at = {2, 7}
    for turn in range(60):
        state = crowd.state
        if state.now is None:
            return
        if turn in halt_at:
            crowd.halt(crowd.viewers[turn % 3 :: 3])
        if turn == 5:
            all_the_rest(crowd, number)
        if not state.now.reveal and turn >= PLAYS_MAX:
            break
        if state.now.reveal and reached:
            crowd.halt(crowd.viewers[:3])
        if state.now.reveal and not reached and state.now.maze.down and turn >= PLAYS_MAX:
            crowd.do(crowd.host, "take-back")
            break
        _reported(crowd, _next(crowd, state, treasure))
        waited(crowd, number)
        if turn == 4:
            crowd.do(crowd.host, "take-back")
        if turn == 6 and crowd.state.now is not None:
            _reported(crowd, Pass(crowd.state.now.turn))
            last = crowd.worlds.table.round.undo_steps[-1]
            assert last.by
            crowd.do(crowd.host, "take-back")
    if crowd.state.now is not None:
        if crowd.state.now.reveal:
            crowd.do(crowd.host, "take-back")
        crowd.do(crowd.host, "play", play="result", **result_of(crowd, number))
        waited(crowd, number)


def _next(crowd: Crowd, state: State, treasure: str) -> Play:
    assert state.now is not None
    if treasure == "none":
        for _ in range(200):
            play = any_play(state, crowd.rng)
            if isinstance(play, Result) or (isinstance(play, Reveal) and play.card == "NESW"):
                continue
            return play
    if not state.now.reveal and crowd.rng.random() < 0.25:
        play = any_play(state, crowd.rng)
        if not isinstance(play, Result | Rockfall | Reveal):
            return play
    return digger_play(state, crowd.rng, treasure)


def _reported(crowd: Crowd, play: Play) -> None:
    """By the phone whose turn it is, or by the host in its name."""
    table = crowd.worlds.table
    assert not isinstance(play, Result)
    by = table.players[play.by].id  # type: ignore[union-attr] # nobody deals here
    phone = crowd.host if crowd.rng.random() < 0.2 else crowd.holders[by]
    crowd.do(phone, "play", **form_of(play, tuple(str(each.id) for each in table.players)))
