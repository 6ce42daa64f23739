"""A play that was reported wrongly: another card, place, tool or player than it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from companion.games.fields import Fields, FindsPlayer, Malformed
from companion.games.game import Rejection
from companion.games.saboteur import reasons
from companion.games.saboteur.record import READERS, plays_of
from companion.games.saboteur.rules.cards import KIND
from companion.games.saboteur.rules.model import Break, Event, Path, Play, Repair, State
from companion.values import with_one

_Correctable = TypeVar("_Correctable", bound=Path | Break | Repair)

_NO_ROUND = Rejection(reasons.NO_ROUND)


def correct(
    state: State, reported: Sequence[tuple[Event, ...]], fields: Fields, player_index: FindsPlayer
) -> tuple[Play, ...] | Rejection | Malformed:
    """The plays since the deal, with one put right. `reported`: the events of each. The fields: the
    wrong play's number, from 0, as `step`, and the right fields of a play of the same kind."""
    if state.now is None:
        return _NO_ROUND
    step = fields.get("step")
    plays = tuple(play for events in reported for play in plays_of(events))
    if type(step) is not int or not 0 <= step < len(plays):
        return Malformed("step")
    was = plays[step]
    if not isinstance(was, Path | Break | Repair):
        return Malformed("step")
    name = type(was).__name__.lower()
    if fields.get("play") != name:
        return Malformed("play")
    play = READERS[name](was.by, fields, player_index)
    if isinstance(play, Malformed):
        return play
    assert isinstance(play, Path | Break | Repair)
    return with_one(plays, step, vouched_as(play, was))


def vouched_as(play: _Correctable, was: Path | Break | Repair) -> _Correctable:
    """A corrected play is vouched for as the reported one was, where it is the same card."""
    same = card_of(play) == card_of(was)
    return replace(play, uncounted=was.uncounted if same else 0)


def card_of(play: Path | Break | Repair) -> object:
    """The card as copies are counted; None for a path card that does not exist, which the rules
    refuse."""
    match play:
        case Path(card=card):
            return KIND.get(card)  # whichever way up it lies
        case Break(tool=tool):
            return tool
        case Repair(card=tools):
            return tools
