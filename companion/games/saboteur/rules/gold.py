"""How the gold of a round is shared out: cards of one, two or three nuggets, from a known pile.

Miners (all booklets): as many cards as players, nine for ten; the finisher takes one, then the
next miner counter-clockwise, round and round. Saboteurs (all booklets): each draws until the due
is met exactly, a card too much goes to the bottom. Rulings where the booklets are silent: a
finisher who is a saboteur takes none; saboteurs are paid clockwise from the left of the player
who had the last turn; no card is kept that would make exact pay for all impossible; where it is
impossible from the beginning, dues are lowered, the first in line last.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from companion.games.fields import PlayerIndex, by_player
from companion.games.saboteur.rules.cards import MINER, SABOTEUR, Role
from companion.values import with_one

Cards = tuple[int, ...]
Shares = tuple[Cards, ...]

MINERS_CARDS_MAX: Final = 9
_DUE: Final = {0: 0, 1: 4, 2: 3, 3: 3, 4: 2}
"""Nuggets for each saboteur, by how many there are."""


def pay_miners(
    pile: Cards, roles: Sequence[Role], finisher: PlayerIndex, circle: Sequence[PlayerIndex]
) -> tuple[Shares, Cards]:
    """The cards each seat gains, as it takes them, and the pile that is left. `circle`: the seats
    clockwise."""
    count = min(len(roles), MINERS_CARDS_MAX)
    line = _line(circle, finisher)
    miners = [seat for seat in (line[0], *line[:0:-1]) if roles[seat] == MINER]
    shares: list[list[int]] = [[] for _ in roles]
    for turn, card in enumerate(sorted(pile[:count], reverse=True)):
        shares[miners[turn % len(miners)]].append(card)
    return tuple(map(tuple, shares)), pile[count:]


def pay_saboteurs(
    pile: Cards, roles: Sequence[Role], last: PlayerIndex, circle: Sequence[PlayerIndex]
) -> tuple[Shares, Cards]:
    """The cards each seat gains, as it takes them, and the pile that is left, as it then lies.
    `circle`: the seats clockwise."""
    line = _line(circle, last)
    saboteurs = [seat for seat in (*line[1:], line[0]) if roles[seat] == SABOTEUR]
    shares: list[Cards] = [()] * len(roles)
    dues = payable(_count(pile), (_DUE[len(saboteurs)],) * len(saboteurs))
    for turn, seat in enumerate(saboteurs):
        kept, pile = _draw(pile, dues[turn], dues[turn + 1 :])
        shares[seat] = tuple(kept)
    return tuple(shares), pile


def richest(totals: Sequence[int]) -> tuple[PlayerIndex, ...]:
    """The seats with the most nuggets, in their order: all of them where nobody has any.

    >>> richest((3, 5, 5))
    (1, 2)
    """
    most = max(totals)
    return tuple(seat for seat, total in by_player(totals) if total == most)


def _line(circle: Sequence[PlayerIndex], first: PlayerIndex) -> list[PlayerIndex]:
    """The seats clockwise from one of them.

    >>> _line((0, 2, 1), 2)
    [2, 1, 0]
    """
    at = circle.index(first)
    return [*circle[at:], *circle[:at]]


def _draw(pile: Cards, due: int, others: Cards) -> tuple[list[int], Cards]:
    """One saboteur's cards, drawn from the top; `others` are the dues still to be paid after."""
    kept: list[int] = []
    while due:
        card, pile = pile[0], pile[1:]
        if card <= due and _can_pay(_count(pile), (due - card, *others)):
            kept.append(card)
            due -= card
        else:
            pile = (*pile, card)
    return kept, pile


def payable(counts: Cards, dues: Cards) -> Cards:
    """The dues, each lowered only as far as exact pay asks, those later in line first.

    >>> payable((0, 3, 0), (3, 3))
    (2, 2)
    """
    for turn, due in enumerate(dues):
        while not _can_pay(counts, (*dues[:turn], due)):
            due -= 1
        dues = with_one(dues, turn, due)
    return dues


def _count(pile: Cards) -> Cards:
    """How many cards of one, two and three nuggets."""
    return pile.count(1), pile.count(2), pile.count(3)


@cache
def _can_pay(counts: Cards, dues: Cards) -> bool:
    """Whether the cards can be shared out so that every due is met exactly."""
    if not dues:
        return True
    due, *others = dues
    if not due:
        return _can_pay(counts, tuple(others))
    for value in (3, 2, 1):
        if value <= due and counts[value - 1]:
            fewer = list(counts)
            fewer[value - 1] -= 1
            if _can_pay(tuple(fewer), (due - value, *others)):
                return True
    return False
