"""Gold against brute force: every way to share out a small pile is tried."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.saboteur.rules.cards import DWARVES, GOLD_CARDS, MINER, SABOTEUR
from companion.games.saboteur.rules.gold import pay_miners, pay_saboteurs, payable

Cards = tuple[int, ...]

DUES = {0: 0, 1: 4, 2: 3, 3: 3, 4: 2}


def shareable(pile: Cards, dues: Cards) -> bool:
    """Whether each card can go to one of the dues, or to none, so that all are met exactly."""
    if not any(dues):
        return True
    if not pile:
        return False
    card, rest = pile[0], pile[1:]
    return shareable(rest, dues) or any(
        shareable(rest, (*dues[:i], due - card, *dues[i + 1 :]))
        for i, due in enumerate(dues)
        if card <= due
    )


def highest(pile: Cards, dues: Cards) -> Cards:
    """The dues that can be met, the first in line as high as possible, then the second."""
    options = product(*(range(due, -1, -1) for due in dues))
    return next(option for option in options if shareable(pile, option))


def drawn(pile: Cards, dues: Cards) -> tuple[list[Cards], Cards]:
    """Cards drawn by the letter of the rule."""
    kept: list[list[int]] = []
    cards = list(pile)
    for i, due in enumerate(dues):
        kept.append([])
        for _ in range(10_000):
            left = due - sum(kept[i])
            if not left:
                break
            card = cards.pop(0)
            after = (left - card, *dues[i + 1 :])
            if card <= left and shareable(tuple(sorted(cards, reverse=True)), after):
                kept[i].append(card)
            else:
                cards.append(card)
        else:
            pytest.fail("drawing does not end")
    return [tuple(own) for own in kept], tuple(cards)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Cards, tuple[str, ...], int]:
    """A small gold pile, roles round the table, and the player who had the last turn."""
    seats = draw(st.integers(3, 10))
    saboteurs = draw(st.integers(DWARVES[seats][0] - 1, DWARVES[seats][0]))
    roles = draw(st.permutations([SABOTEUR] * saboteurs + [MINER] * (seats - saboteurs)))
    pile = draw(st.lists(st.sampled_from([1, 2, 2, 3, 3]), min_size=saboteurs * 2, max_size=9))
    return tuple(pile), tuple(roles), draw(st.integers(0, seats - 1))


@given(tables())
@settings(max_examples=400)
def test_saboteurs_are_paid_exactly_where_exact_pay_exists(
    table: tuple[Cards, tuple[str, ...], int],
) -> None:
    pile, roles, last = table
    seats = len(roles)
    line = [s % seats for s in range(last + 1, last + seats + 1) if roles[s % seats] == SABOTEUR]
    dues = highest(pile, (DUES[len(line)],) * len(line))
    counts = tuple(pile.count(value) for value in (1, 2, 3))
    assert payable(counts, (DUES[len(line)],) * len(line)) == dues
    shares, left = pay_saboteurs(pile, roles, last, range(seats))
    assert [sum(shares[seat]) for seat in line] == list(dues)
    expected, expected_left = drawn(pile, dues)
    assert [shares[seat] for seat in line] == expected
    assert left == expected_left
    assert all(shares[seat] == () for seat in range(seats) if roles[seat] == MINER)
    assert Counter(pile) == Counter(left) + Counter(card for own in shares for card in own)


@given(tables(), st.permutations(GOLD_CARDS))
@settings(max_examples=200)
def test_miners_take_turns(table: tuple[Cards, tuple[str, ...], int], pile: list[int]) -> None:
    _, roles, finisher = table
    seats = len(roles)
    shares, left = pay_miners(tuple(pile), roles, finisher, range(seats))
    taken = min(seats, 9)
    assert left == tuple(pile[taken:])
    cards = sorted(pile[:taken], reverse=True)
    seat = finisher
    expected: list[list[int]] = [[] for _ in roles]
    while cards:
        if roles[seat] == MINER:
            expected[seat].append(cards.pop(0))
        seat = (seat - 1) % seats
    assert [list(own) for own in shares] == expected


@pytest.mark.parametrize(
    ("counts", "dues", "paid"),
    [
        ((0, 0, 0), (3, 3, 3), (0, 0, 0)),
        ((1, 0, 0), (3, 3), (1, 0)),
        ((0, 2, 0), (3, 3), (2, 2)),
        ((1, 2, 0), (3, 3), (3, 2)),
        ((0, 0, 2), (2, 2, 2, 2), (0, 0, 0, 0)),
        ((1, 1, 1), (4,), (4,)),
        ((0, 1, 1), (4,), (3,)),
        ((0, 3, 0), (2, 2, 2, 2), (2, 2, 2, 0)),
    ],
)
def test_dues_are_lowered_only_as_far_as_need_be(counts: Cards, dues: Cards, paid: Cards) -> None:
    assert payable(counts, dues) == paid


def test_a_two_is_passed_over_when_it_would_get_stuck() -> None:
    """A 2 kept and no 1 left would leave this saboteur one nugget short for ever."""
    assert pay_saboteurs((2, 3, 2, 3), ("saboteur", "saboteur", "miner"), 2, range(3)) == (
        ((3,), (3,), ()),
        (2, 2),
    )


def test_a_one_is_passed_over_when_the_next_in_line_needs_it() -> None:
    """Three 1s for the first would leave two 2s, and no 3 nuggets for the second."""
    assert pay_saboteurs((1, 1, 1, 2, 2), ("saboteur", "saboteur", "miner"), 2, range(3)) == (
        ((1, 2), (2, 1), ()),
        (1,),
    )
