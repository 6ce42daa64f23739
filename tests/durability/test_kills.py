"""Killed at any moment, nothing that a phone was told is lost. The longer run is `make kills`."""

from pathlib import Path

import pytest

from tests.durability.kills import run

KILLS = 200
WHOLE_EVERY = 10
SEED = 20


@pytest.mark.slow
def test_killed_at_any_moment_nothing_accepted_is_lost(tmp_path: Path) -> None:
    found = list(run(tmp_path, KILLS, 2, SEED, WHOLE_EVERY))
    assert sum(each.kills.total() for each in found) == KILLS
    assert all(each.plays > KILLS // 4 for each in found), "hardly anything was played"
    for waiting in ("SealsFixed", "EndTold"):
        assert any(each.caught[waiting] for each in found), f"none was killed after {waiting}"
