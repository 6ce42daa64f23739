"""Two processes, whatever happens to them and to what they share: nothing that a phone was told is
lost, and all phones show the same. The longer run is `make together`."""

from pathlib import Path

import pytest

from tests.durability.together import BLOWS, Evening

CUTS = 10


@pytest.mark.slow
def test_whatever_is_killed_frozen_or_cut_nothing_accepted_is_lost(tmp_path: Path) -> None:
    evening = Evening(tmp_path, seed=3, frozen_s=2.0)
    found = evening.run([*BLOWS, *["cut"] * CUTS])
    assert found.blows.keys() == set(BLOWS)
    assert found.blows.total() == len(BLOWS) + CUTS
    assert found.plays > 20
