"""The Game of Trains in records: the fields of a line, the verdict on an accepted one, and writing.

Players come in as indexes, and the sides of `protect` become places; `decide`
answers every question of the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final, TypeGuard

from msgspec.structs import replace

from companion.games.fields import (
    Fields,
    FindsPlayer,
    Malformed,
    PlayerIndex,
    RecordStart,
    is_number,
    seating,
)
from companion.games.trains.rules.abilities import PLACES, REACH, Ability, Row
from companion.games.trains.rules.model import (
    OVER,
    Deal,
    Draft,
    Draw,
    Event,
    GapFilled,
    MarketGrew,
    PairDiscarded,
    Play,
    Put,
    Refill,
    RowDealt,
    State,
    Use,
    WagonDrafted,
    WagonDrawn,
    WagonMoved,
    WagonProtected,
    WagonsRemoved,
    WagonsSwapped,
)
from companion.games.trains.rules.setup import SEAT_COUNTS, new

PROTECT_PLACES: Final = {"left": 1, "middle": 4, "right": 7}
SIDES: Final = {place: side for side, place in PROTECT_PLACES.items()}


def read_header(fields: Fields) -> RecordStart[State] | Malformed:
    seated = seating(fields, SEAT_COUNTS)
    if isinstance(seated, Malformed):
        return seated
    names, starter = seated
    return RecordStart(names, new(len(names), starter))


def header_fields(state: State, names: Sequence[str]) -> Fields:
    return {"seats": list(names), "starter": names[state.starter]}


def accepted(names: Sequence[str], state: State, events: Sequence[Event]) -> Fields:
    """What the verdict on a play says."""
    turn = state.turn
    verdict: Fields = {
        "market": [ability for ability, _ in state.market],
        "turn": None if turn is None else names[turn],
    }
    if state.phase == OVER and state.winner is not None:
        verdict["game_over"] = {"winner": names[state.winner]}
    return verdict


# Reading the fields of a play, in the order in which a bad one is named.


def read_play(fields: Fields, player_index: FindsPlayer) -> Play | Malformed:
    """The play that a line or a form asks for: the one place where a record's words for cards and
    places become the rules' own.

    >>> read_play({"play": "use", "by": "B", "ability": "protect", "at": "middle"}, "AB".index)
    Use(by=1, ability='protect', place=4)
    """
    name = fields.get("play")
    reader = _READERS.get(name) if type(name) is str else None
    if reader is None:
        return Malformed("play")
    by = player_index(fields.get("by"))
    return Malformed("by") if by is None else reader(by, fields)


def row_of(fields: Fields) -> Row | Malformed:
    """Seven numbers, whichever they are."""
    row = fields.get("row")
    if type(row) is not list or len(row) != len(PLACES) or not all(map(is_number, row)):
        return Malformed("row")
    return tuple(row)


def _deal(by: PlayerIndex, fields: Fields) -> Deal | Malformed:
    row = row_of(fields)
    return row if isinstance(row, Malformed) else Deal(by, row)


def _replacement(
    kind: type[Draft | Draw], by: PlayerIndex, fields: Fields
) -> Draft | Draw | Malformed:
    if not is_number(fields.get("card")):
        return Malformed("card")
    if not _is_place(fields.get("at")):
        return Malformed("at")
    if not _is_ability_or_left_out(fields):
        return Malformed("ability")
    return kind(by, fields["card"], fields["at"], fields.get("ability"))


def _refill(by: PlayerIndex, fields: Fields) -> Refill | Malformed:
    if not is_number(fields.get("card")):
        return Malformed("card")
    if not _is_ability_or_left_out(fields):
        return Malformed("ability")
    return Refill(by, fields["card"], fields.get("ability"))


def _use(by: PlayerIndex, fields: Fields) -> Use | Malformed:
    ability = fields.get("ability")
    if not _is_ability(ability):
        return Malformed("ability")
    if not REACH[ability]:
        return Use(by, ability)
    at = fields.get("at")
    if ability == "protect":
        place = PROTECT_PLACES.get(at) if type(at) is str else None
    else:
        place = at if _is_place(at) else None
    return Malformed("at") if place is None else Use(by, ability, place)


_READERS: Final[dict[str, Callable[[PlayerIndex, Fields], Play | Malformed]]] = {
    "deal": _deal,
    "draft": partial(_replacement, Draft),
    "draw": partial(_replacement, Draw),
    "use": _use,
    "refill": _refill,
}

REPORTED: Final = tuple(_READERS)
"""The plays of a record, all of them reported by players."""


def _is_place(value: object) -> bool:
    return type(value) is int and value in PLACES


def _is_ability(value: object) -> TypeGuard[Ability]:
    return type(value) is str and value in REACH


def _is_ability_or_left_out(fields: Fields) -> bool:
    return "ability" not in fields or _is_ability(fields["ability"])


# Writing


def play_fields(play: Play, names: Sequence[str]) -> Fields:
    """The fields of the line that reports this play."""
    fields: Fields = {"by": names[play.by], "play": type(play).__name__.lower()}
    match play:
        case Deal():
            return fields | {"row": list(play.row)}
        case Use(_, ability, place):
            fields["ability"] = ability
            if REACH[ability] and place is not None:
                fields["at"] = SIDES[place] if ability == "protect" else place
            return fields
        case Draft() | Draw():
            fields |= {"card": play.wagon, "at": play.place}
        case Refill():
            fields["card"] = play.wagon
    if play.ability is not None:
        fields["ability"] = play.ability
    return fields


def plays_of(events: Iterable[Event]) -> Iterator[Play]:
    """The plays that led to these events; a wagon's ability is told in the event after it."""
    waiting: Put | None = None
    for event in events:
        if isinstance(event, MarketGrew | PairDiscarded):
            if waiting is not None:
                yield replace(waiting, ability=event.ability)
            waiting = None
            continue
        play = play_of(event)
        if isinstance(play, Put):
            waiting = play
        elif play is not None:
            yield play


def play_of(event: Event) -> Play | None:
    """The play that caused an event, still without an ability; None for automatic consequences."""
    match event:
        case RowDealt(seat, row):
            return Deal(seat, row)
        case WagonDrafted(seat, wagon, place):
            return Draft(seat, wagon, place)
        case WagonDrawn(seat, wagon, place):
            return Draw(seat, wagon, place)
        case GapFilled(seat, wagon):
            return Refill(seat, wagon)
        case WagonsSwapped(seat, ability, _, left):
            return Use(seat, ability, left)
        case WagonMoved(seat, ability, _, start):
            return Use(seat, ability, start)
        case WagonProtected(seat, ability, _, place):
            return Use(seat, ability, place)
        case WagonsRemoved(seat, ability):
            return Use(seat, ability)
        case _:
            return None
