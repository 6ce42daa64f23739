"""Every ruling in `rulings.toml`, judged as a line of a record."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.games.trains.record import RECORD, Recorded
from companion.games.trains.rules.model import NO_LOCKS, NOTHING_KNOWN, State

DATA = tomllib.loads(Path(__file__).with_name("rulings.toml").read_text(encoding="utf-8"))
CASES = DATA["case"]
NAMES = ("A", "B", "C", "D")


def locks(seats: list[dict[str, int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(under.get(str(place), 0) for place in range(1, 8)) for under in seats)


def state(case: dict[str, Any]) -> State:
    rows = tuple(tuple(row) for row in case.get("rows", DATA["base"]["rows"]))
    known = list(NOTHING_KNOWN)
    for ability, wagons in case.get("known", {}).items():
        for wagon in wagons:
            known[wagon] = ability
    for ability, wagon in case.get("market", {}).items():
        known[wagon] = ability
    return State(
        phase=case.get("phase", "turn"),
        starter=0,
        player=case.get("player", 0),
        rows=rows,
        locks=locks(case["locks"]) if "locks" in case else (NO_LOCKS,) * len(rows),
        market=tuple(sorted(case.get("market", {}).items())),
        known=tuple(known),
        owed=tuple(tuple(owed) for owed in case.get("owed", [])),
        winner=case.get("winner"),
    )


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_ruling(case: dict[str, Any]) -> None:
    before = state(case)
    recorded = Recorded(NAMES[: len(before.rows)], before)
    after, verdict = RECORD.judge(recorded, case["play"])
    if "refused" in case:
        assert verdict == {"ok": False, "reason": case["refused"]}
        assert after is recorded
        return
    assert verdict["ok"], verdict
    then = case["then"]
    assert verdict["turn"] == then.get("turn", verdict["turn"])
    assert verdict["market"] == then.get("market", verdict["market"])
    assert verdict.get("game_over", {}).get("winner") == then.get("winner")
    if "rows" in then:
        assert [list(row) for row in after.state.rows] == then["rows"]
    if "locks" in then:
        assert after.state.locks == locks(then["locks"])
    if "owed" in then:
        assert [list(owed) for owed in after.state.owed] == then["owed"]


def test_every_ruling_names_its_rule() -> None:
    assert all(case["rule"] for case in CASES)
    assert len({case["name"] for case in CASES}) == len(CASES)


def test_every_reason_has_a_case() -> None:
    refused = {case["refused"] for case in CASES if "refused" in case}
    assert refused == {
        "game_over",
        "wrong_phase",
        "already_dealt",
        "not_your_turn",
        "unknown_card",
        "card_in_play",
        "not_descending",
        "ability_missing",
        "ability_contradicts",
        "ability_not_available",
        "out_of_reach",
        "already_protected",
    }
