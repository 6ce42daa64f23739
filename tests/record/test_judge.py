"""Headers, the checks that come before the rules', and that nothing makes the judge fall over."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import GAMES
from companion.games.fields import good_names, is_between, is_number
from companion.games.saboteur import GAME
from companion.games.saboteur.record import play_fields, plays_of, read_play
from companion.games.saboteur.rules.cards import GOLD_CARDS
from companion.games.saboteur.rules.model import Play, State
from companion.record import read, verdicts
from companion.record.judge import Judge
from companion.record.writing import record_lines
from tests.games.saboteur.players import new_game, next_play, play

GOLD = list(GOLD_CARDS)
HEADER: dict[str, Any] = {
    "game": "saboteur",
    "edition": "en",
    "seats": ["A", "B", "C"],
    "starter": "A",
    "gold": GOLD,
}
DEAL = {"play": "deal", "roles": ["miner"] * 3}
SHARED = Path(__file__).parents[1] / "games" / "saboteur" / "records" / "shared"


def said(*lines: dict[str, Any]) -> dict[str, Any] | None:
    """The verdict on the last line."""
    judge = Judge(GAMES)
    verdict = None
    for line in lines:
        verdict = judge.line(json.loads(json.dumps(line)))
    return None if verdict is None else verdict.fields


def malformed(field: str) -> dict[str, Any]:
    return {"ok": False, "reason": "malformed", "field": field}


def test_gold_is_told_highest_first_however_it_was_taken() -> None:
    rest = [*GOLD]
    rest.remove(1)
    rest.remove(3)
    header = HEADER | {"gold": [1, 3, *rest]}
    deal = {"play": "deal", "roles": ["saboteur", "miner", "miner"]}
    told = {"play": "result", "by": "A", "finisher": None, "last": "C"}
    verdict = said(header, deal, told)
    assert verdict is not None
    assert verdict["round_over"]["gold"] == {"A": [3, 1], "B": [], "C": []}


def test_a_good_header_has_no_verdict() -> None:
    assert said(HEADER) is None


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"game": "chess"}, "game"),
        ({"game": None}, "game"),
        ({"game": ["saboteur"]}, "game"),
        ({"edition": "lv"}, "edition"),
        ({"edition": {}}, "edition"),
        ({"edition": None, "seats": None}, "edition"),
        ({"seats": "ABC"}, "seats"),
        ({"seats": ["A", "B"]}, "seats"),
        ({"seats": list("ABCDEFGHIJK")}, "seats"),
        ({"seats": ["A", "B", "A"]}, "seats"),
        ({"seats": ["A", "B", 3]}, "seats"),
        ({"seats": ["A", "B", ""]}, "seats"),
        ({"seats": ["A", "B", "x" * 25]}, "seats"),
        ({"seats": ["A", "B", ["C"]]}, "seats"),
        ({"seats": ["B", "C", "D"], "gold": 3}, "starter"),
        ({"starter": None}, "starter"),
        ({"starter": ["A"]}, "starter"),
        ({"starter": 0}, "starter"),
        ({"gold": GOLD[1:]}, "gold"),
        ({"gold": [*GOLD, 1]}, "gold"),
        ({"gold": [*GOLD[1:], 2]}, "gold"),
        ({"gold": [*GOLD[1:], 1.0]}, "gold"),
        ({"gold": [*GOLD[1:], True]}, "gold"),
        ({"gold": [*GOLD[1:], "1"]}, "gold"),
        ({"gold": {}}, "gold"),
    ],
)
def test_bad_headers(changes: dict[str, Any], field: str) -> None:
    assert said(HEADER | changes) == malformed(field)


@pytest.mark.parametrize("missing", ["edition", "seats", "starter", "gold"])
def test_headers_with_a_field_missing(missing: str) -> None:
    header = {key: value for key, value in HEADER.items() if key != missing}
    assert said(header) == malformed(missing)


@pytest.mark.parametrize(
    "changes",
    [
        {"seats": ["A", "a", "Á"]},
        {"seats": ["A", "x" * 24, "🂠" * 24]},
        {"seats": list("ABCDEFGHIJ")},
        {"seats": ["A", "\u00e9", "e\u0301"]},
        {"seats": ["A", "\ud800", "\udc00"]},
        {"gold": GOLD[::-1]},
        {"extra": None},
    ],
)
def test_good_headers(changes: dict[str, Any]) -> None:
    assert said(HEADER | changes) is None


def test_a_bad_header_ends_the_game_that_was_on() -> None:
    no_game = {"ok": False, "reason": "no_game"}
    assert said(HEADER, DEAL, {"game": "chess"}, {"play": "pass", "by": "A"}) == no_game
    assert said(HEADER, DEAL, {"game": "chess"}, {"what": 1}) == no_game
    assert said(HEADER, DEAL, {"game": "chess"}, HEADER, DEAL)["ok"]


def test_a_line_that_is_no_json_ends_nothing() -> None:
    lines = [json.dumps(HEADER), '{"game": "chess"', json.dumps(DEAL)]
    found = list(verdicts(["\n".join(lines).encode()], GAMES))
    assert [verdict["ok"] for verdict in found] == [False, True]
    assert found[0] == {"line": 2, "ok": False, "reason": "malformed"}


def test_a_header_starts_a_new_game() -> None:
    told = {"play": "result", "by": "A", "finisher": "A"}
    verdict = said(HEADER, DEAL, told, DEAL, HEADER, DEAL)
    assert verdict == {"ok": True, "round": 1, "pile": 49, "turn": "A"}


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ({}, "play"),
        ({"play": None, "by": 3}, "play"),
        ({"play": "dance", "by": "A"}, "play"),
        ({"play": ["pass"], "by": "A"}, "play"),
        ({"play": "pass"}, "by"),
        ({"play": "pass", "by": 0}, "by"),
        ({"play": "path", "by": None, "card": 1, "at": 1}, "by"),
        ({"play": "deal"}, "roles"),
        ({"play": "deal", "roles": "miner"}, "roles"),
        ({"play": "deal", "roles": ["miner", ["miner"], "miner"]}, "roles"),
        ({"play": "deal", "roles": ["miner", "Miner", "miner"]}, "roles"),
        ({"play": "seats"}, "order"),
        ({"play": "seats", "order": "A"}, "order"),
        ({"play": "seats", "order": ["A", None, "B"]}, "order"),
        ({"play": "path", "by": "A"}, "card"),
        ({"play": "path", "by": "A", "card": ["NS"], "at": 1}, "card"),
        ({"play": "path", "by": "A", "card": "NS"}, "at"),
        ({"play": "path", "by": "A", "card": "NS", "at": "1,0"}, "at"),
        ({"play": "path", "by": "A", "card": "NS", "at": [1]}, "at"),
        ({"play": "path", "by": "A", "card": "NS", "at": [1, 0, 0]}, "at"),
        ({"play": "path", "by": "A", "card": "NS", "at": [1.0, 0]}, "at"),
        ({"play": "path", "by": "A", "card": "NS", "at": [1, False]}, "at"),
        ({"play": "path", "by": "A", "card": "NS", "at": [100, 0]}, "at"),
        ({"play": "path", "by": "A", "card": "NS", "at": [0, -100]}, "at"),
        ({"play": "path", "by": "A", "card": "NS", "at": {"x": 1, "y": 0}}, "at"),
        ({"play": "reveal", "by": "A", "card": 1}, "goal"),
        ({"play": "reveal", "by": "A", "goal": "west", "card": 1}, "goal"),
        ({"play": "reveal", "by": "A", "goal": "north"}, "card"),
        ({"play": "reveal", "by": "A", "goal": "north", "card": 1}, "card"),
        ({"play": "break", "by": "A", "seat": 1}, "tool"),
        ({"play": "break", "by": "A", "tool": "lamp", "seat": 1}, "tool"),
        ({"play": "break", "by": "A", "tool": "cart"}, "seat"),
        ({"play": "break", "by": "A", "tool": "cart", "seat": None}, "seat"),
        ({"play": "repair", "by": "A", "card": "cart", "tool": 1}, "card"),
        ({"play": "repair", "by": "A", "card": ["cart", "lamp"], "tool": 1}, "card"),
        ({"play": "repair", "by": "A", "card": [["cart"]], "tool": 1}, "card"),
        ({"play": "repair", "by": "A", "card": ["cart"], "seat": 1}, "tool"),
        ({"play": "repair", "by": "A", "card": ["cart"], "tool": "lamp", "seat": 1}, "tool"),
        ({"play": "repair", "by": "A", "card": ["cart"], "tool": "cart", "seat": 1}, "seat"),
        ({"play": "rockfall", "by": "A"}, "at"),
        ({"play": "rockfall", "by": "A", "at": [0, 100]}, "at"),
        ({"play": "map", "by": "A"}, "goal"),
        ({"play": "map", "by": "A", "goal": {}}, "goal"),
        ({"play": "result", "by": "A"}, "finisher"),
        ({"play": "result", "by": "A", "finisher": 1, "last": 1}, "finisher"),
        ({"play": "result", "by": "A", "finisher": None, "last": None}, "last"),
        ({"play": "result", "by": "A", "finisher": "A", "last": 1}, "last"),
    ],
)
def test_bad_fields(line: dict[str, Any], field: str) -> None:
    assert said(HEADER, DEAL, line) == malformed(field)
    assert said(HEADER, line) == malformed(field)
    told = {"play": "result", "by": "A", "finisher": "A"}
    assert said(HEADER, *[DEAL, told] * 3, line) == malformed(field)
    stranger = line | {"by": "Z"} if isinstance(line.get("by"), str) else line
    assert said(HEADER, DEAL, stranger) == malformed(field)


@pytest.mark.parametrize(
    "line",
    [
        {"play": "pass", "by": "Z"},
        {"play": "pass", "by": ""},
        {"play": "pass", "by": "x" * 99},
        {"play": "break", "by": "A", "tool": "cart", "seat": "a"},
        {"play": "repair", "by": "A", "card": [], "tool": "cart", "seat": "Z"},
        {"play": "seats", "order": ["A", "A", "Z"]},
        {"play": "result", "by": "Z", "finisher": None},
        {"play": "result", "by": "A", "finisher": "Z"},
        {"play": "result", "by": "A", "finisher": None, "last": "Z"},
    ],
)
def test_strangers(line: dict[str, Any]) -> None:
    stranger = {"ok": False, "reason": "unknown_seat"}
    assert said(HEADER, line) == stranger
    assert said(HEADER, DEAL, line) == stranger
    told = {"play": "result", "by": "A", "finisher": "A"}
    assert said(HEADER, *[DEAL, told] * 3, line) == stranger
    assert said(HEADER, *[DEAL, told] * 3, {"play": "pass", "by": "A"}) == {
        "ok": False,
        "reason": "game_over",
    }


def test_fields_that_do_not_belong_are_not_looked_at() -> None:
    line = {"play": "pass", "by": "A", "seat": 7, "at": None, "card": [], "last": None}
    assert said(HEADER, DEAL, line)["ok"]
    assert said(HEADER, DEAL | {"by": 7})["ok"]


def test_the_edge_of_the_table() -> None:
    for at in ([99, -99], [-99, 99]):
        line = {"play": "path", "by": "A", "card": "NESW", "at": at}
        assert said(HEADER, DEAL, line) == {"ok": False, "reason": "not_adjacent"}


def test_a_refusal_leaves_the_very_state() -> None:
    judge = Judge(GAMES)
    judge.line(HEADER)
    judge.line(DEAL)
    before = judge.state
    judge.line({"play": "pass", "by": "B"})
    assert judge.state is before
    judge.line({"play": "pass"})
    assert judge.state is before


def test_numbers() -> None:
    assert is_number(10**15 - 1)
    assert is_number(-(10**15) + 1)
    for value in (10**15, -(10**15), True, 1.0, "1", None):
        assert not is_number(value)
    assert is_between(3, 3, 3)
    for value in (2, 4, 3.0, True):
        assert not is_between(value, 3, 3)


def test_names_of_players() -> None:
    assert good_names(["A", "B"], range(2, 5)) == ("A", "B")
    assert good_names(("A", "B"), range(2, 5)) is None


# Random records


def a_game(rng: Random) -> tuple[State, list[Play], State]:
    state = start = new_game(rng)
    plays = []
    while not state.over:
        plays.append(next_play(state, rng))
        state, _ = play(state, plays[-1])
    return start, plays, state


def names_of(seats: int) -> list[str]:
    return [f"Seat {seat}" for seat in range(seats)]


@given(st.integers(0, 2**32).map(Random))
@settings(max_examples=25)
def test_a_finished_game_saved_as_a_record_is_the_same_game(rng: Random) -> None:
    start, plays, state = a_game(rng)
    names = names_of(start.seats)
    lines = list(record_lines(GAME, names, start, plays))
    steps = list(read((line.encode() for line in lines), GAMES))
    assert all(step.verdict is None or step.verdict.ok for step in steps)
    assert steps[-1].state == state
    assert steps[-1].names == tuple(names)
    over = GAME.view(state, None)
    assert steps[-1].verdict.accepted["game_over"] == {
        "totals": dict(zip(names, over.totals, strict=True)),
        "winners": [names[seat] for seat in over.winners],
    }


@given(st.integers(0, 2**32).map(Random))
@settings(max_examples=25)
def test_plays_come_back_from_events_and_from_lines(rng: Random) -> None:
    start, plays, _ = a_game(rng)
    names = names_of(start.seats)
    state, events = start, []
    for chosen in plays:
        state, happened = play(state, chosen)
        events += happened
    assert list(plays_of(events)) == plays
    assert [read_play(play_fields(chosen, names), names.index) for chosen in plays] == plays


@given(
    st.lists(st.integers(0, 20_000), max_size=40),
    st.sampled_from(sorted(SHARED.glob("s*09.jsonl"))),
)
@settings(max_examples=20)
def test_judging_twice_or_in_pieces_changes_nothing(cuts: list[int], path: Path) -> None:
    data = path.read_bytes()
    places = sorted({0, len(data), *(cut % len(data) for cut in cuts)})
    pieces = [data[a:b] for a, b in itertools.pairwise(places)]
    assert list(verdicts(pieces, GAMES)) == list(verdicts([data], GAMES))


def test_records_can_be_joined_and_split() -> None:
    records = [
        path.read_bytes()
        for path in sorted(SHARED.glob("saboteur-*.jsonl"))
        if "v" not in path.suffixes[0]
    ]
    joined = list(verdicts(records, GAMES))
    alone = [list(verdicts([record], GAMES)) for record in records]
    stripped = [{k: v for k, v in verdict.items() if k != "line"} for verdict in joined]
    assert stripped == [
        {k: v for k, v in verdict.items() if k != "line"} for record in alone for verdict in record
    ]


WORDS = [
    "saboteur", "en", "et-2007", "deal", "path", "reveal", "break", "repair", "rockfall", "map",
    "pass", "result", "A", "B", "C", "miner", "saboteur", "cart", "north", "treasure", "NESW", "x",
]  # fmt: skip
values = st.recursive(
    st.sampled_from([*WORDS, None, True, 0, 1, -1, 1.5, 10**20, "", "\ud800"]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=2), inner, max_size=2)
    ),
    max_leaves=6,
)
keys = ["game", "edition", "seats", "starter", "gold", "play", "by", "card", "at", "goal", "tool",
        "seat", "finisher", "last", "roles"]  # fmt: skip
lines = st.dictionaries(st.sampled_from(keys[5:]), values, max_size=6).map(
    lambda fields: json.dumps(fields).encode()
)
junk = st.binary(max_size=30) | st.dictionaries(st.sampled_from(keys), values, max_size=6).map(
    lambda fields: json.dumps(fields).encode()
)


@given(st.lists(lines | junk, max_size=30))
@settings(max_examples=300)
def test_no_exception_escapes(tried: list[bytes]) -> None:
    head = [json.dumps(HEADER).encode(), json.dumps(DEAL).encode()]
    data = b"\n".join([*head, *tried])
    for verdict in verdicts([data], GAMES):
        assert isinstance(verdict["ok"], bool)
        assert json.loads(json.dumps(verdict)) == verdict
