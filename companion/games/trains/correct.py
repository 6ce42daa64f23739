"""What was reported wrongly of a wagon: its number where it came to a row, or what it can do."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.games.fields import Fields, FindsPlayer, Malformed
from companion.games.game import Rejection
from companion.games.trains import reasons
from companion.games.trains.record import plays_of
from companion.games.trains.rules.abilities import REACH
from companion.games.trains.rules.decide import wagon_refusal
from companion.games.trains.rules.model import (
    Deal,
    Event,
    MarketGrew,
    PairDiscarded,
    Play,
    Put,
    State,
)
from companion.values import with_one

Plays = tuple[Play, ...]


def correct(
    state: State, reported: Sequence[tuple[Event, ...]], fields: Fields, _: FindsPlayer
) -> Plays | Rejection | Malformed:
    """`reported`: the events of each play so far. The fields have the wagon as it was reported, and
    its `number` or `ability` as it is; both, where nobody knows what a wagon of that number can
    do."""
    wagon, number, ability = fields.get("card"), fields.get("number"), fields.get("ability")
    if state.light or type(wagon) is not int:
        return Malformed("card")
    if ability is not None and ability not in REACH:
        return Malformed("ability")
    plays = tuple(play for events in reported for play in plays_of(events))
    telling = [at for at, events in enumerate(reported) if wagon in map(wagon_told, events)]
    if number is None and ability is not None:
        return _with_ability(plays, telling, ability) if telling else Malformed("card")
    if type(number) is not int:
        return Malformed("number")
    if number == wagon:
        return plays
    return _renumbered(state, plays, telling, wagon, number, ability)


def _renumbered(
    state: State,
    plays: Plays,
    telling: Sequence[int],
    wagon: int,
    number: int,
    ability: str | None,
) -> Plays | Rejection | Malformed:
    """`telling`: which plays tell the wagon's ability."""
    refusal = wagon_refusal(state, number)
    if refusal is not None:
        return refusal
    at = next((at for at in reversed(range(len(plays))) if wagon in brought(plays[at])), None)
    if at is None:
        return Malformed("card")
    renumbered = _with_number(state, plays, at, wagon, number)
    later = [each for each in telling if each > at]
    if isinstance(renumbered, Rejection) or not later:
        return renumbered
    if ability is None and telling == later and _was_asked(plays[later[0]], state.given[wagon]):
        return renumbered
    ability = ability or state.ability(number)
    if ability is None:
        return Rejection(reasons.ABILITY_MISSING, {"wagon": number})
    return _with_ability(renumbered, later, ability)


def _was_asked(play: Play, given: str | None) -> bool:
    """Its ability was asked when the wagon left the row, so it was read off the card and stays; one
    taken from its number was that of the wrong number."""
    return isinstance(play, Put) and play.ability != given


def wagon_told(event: Event) -> int | None:
    """The wagon whose ability an event tells."""
    return event.wagon if isinstance(event, MarketGrew | PairDiscarded) else None


def _with_ability(plays: Plays, telling: Sequence[int], ability: str) -> Plays:
    """`telling`: which plays tell it."""
    return tuple(
        replace(play, ability=ability) if at in telling and isinstance(play, Put) else play
        for at, play in enumerate(plays)
    )


def _with_number(state: State, plays: Plays, at: int, wagon: int, number: int) -> Plays | Rejection:
    play = plays[at]
    if isinstance(play, Put):
        return with_one(plays, at, replace(play, wagon=number))
    assert isinstance(play, Deal)
    row = tuple(number if each == wagon else each for each in play.row)
    order = tuple(sorted(row, reverse=True))
    if row != order and state.rows[play.by] != play.row:  # it has been played with
        return Rejection(reasons.PLAYED_WITH)
    return with_one(plays, at, Deal(play.by, order))


def brought(play: Play | None) -> tuple[int, ...]:
    """The wagons that come to a row by a play."""
    if isinstance(play, Deal):
        return play.row
    return (play.wagon,) if isinstance(play, Put) else ()
