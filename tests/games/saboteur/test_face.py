"""What the face of the rules promises to those who use it."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import get_args

import pytest
from msgspec import Struct
from msgspec.structs import fields, replace

from companion.games.game import Reason, Rejection
from companion.games.saboteur import GAME, reasons
from companion.games.saboteur.rules.cards import DWARVES, GOLD_CARDS, MINER, SABOTEUR
from companion.games.saboteur.rules.decide import legal
from companion.games.saboteur.rules.model import (
    EVENTS,
    Break,
    Count,
    Deal,
    Dealt,
    Map,
    MapRead,
    Pass,
    Passed,
    Path,
    PathPlaced,
    Play,
    Repair,
    Result,
    ResultTold,
    Rockfall,
    RockFell,
    ToolBroken,
    ToolRepaired,
)
from tests.games.saboteur.players import new_game, next_play, play


def test_plays_and_events_are_plain() -> None:
    """Integers, texts, tuples of these, or None: they can be written down as they are."""
    rng = Random(3)
    seen: Counter[str] = Counter()
    for _ in range(30):
        state = new_game(rng)
        counted = False
        while not state.over:
            chosen = next_play(state, rng)
            if state.now is not None and not counted:
                chosen, counted = Count(state.now.turn, state.now.pile), True
            state, events = play(state, chosen)
            for thing in [chosen, *events]:
                seen[type(thing).__name__] += 1
                assert isinstance(thing, Struct)
                assert all(plain(getattr(thing, field.name)) for field in fields(thing))
    assert set(seen) == {play.__name__ for play in get_args(Play)} | set(EVENTS)


def plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(plain(part) for part in value)
    return value is None or type(value) in (int, str)


def test_chance_comes_from_outside() -> None:
    class Reversing:
        def shuffle(self, x: list) -> None:
            x.reverse()

    state = GAME.new(10, 3, "en", Reversing())
    assert state.gold == tuple(reversed(GOLD_CARDS))
    assert GAME.deal(state, Reversing()) == Deal((MINER,) * 7 + (SABOTEUR,) * 3)
    for seats in GAME.seat_counts:
        state = GAME.new(seats, 0, "en", Reversing())
        dealt = GAME.deal(state, Random(1))
        assert len(dealt.roles) == seats
        assert sum(DWARVES[seats]) == seats + 1


@pytest.mark.parametrize("seat", [-1, 3])
def test_seats_that_are_not_there(seat: int) -> None:
    state = replace(new_game(Random(1), 3), starter=0)
    unknown = Rejection(reasons.UNKNOWN_SEAT)
    for wrong in [
        Pass(seat),
        Repair(0, ("cart",), "cart", seat),
        Result(0, seat, None),
        Result(0, None, seat),
    ]:
        assert GAME.decide(state, wrong) == unknown


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (Break(0, "shovel", 1), reasons.UNKNOWN_CARD),
        (Repair(0, ("shovel",), "shovel", 1), reasons.UNKNOWN_CARD),
        (Repair(0, ("cart", "shovel"), "cart", 1), reasons.UNKNOWN_CARD),
        (Repair(0, ("cart",), "shovel", 1), reasons.REPAIR_MISMATCH),
        (Map(0, "west"), reasons.GOAL_FACE_UP),
    ],
)
def test_things_that_do_not_exist_are_refused_too(wrong: Play, reason: Reason) -> None:
    state = replace(new_game(Random(1), 3), starter=0)
    assert GAME.decide(state, Deal(("miner", "wizard", "miner"))) == Rejection(
        reasons.IMPOSSIBLE_ROLES
    )
    state, _ = play(state, Deal((MINER,) * 3))
    assert GAME.decide(state, wrong) == Rejection(reason)


def test_refusals_tell_what_a_sentence_needs() -> None:
    state = replace(new_game(Random(1), 3), starter=2)
    state, _ = play(state, Deal((MINER,) * 3))
    assert GAME.decide(state, Pass(0)) == Rejection(reasons.NOT_YOUR_TURN, {"seat": 2})
    for tool in ("cart", "pickaxe"):
        state, _ = play(state, Break(state.now.turn, tool, 1))
    refused = GAME.decide(state, Path(1, "NESW", (1, 0)))
    assert refused == Rejection(reasons.TOOLS_BROKEN, {"tools": ("pickaxe", "cart")})
    assert legal(state) == {}


def test_nothing_moves_without_a_round() -> None:
    state = new_game(Random(1), 3)
    with pytest.raises(ValueError, match="no round is on"):
        GAME.evolve(state, PathPlaced(0, "NESW", (1, 0)))


def test_a_round_begins_with_nothing_played() -> None:
    state, _ = play(new_game(Random(1), 3), Deal((MINER,) * 3))
    now = state.now
    assert (now.used, now.last, now.passes, now.reveal, now.broken) == (0, None, 0, (), (0, 0, 0))


def test_events_say_what_was_played() -> None:
    state = replace(new_game(Random(1), 3, "en"), starter=0)
    for chosen, event in [
        (Deal((MINER,) * 3), Dealt((MINER,) * 3)),
        (Path(0, "ESW", (1, 0)), PathPlaced(0, "ESW", (1, 0))),
        (Break(1, "cart", 2), ToolBroken(1, "cart", 2)),
        (Repair(2, ("cart", "lantern"), "cart", 2), None),
        (Map(0, "south"), MapRead(0, "south")),
        (Rockfall(1, (1, 0)), RockFell(1, (1, 0), "ESW")),
        (Pass(2), Passed(2)),
    ]:
        state, events = play(state, chosen)
        assert events == (event or ToolRepaired(2, ("cart", "lantern"), "cart", 2),)
    _, events = play(state, Result(1, 0, 2))
    assert events[0] == ResultTold(1, 0, 2)
    assert (events[1].finisher, events[1].last, events[1].starter) == (0, 2, 0)
