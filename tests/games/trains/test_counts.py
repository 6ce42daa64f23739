"""Counts of legal plays to a depth, as `counts.toml` has them."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.games.game import Rejection
from companion.games.trains import GAME
from companion.games.trains.rules.abilities import ABILITIES, WAGONS
from companion.games.trains.rules.decide import Option, decide, legal, whereabouts
from companion.games.trains.rules.model import Draft, Draw, Play, Refill, State, Use
from tests.games.trains.words import state_of

DATA = Path(__file__).with_name("counts.toml").read_text(encoding="utf-8")
POSITIONS = tomllib.loads(DATA)["position"]


def plays(at: State, option: Option) -> list[Play]:
    seat = at.turn
    assert seat is not None
    places = option.places
    if option.ability is not None:
        return [Use(seat, option.ability, place) for place in (places or (None,))]
    wagon = next(wagon for wagon in WAGONS if whereabouts(at, wagon) is None)
    if option.play == "refill":
        return [Refill(seat, wagon, ability(at, at.owed[0][1]))]
    kind = Draft if option.play == "draft" else Draw
    row = at.rows[seat]
    return [kind(seat, wagon, place, ability(at, row[place - 1])) for place in places]


def ability(at: State, wagon: int) -> str:
    return at.known[wagon] or ABILITIES[wagon % len(ABILITIES)]


def count(at: State, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for option in legal(at):
        for play in plays(at, option):
            events = decide(at, play)
            assert not isinstance(events, Rejection)
            total += count(GAME.fold(at, events), depth - 1)
    return total


@pytest.mark.parametrize("position", POSITIONS, ids=[one["name"] for one in POSITIONS])
def test_counts(position: dict[str, Any]) -> None:
    at = state_of(position)
    depths = range(1, len(position["counts"]) + 1)
    assert [count(at, depth) for depth in depths] == position["counts"]
    assert len(depths) >= 3
