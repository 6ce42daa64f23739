"""Whole recorded games: every verdict, byte for byte as JSON values, in order."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES
from companion.record import verdicts
from tests.games.saboteur.write_endings import FOLDER, endings, required

HERE = Path(__file__).with_name("records")
RECORDS = sorted(path for path in HERE.glob("*/*.jsonl") if "verdicts" not in path.name)


def load(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_verdicts(path: Path) -> None:
    expected = load(path.with_suffix(".verdicts.jsonl"))
    with path.open("rb") as record:
        found = list(verdicts(record, GAMES))
    assert [json.dumps(verdict) for verdict in found] == [json.dumps(v) for v in expected]


@pytest.mark.parametrize("path", sorted(HERE.glob("shared/saboteur-*.verdicts.jsonl")), ids=str)
def test_a_game_that_was_written_by_hand_is_a_whole_one(path: Path) -> None:
    """One from which a play is refused now, and so all after it, is written anew from there."""
    assert any("game_over" in verdict for verdict in load(path))


@pytest.mark.parametrize(("edition", "ending"), list(required()))
def test_there_is_a_whole_game_for_every_ending_in_every_edition(edition: str, ending: str) -> None:
    path = FOLDER / f"{edition}-{ending}.jsonl"
    header, *lines = load(path)
    said = load(path.with_suffix(".verdicts.jsonl"))
    assert header["edition"] == edition
    assert ending in endings(lines, said)
    assert "game_over" in said[-1]
