"""How a game begins and a round is dealt: the only places where chance comes in."""

from __future__ import annotations

from companion.games.fields import PlayerIndex, players
from companion.games.game import Chance
from companion.games.saboteur.rules.cards import DWARVES, GOLD_CARDS, MINER, SABOTEUR
from companion.games.saboteur.rules.editions import EDITIONS
from companion.games.saboteur.rules.model import Deal, State


def begun(seats: int, starter: PlayerIndex, edition: str, gold: tuple[int, ...]) -> State:
    """The state before the first deal. `gold`: the pile, top first."""
    return State(
        seats=seats,
        circle=players(seats),
        edition=EDITIONS[edition],
        starter=starter,
        gold=gold,
        now=None,
        past=(),
        over=False,
    )


def new(seats: int, starter: PlayerIndex, edition: str, chance: Chance) -> State:
    """The state before the first deal, with the gold pile shuffled."""
    gold = list(GOLD_CARDS)
    chance.shuffle(gold)
    return begun(seats, starter, edition, tuple(gold))


def deal(state: State, chance: Chance) -> Deal:
    """The dwarves of a round, shuffled; the last one is left over."""
    saboteurs, miners = DWARVES[state.seats]
    pile = [SABOTEUR] * saboteurs + [MINER] * miners
    chance.shuffle(pile)
    return Deal(tuple(pile[: state.seats]))
