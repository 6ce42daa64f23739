"""A play that was reported wrongly: another card or place than lies on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.fields import Fields, Malformed
from companion.games.game import Rejection
from companion.games.saboteur import refusals
from companion.games.saboteur.record import plays_of, read_play
from companion.games.saboteur.rules.model import Event, Path, Play, State

_NO_ROUND = Rejection(refusals.NO_ROUND)


def correct(
    state: State, told: Sequence[tuple[Event, ...]], fields: Fields
) -> tuple[Play, ...] | Rejection | Malformed:
    """`told`: the events of each play since the deal. The fields have the number of the play that
    was reported wrongly, from 0, as `step`, and the card and the place as they are."""
    if state.now is None:
        return _NO_ROUND
    step = fields.get("step")
    plays = tuple(play for events in told for play in plays_of(events))
    if type(step) is not int or not 0 <= step < len(plays):
        return Malformed("step")
    was = plays[step]
    if not isinstance(was, Path):
        return Malformed("step")
    play = read_play({**fields, "play": "path", "by": was.by, "uncounted": False}, lambda _: was.by)
    if not isinstance(play, Path):
        return play if isinstance(play, Malformed) else Malformed("play")
    if play.card == was.card:
        play = replace(play, uncounted=was.uncounted)
    return (*plays[:step], play, *plays[step + 1 :])
