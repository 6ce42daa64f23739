"""The Game of Trains in records: the fields of a line, the verdict on an accepted one, and writing.

Names become seats here, and the sides of `protect` become places; `decide` answers every question
of the rules, and of a refusal only its code is passed on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeGuard

from companion.games.game import Rejection
from companion.games.trains.rules import GAME
from companion.games.trains.rules.abilities import PLACES, REACH
from companion.games.trains.rules.decide import decide
from companion.games.trains.rules.evolve import evolve
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
from companion.record.jsonl import Fields, written
from companion.record.judge import Malformed, Verdict, good_seats, is_number, malformed

EDITION: Final = "et-2015"
"""A header names none: there is one booklet."""

PROTECT_PLACES: Final = {"left": 1, "middle": 4, "right": 7}

_SIDES: Final = {place: side for side, place in PROTECT_PLACES.items()}

_NOBODY: Final = -1
"""The seat of a name that nobody at the table has."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A game as a record knows it: the rules' state, and whose name which seat is."""

    names: tuple[str, ...]
    state: State


class TrainsRecord:
    """The part of the Game of Trains in judging a record."""

    def header(self, fields: Fields) -> Recorded | Malformed:
        names = good_seats(fields.get("seats"), GAME.seat_counts)
        if names is None:
            return Malformed("seats")
        starter = fields.get("starter")
        if starter not in names:
            return Malformed("starter")
        return Recorded(names, GAME.new(len(names), names.index(starter), EDITION))

    def judge(self, recorded: Recorded, fields: Fields) -> tuple[Recorded, Verdict]:
        names, state = recorded.names, recorded.state
        play = _play(fields, names)
        if isinstance(play, Malformed):
            return recorded, malformed(play.field)
        if play.seat == _NOBODY:
            return recorded, {"ok": False, "reason": "unknown_seat"}
        decision = decide(state, play)
        if isinstance(decision, Rejection):
            return recorded, {"ok": False, "reason": decision.reason.code}
        for event in decision:
            state = evolve(state, event)
        return Recorded(names, state), _accepted(names, state)


RECORD: Final = TrainsRecord()


def _accepted(names: tuple[str, ...], state: State) -> Verdict:
    turn = state.turn
    verdict: Verdict = {
        "ok": True,
        "market": [ability for ability, _ in state.market],
        "turn": None if turn is None else names[turn],
    }
    if state.phase == OVER and state.winner is not None:
        verdict["game_over"] = {"winner": names[state.winner]}
    return verdict


def _play(fields: Fields, names: tuple[str, ...]) -> Play | Malformed:
    """The play that a line asks for, by nobody (`_NOBODY`) if no seat has the name."""
    play = fields.get("play")
    read = _READERS.get(play) if type(play) is str else None
    if read is None:
        return Malformed("play")
    by = fields.get("by")
    if type(by) is not str:
        return Malformed("by")
    return read(names.index(by) if by in names else _NOBODY, fields)


def read_play(seat: int, fields: Fields) -> Play | Malformed:
    """What a seat asks for, by the fields of a line: the one place where a record's words for
    cards and places become the rules' own.

    >>> read_play(1, {"play": "use", "ability": "protect", "at": "middle"})
    Use(seat=1, ability='protect', place=4)
    """
    play = fields.get("play")
    read = _READERS.get(play) if type(play) is str else None
    return Malformed("play") if read is None else read(seat, fields)


def _deal(seat: int, fields: Fields) -> Deal | Malformed:
    row = fields.get("row")
    if type(row) is not list or len(row) != len(PLACES) or not all(map(is_number, row)):
        return Malformed("row")
    return Deal(seat, tuple(row))


def _draft(seat: int, fields: Fields) -> Draft | Malformed:
    bad = _bad_replacement(fields)
    if bad is not None:
        return bad
    return Draft(seat, fields["card"], fields["at"], fields.get("ability"))


def _draw(seat: int, fields: Fields) -> Draw | Malformed:
    bad = _bad_replacement(fields)
    if bad is not None:
        return bad
    return Draw(seat, fields["card"], fields["at"], fields.get("ability"))


def _refill(seat: int, fields: Fields) -> Refill | Malformed:
    if not is_number(fields.get("card")):
        return Malformed("card")
    if not _is_ability_or_left_out(fields):
        return Malformed("ability")
    return Refill(seat, fields["card"], fields.get("ability"))


def _use(seat: int, fields: Fields) -> Use | Malformed:
    ability = fields.get("ability")
    if not _is_ability(ability):
        return Malformed("ability")
    if not REACH[ability]:
        return Use(seat, ability)
    at = fields.get("at")
    if ability == "protect":
        place = PROTECT_PLACES.get(at) if type(at) is str else None
    else:
        place = at if _is_place(at) else None
    return Malformed("at") if place is None else Use(seat, ability, place)


_READERS: Final[dict[str, Callable[[int, Fields], Play | Malformed]]] = {
    "deal": _deal,
    "draft": _draft,
    "draw": _draw,
    "use": _use,
    "refill": _refill,
}


def _bad_replacement(fields: Fields) -> Malformed | None:
    if not is_number(fields.get("card")):
        return Malformed("card")
    if not _is_place(fields.get("at")):
        return Malformed("at")
    if not _is_ability_or_left_out(fields):
        return Malformed("ability")
    return None


def _is_place(value: object) -> bool:
    return type(value) is int and value in PLACES


def _is_ability(value: object) -> TypeGuard[str]:
    return type(value) is str and value in REACH


def _is_ability_or_left_out(fields: Fields) -> bool:
    return "ability" not in fields or _is_ability(fields["ability"])


# Writing


def trains_record(seats: Sequence[str], starter: str, plays: Iterable[Play]) -> Iterator[str]:
    """The lines of a game's record, each with its line feed; judging it gives the same game.

    >>> for line in trains_record(["A", "B"], "A", [Use(1, "protect", 4)]):
    ...     print(line, end="")
    {"game": "trains", "seats": ["A", "B"], "starter": "A"}
    {"by": "B", "play": "use", "ability": "protect", "at": "middle"}
    """
    yield written({"game": "trains", "seats": list(seats), "starter": starter})
    for play in plays:
        yield written(play_fields(play, seats))


def play_fields(play: Play, names: Sequence[str]) -> Fields:
    """The fields of the line that reports this play."""
    fields: Fields = {"by": names[play.seat], "play": type(play).__name__.lower()}
    match play:
        case Deal():
            return fields | {"row": list(play.row)}
        case Use(_, ability, place):
            fields["ability"] = ability
            if REACH[ability] and place is not None:
                fields["at"] = _SIDES[place] if ability == "protect" else place
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
    waiting: Draft | Draw | Refill | None = None
    for event in events:
        if isinstance(event, MarketGrew | PairDiscarded):
            if waiting is not None:
                yield replace(waiting, ability=event.ability)
            waiting = None
            continue
        play = _play_of(event)
        if isinstance(play, Draft | Draw | Refill):
            waiting = play
        elif play is not None:
            yield play


def _play_of(event: Event) -> Play | None:
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
