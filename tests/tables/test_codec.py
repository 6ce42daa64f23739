"""Values to plain JSON and back: everything that the log holds, and nothing loosely."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec import Struct

from companion.games import GAMES
from companion.tables.codec import UndecodableError, decode, decode_events, encode
from companion.tables.events import EVENTS, GameStarted, Played


class Everything(Struct, frozen=True):
    number: int
    text: str
    maybe: int | None
    pair: tuple[int, str]
    many: tuple[tuple[int, int], ...]
    rest: Any = None


FULL = Everything(1, "x", None, (1, "a"), ((1, 2), (3, 4)), {"any": [1]})


def test_there_and_back() -> None:
    assert decode(Everything, json.loads(json.dumps(encode(FULL)))) == Everything(
        1, "x", None, (1, "a"), ((1, 2), (3, 4)), {"any": [1]}
    )


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("number", True),
        ("number", "1"),
        ("number", 1.0),
        ("text", 1),
        ("maybe", "x"),
        ("pair", [1]),
        ("pair", "1a"),
        ("many", [[1, 2], [3]]),
        ("many", {"0": [1, 2]}),
    ],
)
def test_nothing_is_bent_to_fit(field: str, value: object) -> None:
    with pytest.raises(UndecodableError, match=rf"\$\.{field}\b"):
        decode(Everything, encode(FULL) | {field: value})


def test_missing_and_unknown_fields() -> None:
    plain = encode(FULL)
    del plain["text"]
    with pytest.raises(UndecodableError, match="text"):
        decode(Everything, plain)
    with pytest.raises(UndecodableError, match="more"):
        decode(Everything, encode(FULL) | {"more": 1})


def test_what_has_no_plain_form() -> None:
    with pytest.raises(TypeError, match="object"):
        encode(object())


def test_every_event_is_in_the_registry_under_its_name() -> None:
    assert all(name == kind.__name__ for name, kind in EVENTS.items())
    started = GameStarted(2, ((1, 0),))
    assert decode(GameStarted, json.loads(json.dumps(encode(started)))) == started
    played = Played(None, ({"event": "Passed", "by": 1},))
    assert decode(Played, json.loads(json.dumps(encode(played)))) == played


@pytest.mark.parametrize("name", GAMES)
def test_every_game_can_be_read_back(name: str) -> None:
    game = GAMES[name]
    assert game.name == name
    assert all(kind.__name__ == event for event, kind in game.events.items())
    with pytest.raises(UndecodableError):
        decode_events(game.events, [{"event": "Vanished"}])
