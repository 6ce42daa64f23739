"""What the people at a table do, play after play, as the forms that their phones send.

The plays are those of the tests' random players, from a state that is folded from the reported
plays alone. Its roles and its gold are invented here, since a phone does not know the true ones:
what may be played, and who begins the next round, does not depend on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from companion.games.saboteur import GAME
from companion.games.saboteur.rules.model import Play, Result, State
from tests.games.saboteur.players import next_play, play
from tests.kit.forms import form_of

SEATS = 10
EDITION = "lv-2009"


@dataclass(frozen=True)
class Command:
    """A form that somebody sends. `by`: the seat; None: the host."""

    name: str
    by: int | None
    form: dict[str, str]
    events: int
    """By how much it raises the table's version."""
    cards: int
    """In the maze, before it; 0 between rounds."""


def commands(seed: int) -> Iterator[Command]:
    """All that is done at a table from its first deal on: rounds, games, and no end."""
    rng = Random(seed)
    state = GAME.new(SEATS, 0, EDITION, rng)
    yield Command("start", None, {}, 2, 0)
    while True:
        state, _ = play(state, GAME.deal(state, rng))
        for seat in range(SEATS):  # whoever has not looked sees the card and no maze
            yield Command("look", seat, {"seat": str(seat + 1)}, 1, 0)
        while state.now is not None:
            report = reported(state, rng)
            yield Command("play", report.by, form_of(report), 1, len(state.now.maze.cards))
            state, _ = play(state, report)
        if state.over:
            state = GAME.new(SEATS, state.starter, EDITION, rng)
            yield Command("new-game", None, {}, 2, 0)
        else:
            yield Command("deal", None, {}, 1, 0)


def reported(state: State, rng: Random) -> Play:
    """The next play; nobody tells how a round ended where every play is reported."""
    while isinstance(found := next_play(state, rng), Result):
        pass
    return found
