"""Drawing that can be checked: every order as likely, and all of its sources count."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.record.fair import (
    WHOLE_GAME,
    Lot,
    SeededShuffle,
    commitment,
    drawn,
    is_digest,
    is_name,
    is_share,
    seed,
)

SECRETS = st.binary(min_size=32, max_size=32)
SHARES = st.none() | st.binary(min_size=16, max_size=16).map(bytes.hex)
NAMES = st.text(min_size=1, max_size=24).filter(is_name)


@st.composite
def lots(draw: st.DrawFn) -> Lot:
    players = draw(st.lists(NAMES, min_size=3, max_size=10, unique=True))
    shares = draw(st.lists(SHARES, min_size=len(players), max_size=len(players)))
    game, round_ = draw(st.integers(1, 99)), draw(st.integers(0, 3))
    return Lot(game, round_, draw(SECRETS), tuple(players), tuple(shares))


@given(lots(), st.lists(st.integers(), max_size=256))
def test_a_shuffle_is_a_permutation_and_always_the_same(lot: Lot, things: list[int]) -> None:
    once, again = list(things), list(things)
    drawn(lot).shuffle(once)
    drawn(lot).shuffle(again)
    assert once == again
    assert sorted(once) == sorted(things)


@given(SECRETS, st.integers(1, 256))
def test_a_number_lies_below(seed_: bytes, n: int) -> None:
    chance = SeededShuffle(seed_)
    assert all(0 <= chance.below(n) < n for _ in range(20))


def chi_squared(found: Counter[object], cells: int) -> float:
    expected = found.total() / cells
    assert len(found) == cells
    return sum((count - expected) ** 2 / expected for count in found.values())


def test_every_order_is_as_likely() -> None:
    """24 orders of four cards: 23 degrees of freedom, 49.7 is passed once in a thousand."""
    found: Counter[object] = Counter()
    for number in range(4800):
        cards = list("abcd")
        SeededShuffle(number.to_bytes(32, "big")).shuffle(cards)
        found[tuple(cards)] += 1
    assert set(found) == set(permutations("abcd"))
    assert chi_squared(found, 24) < 49.7


def test_no_place_is_favoured_where_bytes_do_not_come_out_even() -> None:
    """Bytes taken modulo 200 would give the first 56 numbers twice as often as the others."""
    chance = SeededShuffle(bytes(32))
    found: Counter[object] = Counter(chance.below(200) for _ in range(20_000))
    assert chi_squared(found, 200) < 267  # 199 degrees of freedom: once in a thousand


def changes(lot: Lot) -> list[Lot]:
    """The lot with one thing changed, each in turn."""
    first = lot.shares[0]
    return [
        Lot(lot.game + 1, lot.round, lot.secret, lot.players, lot.shares),
        Lot(lot.game, lot.round + 1, lot.secret, lot.players, lot.shares),
        Lot(lot.game, lot.round, bytes(32), lot.players, lot.shares),
        Lot(lot.game, lot.round, lot.secret, ("?", *lot.players[1:]), lot.shares),
        Lot(lot.game, lot.round, lot.secret, lot.players[::-1], lot.shares),
        Lot(
            lot.game,
            lot.round,
            lot.secret,
            lot.players,
            ("0" * 32 if first is None else None, *lot.shares[1:]),
        ),
    ]


@given(lots())
def test_all_that_a_deal_comes_from_counts(lot: Lot) -> None:
    others = [seed(changed) for changed in changes(lot) if changed != lot]
    assert seed(lot) not in others
    assert len(set(others)) == len(others)


@given(SECRETS, st.integers(1, 9), st.integers(0, 3))
def test_a_commitment_is_to_one_secret_of_one_deal(secret: bytes, game: int, round_: int) -> None:
    made = commitment(game, round_, secret)
    assert is_digest(made)
    other = bytes([secret[0] ^ 1]) + secret[1:]
    assert made not in (
        commitment(game + 1, round_, secret),
        commitment(game, round_ + 1, secret),
        commitment(game, round_, other),
    )
    assert secret.hex() not in made


def test_the_gold_and_the_first_round_are_drawn_apart() -> None:
    of = (bytes(32), ("A", "B", "C"), (None, None, None))
    assert seed(Lot(1, WHOLE_GAME, *of)) != seed(Lot(1, 1, *of))


@pytest.mark.parametrize(
    "text", ["", "0" * 31, "0" * 33, "A" * 32, "g" * 32, 7, None, "0" * 32 + "\n"]
)
def test_what_is_no_share(text: object) -> None:
    assert not is_share(text)
    assert is_share("0123456789abcdef" * 2)


@pytest.mark.parametrize("name", ["A\nshare none B", "\ud800", "A\u2028", "\x7f"])
def test_a_name_cannot_make_a_line_of_its_own(name: str) -> None:
    assert not is_name(name)
    with pytest.raises(ValueError, match="name"):
        seed(Lot(1, 1, bytes(32), (name, "B", "C"), (None, None, None)))
