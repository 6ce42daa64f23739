"""Whole records with their verdicts, and lines that are wrong in every field."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import GAMES
from companion.record.judge import Judge, verdicts
from tests.games.trains.write_endings import ENDINGS

RECORDS = Path(__file__).with_name("records")
FILES = sorted(path.stem for path in RECORDS.glob("*.jsonl") if "verdicts" not in path.name)


def lines(name: str) -> list[Any]:
    text = (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("name", FILES)
def test_verdicts(name: str) -> None:
    found = list(verdicts([(RECORDS / f"{name}.jsonl").read_bytes()], GAMES))
    assert found == lines(f"{name}.verdicts")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_is_kept_for_every_way_to_win(seats: int) -> None:
    """And the last line of each is the way that the list has at its place."""
    games: list[list[dict[str, Any]]] = []
    for line in lines(f"endings-{seats}"):
        if "game" in line:
            assert len(line["seats"]) == seats
            games.append([])
        else:
            games[-1].append(line)
    lasts = [game[-1] for game in games]
    ways = [last.get("ability") if last["play"] == "use" else last["play"] for last in lasts]
    assert ways == [how.split("_")[0] if how.startswith("refill") else how for how in ENDINGS]
    over = [v["game_over"] for v in lines(f"endings-{seats}.verdicts") if "game_over" in v]
    assert over == [{"winner": last["by"]} for last in lasts]


def test_a_win_on_the_way_leaves_the_others_gaps_open() -> None:
    for seats in (2, 3, 4):
        judge = Judge(GAMES)
        early = []
        for line in lines(f"endings-{seats}"):
            judge.line(line)
            if judge.state.phase == "over" and judge.state.owed:
                early.append(judge.state)
        assert len(early) == 1
        assert all(early[0].rows[seat].count(0) == 1 for seat, _ in early[0].owed)


# Lines wrong in a field

HEADER = {"game": "trains", "seats": ["A", "B"], "starter": "A"}
DEAL = {"by": "A", "play": "deal", "row": [70, 60, 50, 40, 30, 20, 10]}
DRAW = {"by": "A", "play": "draw", "card": 5, "at": 1, "ability": "protect"}
USE = {"by": "A", "play": "use", "ability": "swap_adjacent", "at": 1}
REFILL = {"by": "A", "play": "refill", "card": 5, "ability": "protect"}
GONE = object()

BAD_HEADERS = [
    ("seats", GONE),
    ("seats", None),
    ("seats", "AB"),
    ("seats", ["A"]),
    ("seats", ["A", "B", "C", "D", "E"]),
    ("seats", ["A", "A"]),
    ("seats", ["A", ""]),
    ("seats", ["A", "B" * 25]),
    ("seats", ["A", 7]),
    ("starter", GONE),
    ("starter", "C"),
    ("starter", 0),
    ("starter", ["A"]),
]

NO_NUMBERS = [GONE, None, "5", 5.0, True, [5], 10**15, -(10**15)]
NO_PLACES = [*NO_NUMBERS, 0, 8, -1]
NO_ABILITIES = [None, "", "swap", "Protect", 3, ["protect"], {"protect": 1}, True]

BAD_FIELDS = [
    *((DRAW, "play", bad) for bad in (GONE, None, "deals", 3, ["draw"], "path")),
    *((DRAW, "by", bad) for bad in (GONE, None, 3, ["A"], True)),
    *((DEAL, "row", bad) for bad in (GONE, None, 7, "70", [], [70] * 6, [70] * 8, {"a": 1})),
    *((DEAL, "row", [70, 60, 50, 40, 30, 20, bad]) for bad in NO_NUMBERS if bad is not GONE),
    *((DRAW, "card", bad) for bad in NO_NUMBERS),
    *((DRAW, "at", bad) for bad in (*NO_PLACES, "left")),
    *((DRAW, "ability", bad) for bad in NO_ABILITIES),
    *((DRAW | {"play": "draft"}, "card", bad) for bad in NO_NUMBERS),
    *((DRAW | {"play": "draft"}, "at", bad) for bad in NO_PLACES),
    *((DRAW | {"play": "draft"}, "ability", bad) for bad in NO_ABILITIES),
    *((REFILL, "card", bad) for bad in NO_NUMBERS),
    *((REFILL, "ability", bad) for bad in NO_ABILITIES),
    *((USE, "ability", bad) for bad in (GONE, *NO_ABILITIES)),
    *((USE, "at", bad) for bad in (*NO_PLACES, "left", "middle")),
    *((USE | {"ability": "move_left"}, "at", bad) for bad in NO_PLACES),
    *((USE | {"ability": "protect"}, "at", bad) for bad in (GONE, None, 1, "top", ["left"], {})),
]


def spoilt(line: dict[str, Any], field: str, bad: object) -> dict[str, Any]:
    return {k: v for k, v in (line | {field: bad}).items() if v is not GONE}


@pytest.mark.parametrize(("field", "bad"), BAD_HEADERS)
def test_a_bad_header_leaves_no_game_on(field: str, bad: object) -> None:
    judge = Judge(GAMES)
    assert judge.line(dict(HEADER)) is None
    refused = judge.line(spoilt(HEADER, field, bad))
    assert refused.fields == {"ok": False, "reason": "malformed", "field": field}
    assert judge.line(dict(DEAL)).fields == {"ok": False, "reason": "no_game"}


def test_seats_come_before_the_starter() -> None:
    refused = Judge(GAMES).line({"game": "trains", "starter": 7})
    assert refused.fields == {"ok": False, "reason": "malformed", "field": "seats"}


@pytest.mark.parametrize(("line", "field", "bad"), BAD_FIELDS)
def test_a_bad_field_is_named(line: dict[str, Any], field: str, bad: object) -> None:
    judge = Judge(GAMES)
    judge.line(dict(HEADER))
    refused = judge.line(spoilt(line, field, bad))
    assert refused.fields == {"ok": False, "reason": "malformed", "field": field}


ORDER = {
    "deal": ("by", "row"),
    "draft": ("by", "card", "at", "ability"),
    "draw": ("by", "card", "at", "ability"),
    "use": ("by", "ability", "at"),
    "refill": ("by", "card", "ability"),
}


@pytest.mark.parametrize("play", ORDER)
def test_the_first_bad_field_is_the_one_named(play: str) -> None:
    """Each in turn is put right, until only the last one is wrong."""
    right = {"deal": DEAL, "use": USE, "refill": REFILL}.get(play, DRAW)
    line: dict[str, Any] = {"play": play} | {field: {} for field in ORDER[play]}
    judge = Judge(GAMES)
    judge.line(dict(HEADER))
    for field in ORDER[play]:
        assert judge.line(line).fields == {"ok": False, "reason": "malformed", "field": field}
        line[field] = right[field]


@pytest.mark.parametrize("play", ORDER)
def test_a_stranger_is_named_after_bad_fields_and_before_the_rules(play: str) -> None:
    right = {"deal": DEAL, "use": USE, "refill": REFILL}.get(play, DRAW)
    judge = Judge(GAMES)
    judge.line(dict(HEADER))
    line = right | {"play": play, "by": "a"}
    assert judge.line(line).fields == {"ok": False, "reason": "unknown_seat"}


def test_removals_do_not_look_at_a_place() -> None:
    judge = Judge(GAMES)
    judge.line(dict(HEADER))
    line = USE | {"ability": "remove_left", "at": None}
    assert judge.line(line).fields == {"ok": False, "reason": "wrong_phase"}


def test_a_game_that_is_over_refuses_whatever_comes_with_good_fields() -> None:
    judge = Judge(GAMES)
    for line in lines("endings-2"):
        judge.line(line)
    assert judge.state.phase == "over"
    for line in (DEAL, DRAW, DRAW | {"play": "draft"}, USE, REFILL):
        over = line | {"by": "Aino"}
        assert judge.line(over).fields == {"ok": False, "reason": "game_over"}
        assert judge.line(over | {"by": "B"}).fields == {"ok": False, "reason": "unknown_seat"}


# Fuzz

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 90),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=3),
    st.sampled_from(["A", "B", "deal", "draw", "use", "left", "protect", "remove_left", "€"]),
    st.lists(st.integers(-1, 90), max_size=8),
    st.dictionaries(st.text(max_size=2), st.integers(), max_size=2),
)
FIELDS = st.dictionaries(st.sampled_from(["play", "by", "row", "card", "at", "ability"]), VALUES)
GAME = [line for line in lines("endings-3") if "game" not in line][:60]


@settings(max_examples=300)
@given(st.integers(0, 60), st.lists(FIELDS, max_size=6))
def test_no_line_breaks_the_referee(start: int, spoils: list[dict[str, Any]]) -> None:
    """Whatever stands in a line, it gets a verdict, and a refused one changes nothing."""
    judge = Judge(GAMES)
    judge.line(lines("endings-3")[0])
    for line in GAME[:start]:
        judge.line(line)
    for spoil in spoils:
        before = judge.state
        line = GAME[start % len(GAME)] | spoil
        verdict = judge.line(line)
        assert verdict is not None
        json.dumps(verdict.fields)
        if not verdict.ok:
            assert set(verdict.fields) <= {"ok", "reason", "field"}
            assert judge.state is before
        else:
            assert set(verdict.fields) <= {"ok", "market", "turn", "game_over"}
            assert verdict.accepted["market"] == sorted(verdict.accepted["market"])
