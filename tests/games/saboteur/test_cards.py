"""The deck, against the numbers printed in the booklets and the table of copies."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import pytest

from companion.games.saboteur.rules import cards
from companion.games.saboteur.rules.maze import cell_of, initial_maze, lay

TABLE = """
NESW 5 NES=NSW 5 NEW=ESW 5 NS 4 EW 3 NE=SW 5 NW=ES 4
NESWx 1 NESx=NSWx 1 NEWx=ESWx 1 NSx 1 EWx 1 NEx=SWx 1 NWx=ESx 1 Nx=Sx 1 Ex=Wx 1
"""


@pytest.fixture
def fresh() -> dict[str, Any]:
    """The module's tables, built anew."""
    spec = spec_from_file_location(cards.__name__, cards.__file__)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return vars(module)


def test_tunnels(fresh: dict) -> None:
    words = TABLE.split()
    expected = {}
    for ways, copies in zip(words[::2], words[1::2], strict=True):
        for way in ways.split("="):
            expected[way] = (ways, int(copies))
    kinds = fresh["KIND"]
    assert set(kinds) == set(expected) == set(fresh["CODE"])
    for a, (ways_a, copies) in expected.items():
        assert fresh["COPIES"][kinds[a]] == copies
        for b, (ways_b, _) in expected.items():
            assert (kinds[a] == kinds[b]) == (ways_a == ways_b)
    assert sum(fresh["COPIES"][kind] for kind in set(kinds.values())) == 40
    for text, code in fresh["CODE"].items():
        sides = sum(bit for bit, letter in fresh["LETTERS"] if letter in text)
        assert code == sides + fresh["DEAD_END"] * text.endswith("x")
        assert fresh["TEXT"][code] == text


def test_all_kinds_are_counted_apart(fresh: dict) -> None:
    actions = [*fresh["BREAK_KIND"].values(), *fresh["REPAIR_KIND"].values()]
    actions += [fresh["ROCKFALL_KIND"], fresh["MAP_KIND"]]
    stones = set(fresh["STONE_KIND"].values())
    kinds = [*set(fresh["KIND"].values()), *actions, *stones]
    assert sorted(kinds) == list(range(len(fresh["COPIES"])))
    assert sum(fresh["COPIES"][kind] for kind in actions) == 27
    assert [fresh["COPIES"][kind] for kind in stones] == [1, 1]
    assert set(fresh["REPAIR_KIND"]) == {1, 2, 3, 4, 5, 6}
    assert fresh["STONE_KIND"]["NE"] == fresh["STONE_KIND"]["SW"]
    assert fresh["STONE_KIND"]["NW"] == fresh["STONE_KIND"]["ES"]
    assert len(fresh["STONE_KIND"]) == 4


def test_counting() -> None:
    counts = 0
    for kind, copies in enumerate(cards.COPIES):
        for number in range(copies):
            assert cards.used(counts, kind) == number
            assert cards.copies_left(counts, kind) == copies - number
            counts = cards.use(counts, kind)
        assert cards.copies_left(counts, kind) == 0
    assert all(cards.used(counts, kind) == copies for kind, copies in enumerate(cards.COPIES))


def test_totals() -> None:
    assert sorted(cards.GOLD_CARDS) == [1] * 16 + [2] * 8 + [3] * 4
    assert cards.DWARVES[10] == (4, 7)
    assert cards.HANDS == {3: 6, 4: 6, 5: 6, 6: 5, 7: 5, 8: 4, 9: 4, 10: 4}
    assert list(cards.SEAT_COUNTS) == list(cards.DWARVES) == list(cards.HANDS)
    assert cards.DECK == 40 + 27


def test_mazes_differ_by_their_cards() -> None:
    one = lay(initial_maze(), cell_of((1, 0)), cards.CODE["EW"])
    other = lay(initial_maze(), cell_of((1, 0)), cards.CODE["NESW"])
    assert one != other
    assert hash(one) != hash(other)
    assert hash(one) == hash(lay(initial_maze(), cell_of((1, 0)), cards.CODE["EW"]))
