"""Dataclasses to plain JSON and back: everything that the log holds, and nothing loosely."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import Enum
from typing import Any, Literal, NamedTuple

import pytest

from companion import games
from companion.tables.codec import UndecodableError, decode, encode
from companion.tables.events import EVENTS, GameStarted, Played
from companion.tables.games import rules


class Tool(Enum):
    CART = "cart"


class Cell(NamedTuple):
    x: int
    y: int


@dataclass(frozen=True)
class Inner:
    at: Cell
    tool: Tool


@dataclass(frozen=True)
class Everything:
    number: int
    text: str
    truth: bool
    maybe: int | None
    pair: tuple[int, str]
    many: tuple[tuple[int, int], ...]
    inner: Inner
    seats: frozenset[int]
    way: Literal["a", "b"]
    size: float
    rest: Any = None


FULL = Everything(
    1, "x", True, None, (1, "a"), ((1, 2), (3, 4)), Inner(Cell(1, -2), Tool.CART),
    frozenset({3, 1}), "a", 0.5, {"any": [1]},
)  # fmt: skip


def test_there_and_back() -> None:
    plain = json.loads(json.dumps(encode(FULL)))
    assert plain["inner"] == {"at": [1, -2], "tool": "cart"}
    assert plain["seats"] == [1, 3]
    assert decode(Everything, plain) == FULL


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("number", True),
        ("number", "1"),
        ("number", 1.0),
        ("text", 1),
        ("truth", 1),
        ("maybe", "x"),
        ("pair", [1]),
        ("pair", "1a"),
        ("many", [[1, 2], [3]]),
        ("many", {"0": [1, 2]}),
        ("inner", None),
        ("seats", 3),
        ("way", "c"),
        ("size", "big"),
    ],
)
def test_nothing_is_bent_to_fit(field: str, value: object) -> None:
    with pytest.raises(UndecodableError) as error:
        decode(Everything, encode(FULL) | {field: value})
    assert error.value.field == field


def test_missing_and_unknown_fields() -> None:
    plain = encode(FULL)
    del plain["text"]
    with pytest.raises(UndecodableError, match="text"):
        decode(Everything, plain)
    with pytest.raises(UndecodableError, match="more"):
        decode(Everything, encode(FULL) | {"more": 1})
    with pytest.raises(UndecodableError, match="tool"):
        decode(Inner, {"at": [1, 2], "tool": "saw"})


def test_what_has_no_plain_form() -> None:
    with pytest.raises(TypeError, match="object"):
        encode(object())


def test_every_event_is_in_the_registry_under_its_name() -> None:
    assert all(name == kind.__name__ for name, kind in EVENTS.items())
    started = GameStarted(2, ((1, 0),))
    assert decode(GameStarted, json.loads(json.dumps(encode(started)))) == started
    played = Played(None, ({"event": "Passed", "by": 1},))
    assert decode(Played, json.loads(json.dumps(encode(played)))) == played


@pytest.mark.parametrize("name", games.names())
def test_every_game_can_be_read_back(name: str) -> None:
    game = rules(name)
    assert game is not None
    assert game.name == game.game.name == name
    with pytest.raises(UndecodableError):
        game.from_plain([{"event": "Vanished"}])
