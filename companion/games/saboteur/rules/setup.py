"""How a game begins and a round is dealt: the only places where chance comes in."""

from __future__ import annotations

from companion.games.game import Chance
from companion.games.saboteur.rules.cards import DWARVES, GOLD_CARDS, MINER, SABOTEUR
from companion.games.saboteur.rules.evolve import opened
from companion.games.saboteur.rules.model import Deal, Opened, State


def first_event(seats: int, starter: int, edition: str, chance: Chance) -> Opened:
    """The event that begins a game, with the gold pile shuffled."""
    gold = list(GOLD_CARDS)
    chance.shuffle(gold)
    return Opened(seats, starter, edition, tuple(gold))


def new(seats: int, starter: int, edition: str, chance: Chance) -> State:
    """The state before the first deal."""
    return opened(first_event(seats, starter, edition, chance))


def deal(state: State, chance: Chance) -> Deal:
    """The dwarves of a round, shuffled; the last one is left over."""
    saboteurs, miners = DWARVES[state.seats]
    pile = [SABOTEUR] * saboteurs + [MINER] * miners
    chance.shuffle(pile)
    return Deal(tuple(pile[: state.seats]))
