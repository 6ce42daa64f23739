"""How many ways there are to lay cards, to depth 3 from given tables: numbers as data.

Made by `python -m tests.games.saboteur.test_counts`, and checked once against the plain maze.
"""

from __future__ import annotations

import tomllib
from pathlib import Path as File
from typing import Any

import pytest

from companion.games.saboteur.rules.cards import CODE, COPIES, GOLD_CARDS, KIND, MINER, used
from companion.games.saboteur.rules.decide import legal, legal_reveals
from companion.games.saboteur.rules.maze import GOAL_AT
from companion.games.saboteur.rules.model import Deal, Path, Reveal, State
from companion.games.saboteur.rules.setup import begun
from tests.games.saboteur import naive
from tests.games.saboteur.players import play

COUNTS = File(__file__).parent / "counts.toml"
TABLES = tomllib.loads(COUNTS.read_text())["table"]


def table(case: dict[str, Any]) -> State:
    state = begun(3, 0, case["edition"], GOLD_CARDS)
    state, _ = play(state, Deal((MINER,) * 3))
    for text in case["laid"]:
        card, at = text.split()
        x, y = at.split(",")
        state, _ = play(state, Path(state.now.turn, card, (int(x), int(y))))
    return state


def count(state: State, depth: int) -> int:
    """Sequences of that many plays: tunnel cards laid, and goals turned (not as treasure)."""
    now = state.now
    if now is None:
        return 1
    if now.reveal:
        turns = [
            Reveal(now.turn, goal, card)
            for goal, cards in legal_reveals(state).items()
            for card in cards
        ]
        return len(turns) if depth == 1 else sum(count(play(state, t)[0], depth - 1) for t in turns)
    marks = legal(state)
    if depth == 1:
        return sum(map(len, marks.values()))
    return sum(
        count(play(state, Path(now.turn, card, at))[0], depth - 1)
        for at, cards in marks.items()
        for card in cards
    )


@pytest.mark.parametrize("case", TABLES, ids=lambda case: f"{case['name']} [{case['edition']}]")
def test_counts(case: dict[str, Any]) -> None:
    state = table(case)
    found = [count(state, depth) for depth in range(1, len(case["counts"]) + 1)]
    assert found == case["counts"]


@pytest.mark.parametrize("case", TABLES, ids=lambda case: f"{case['name']} [{case['edition']}]")
def test_the_first_count_in_a_plain_maze(case: dict[str, Any]) -> None:
    state = table(case)
    laid = naive.cards(state.now.maze)
    down = {at for at in GOAL_AT.values() if at not in laid}
    if state.now.reveal:
        return
    cells = {naive.beside(at, side) for at in laid for side in "NESW"}
    found = sum(
        naive.why_not(laid, down, at, card, state.edition.connected) is None
        for at in cells
        for card in CODE
        if used(state.now.used, KIND[card]) < COPIES[KIND[card]]
    )
    assert found == case["counts"][0]


if __name__ == "__main__":
    for case in TABLES:
        print(case["name"], case["edition"], [count(table(case), depth) for depth in (1, 2, 3)])
