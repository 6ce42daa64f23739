"""The secrets of worlds that look alike: whose role is whose, and how the gold pile lies.

A world is told what to draw before its evening begins. Worlds of one class in a round have the same
roles there, the left-over dwarf included, and gain the same numbers of gold cards, whatever they
are worth: that much everybody sees when the round is over. In all else they differ.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from math import comb
from typing import Any

from companion.games.saboteur.rules.cards import DWARVES, MINER, SABOTEUR
from companion.games.saboteur.rules.gold import pay_miners, pay_saboteurs
from companion.record.fair import Lot

GOLD = (1,) * 16 + (2,) * 8 + (3,) * 4
"""The values of the gold cards as they lie before they are shuffled."""

ROUNDS = 3
TRIES = 4000


@dataclass(frozen=True)
class Draw:
    """What a world's server draws, in the order in which it draws."""

    gold: tuple[int, ...]
    """For each place of the shuffled pile, top first, the place that its card came from."""
    roles: tuple[tuple[str, ...], ...]
    """By round, by seat; the left-over dwarf last."""

    @property
    def pile(self) -> tuple[int, ...]:
        return tuple(GOLD[place] for place in self.gold)


class Drawer:
    """The chance of one deal, its outcome set; `round_` 0 is the order of the gold."""

    def __init__(self, draw: Draw, lot: Lot) -> None:
        self._draw = draw
        self._round = lot.round
        self._anew = not lot.players

    def shuffle(self, x: list[Any], /) -> None:
        if self._anew:
            return  # what is left of the gold: it may stay as it was
        if self._round == 0:
            x[:] = [x[place] for place in self._draw.gold]
            return
        roles = self._draw.roles[(self._round - 1) % len(self._draw.roles)]
        assert sorted(x) == sorted(roles), "these are not the dwarves of so many players"
        x[:] = roles


def draws(
    players: int,
    worlds: int,
    classes: tuple[int, ...],
    winners: tuple[str, ...],
    rng: random.Random,
) -> list[Draw]:
    """`classes`: by round, how many different deals of roles there are among the worlds;
    `winners`: by round, who is going to win it."""
    dealt = [_deals(players, number, rng) for number in classes]
    shared = [number < worlds for number in classes]
    counts: dict[tuple[tuple[str, ...], ...], tuple[int, ...]] = {}
    piles: set[tuple[int, ...]] = set()
    found = []
    for world in range(worlds):
        roles = tuple(deals[world % len(deals)] for deals in dealt)
        for _ in range(TRIES):
            gold = list(range(len(GOLD)))
            rng.shuffle(gold)
            pile = tuple(GOLD[place] for place in gold)
            gained = _gained(pile, roles, winners)
            paths = [roles[: number + 1] for number, each in enumerate(shared) if each]
            same = all(
                counts.get(path, gained[len(path) - 1]) == gained[len(path) - 1] for path in paths
            )
            if same and pile not in piles:
                break
        else:
            raise AssertionError("no pile leads to the same numbers of cards")
        counts |= {path: gained[len(path) - 1] for path in paths}
        piles.add(pile)
        found.append(Draw(tuple(gold), roles))
    return found


def _deals(players: int, number: int, rng: random.Random) -> list[tuple[str, ...]]:
    """So many different deals, or as many as there are."""
    saboteurs, miners = DWARVES[players]
    pile = [SABOTEUR] * saboteurs + [MINER] * miners
    found: dict[tuple[str, ...], None] = {}
    while len(found) < min(number, comb(players + 1, saboteurs)):
        rng.shuffle(pile)
        found[tuple(pile)] = None
    return list(found)


def _gained(
    pile: tuple[int, ...], roles: tuple[tuple[str, ...], ...], winners: tuple[str, ...]
) -> list[tuple[int, ...]]:
    """By round, how many cards each who gains any takes, in the order in which they take them.

    It hangs on the pile and on who wins, not on who begins to take."""
    found = []
    for dealt, winner in zip(roles, winners, strict=False):
        seated = dealt[:-1]
        circle = range(len(seated))
        if winner == "saboteurs":
            in_line = tuple(sorted(seated, reverse=True))  # the saboteurs first
            shares, pile = pay_saboteurs(pile, in_line, len(seated) - 1, circle)
        else:
            shares, pile = pay_miners(pile, seated, 0, circle)
        found.append(tuple(len(each) for each in shares))
    return found
