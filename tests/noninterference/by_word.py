"""Roles and gold: a round that ends by somebody's word."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from companion.tables.ending import PHONES_MIN, may_confirm
from tests.noninterference.crowd import Crowd
from tests.noninterference.getting_in import the_host_is_gone
from tests.noninterference.worlds import Viewer


def by_word(crowd: Crowd, number: int) -> None:
    crowd.broken(crowd.holders[1])
    if number == 0:
        the_host_is_gone(crowd)
    reporter = crowd.holders[list(crowd.holders)[(number + 1) % len(crowd.holders)]]
    result = result_of(crowd, number)
    alike = len({world.draw.roles[: number + 1] for world in crowd.worlds.all}) == 1
    if alike:  # what is taken back has been seen, so only where it tells the worlds not apart
        for first in (result, _another(crowd, number)):
            _told(crowd, number, reporter, first)
            crowd.halt(crowd.viewers[:3])
            crowd.secret("gold", next(iter(crowd.holders)))
            crowd.do(crowd.host, "take-back")
            crowd.halt(crowd.viewers[2:5])
    if len(crowd.worlds.table.phones) >= PHONES_MIN:
        crowd.do(reporter, "play", play="result", **_another(crowd, number))
        crowd.halt(crowd.viewers[number::3])
        crowd.do(crowd.holders[2], "stop-end")
        crowd.halt(crowd.viewers[:2])
    else:
        all_the_rest(crowd, number)
    _told(crowd, number, reporter, result, partial(all_the_rest, crowd))


def _told(
    crowd: Crowd,
    number: int,
    reporter: Viewer,
    result: dict[str, str],
    meanwhile: Callable[[int], None] = lambda _: None,
) -> None:
    crowd.do(reporter, "play", play="result", **result)
    waited(crowd, number, meanwhile)


def waited(crowd: Crowd, number: int, meanwhile: Callable[[int], None] = lambda _: None) -> None:
    """Where the end of a round waits, another player's phone confirms it, or nobody does."""
    table = crowd.worlds.table
    if table.round.waiting_end is None:
        return
    devices = {seat.id: seat.device for seat in table.seats}
    others = [crowd.holders[seat] for seat in crowd.holders if may_confirm(table, devices[seat])]
    crowd.halt(crowd.viewers[number + 1 :: 3])
    meanwhile(number)
    if number % 2 or not others:
        for world in crowd.worlds.all:
            world.clock.now += world.settings.end_wait_s
            world.note_shown()
        crowd.worlds.tick()
    else:
        crowd.do(others[0], "confirm-end")


def all_the_rest(crowd: Crowd, number: int) -> None:
    """Before the last round ends: what comes after tells the worlds apart."""
    if number == len(crowd.plan.classes) - 1:
        for viewer in crowd.viewers:
            crowd.visit(viewer)


def result_of(crowd: Crowd, number: int) -> dict[str, str]:
    seats = list(crowd.holders)
    if crowd.plan.winners[number] == "miners":
        return {"reached": "1", "finisher": str(seats[(number + 1) % len(seats)])}
    return {"reached": "0", "last": str(seats[number % len(seats)])}


def _another(crowd: Crowd, number: int) -> dict[str, str]:
    """What did not happen."""
    seat = str(next(iter(crowd.holders)))
    if crowd.plan.winners[number] == "miners":
        return {"reached": "0", "last": seat}
    return {"reached": "1", "finisher": seat}
