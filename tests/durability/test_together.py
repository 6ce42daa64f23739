"""Two processes, whatever happens to them and to what they share: nothing that a phone was told is
lost, and all phones show the same. The longer run is `make together`."""

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.durability.together import BLOWS, FROZEN_S, BatteredEvening

EVENING = (*BLOWS, *("kill", "bus", "database") * 4, *("cut",) * 32)
"""What happens in each of four: 212 blows."""


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "frozen_s"), [(3, FROZEN_S), (4, 1.0), (5, 2.0), (6, 1.0)])
def test_whatever_is_killed_frozen_or_cut_nothing_accepted_is_lost(
    tmp_path: Path, seed: int, frozen_s: float
) -> None:
    blows = random.Random(seed).sample(EVENING, len(EVENING))
    found = BatteredEvening(tmp_path, seed, frozen_s).run(blows)
    assert found.blows == Counter(EVENING)
    assert found.plays > len(blows), "hardly anything was played"
