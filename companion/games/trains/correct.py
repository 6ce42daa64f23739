"""What was reported wrongly of a wagon: its number where it came to a row, or what it can do."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.games.fields import Fields, Malformed, PlayerIndex
from companion.games.game import Rejection
from companion.games.trains import refusals
from companion.games.trains.record import plays_of
from companion.games.trains.rules.abilities import REACH
from companion.games.trains.rules.decide import wagon_refusal
from companion.games.trains.rules.model import (
    Deal,
    Draft,
    Draw,
    Event,
    MarketGrew,
    PairDiscarded,
    Play,
    Refill,
    State,
)

Drawing = Draft | Draw | Refill
Plays = tuple[Play, ...]


def correct(
    state: State, told: Sequence[tuple[Event, ...]], fields: Fields, _: PlayerIndex
) -> Plays | Rejection | Malformed:
    """`told`: the events of each play so far. The fields have the wagon as it was reported, and its
    `number` or `ability` as it is."""
    wagon, number, ability = fields.get("card"), fields.get("number"), fields.get("ability")
    if type(wagon) is not int:
        return Malformed("card")
    plays = tuple(play for events in told for play in plays_of(events))
    if state.light:
        return Malformed("card")
    if ability is not None:
        return _with_ability(plays, told, wagon, ability)
    if type(number) is not int:
        return Malformed("number")
    return _with_number(state, plays, wagon, number)


def _with_ability(
    plays: Plays, told: Sequence[tuple[Event, ...]], wagon: int, ability: str
) -> Plays | Malformed:
    if ability not in REACH:
        return Malformed("ability")
    tells = [any(wagon_told(event) == wagon for event in events) for events in told]
    if not any(tells):
        return Malformed("card")
    return tuple(
        replace(play, ability=ability) if tell and isinstance(play, Drawing) else play
        for play, tell in zip(plays, tells, strict=True)
    )


def wagon_told(event: Event) -> int | None:
    """The wagon whose ability an event tells."""
    return event.wagon if isinstance(event, MarketGrew | PairDiscarded) else None


def _with_number(
    state: State, plays: Plays, wagon: int, number: int
) -> Plays | Rejection | Malformed:
    if number == wagon:
        return plays
    refusal = wagon_refusal(state, number)
    if refusal is not None:
        return refusal
    at = next((at for at in reversed(range(len(plays))) if wagon in brought(plays[at])), None)
    if at is None:
        return Malformed("card")
    play = plays[at]
    if isinstance(play, Drawing):
        return (*plays[:at], replace(play, wagon=number), *plays[at + 1 :])
    assert isinstance(play, Deal)
    row = tuple(number if each == wagon else each for each in play.row)
    order = tuple(sorted(row, reverse=True))
    if row != order and state.rows[play.by] != play.row:  # it has been played with
        return Rejection(refusals.NOT_DESCENDING)
    return (*plays[:at], Deal(play.by, order), *plays[at + 1 :])


def brought(play: Play) -> tuple[int, ...]:
    """The wagons that come to a row by a play."""
    if isinstance(play, Deal):
        return play.row
    return (play.wagon,) if isinstance(play, Drawing) else ()
