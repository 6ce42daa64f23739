"""The gold pile drawn anew where its order has been seen: what is left of it, and nothing before.

A game's record begins with the whole pile. So it is changed only where no payment has looked yet:
judged from its new beginning, every round is paid as it was.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.games.game import Chance
from companion.games.saboteur.rules.gold import Cards, pay_miners, pay_saboteurs
from companion.games.saboteur.rules.model import NOBODY, Past, State


class _Card(int):
    """A card that is told apart from others of its value."""


def redrawn(began: State, state: State, chance: Chance) -> tuple[State, State]:
    """The game's beginning and its present state, with the pile that is left in another order."""
    count = untouched(began.gold, state.past)
    kept = len(began.gold) - count
    fresh = list(began.gold[kept:])
    chance.shuffle(fresh)
    return (
        replace(began, gold=(*began.gold[:kept], *fresh)),
        replace(state, gold=(*fresh, *state.gold[count:])),
    )


def untouched(pile: Cards, past: Sequence[Past]) -> int:
    """How many cards at the end of this pile no payment of these rounds has looked at."""
    cards = left = tuple(map(_Card, pile))
    for each in past:
        if each.won_by == NOBODY:
            continue
        roles, circle = each.final.roles, each.final.circle
        if each.finisher is None:
            _, left = pay_saboteurs(left, roles, each.last, circle)  # type: ignore[assignment]
        else:
            _, left = pay_miners(left, roles, each.finisher, circle)  # type: ignore[assignment]
    places = {id(card): place for place, card in enumerate(cards)}
    first = places[id(left[0])] if left else len(cards)
    suffix = cards[first:]
    same = all(one is other for one, other in zip(suffix, left, strict=False))
    return len(suffix) if same and len(suffix) <= len(left) else 0
