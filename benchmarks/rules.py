"""How long the rules take with 30 cards on the table: `python -m benchmarks.rules`.

Medians in microseconds, on one core. Each figure stands beside the one to reach.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time

from companion.games.saboteur import GAME
from companion.games.saboteur.rules.decide import legal
from companion.games.saboteur.rules.distance import further_cards
from companion.games.saboteur.rules.model import Pass, Path, State
from tests.games.saboteur.players import new_game, play
from tests.games.saboteur.positions import positions

CARDS = 30
ROUNDS = 300
RUNS = 200
"""Of one thing that is measured."""


def crowded(rng: Random, cards: int) -> State:
    """A round with this many tunnel cards on the table, and more that may be laid."""
    while True:
        state = new_game(rng, 10, "lv-2009")
        state, _ = play(state, GAME.deal(state, rng))
        while len(state.now.maze.cards) <= cards:
            marks = [
                (at, card)
                for at, fitting in legal(state).items()
                for card in fitting
                if "x" not in card and at[0] < 7
            ]
            if not marks or state.now.reveal:
                break
            at, card = rng.choice(marks)
            state, _ = play(state, Path(state.now.turn, card, at))
            if state.now is None:
                break
        else:
            if legal(state):
                return state


def microseconds(task: Callable[[], object]) -> float:
    """The median time of one of `RUNS` runs."""
    spent = []
    for _ in range(RUNS):
        start = perf_counter()
        task()
        spent.append(perf_counter() - start)
    return median(spent) * 1e6


def searched(rng: Random, cards: int, times: int) -> list[float]:
    """Milliseconds of processor time for the distance to the treasure in mazes of so many cards."""
    spent = []
    for maze, used, _ in positions(rng):
        if len(maze.cards) != cards:
            continue
        start = process_time()
        further_cards(maze, used)
        spent.append((process_time() - start) * 1e3)
        if len(spent) == times:
            break
    return spent


def main() -> None:
    rng = Random(1)
    tables = [crowded(rng, CARDS) for _ in range(20)]
    judged, laid, marked, passed = [], [], [], []
    for state in tables:
        by = state.now.turn
        at, fitting = rng.choice(list(legal(state).items()))
        path = Path(by, rng.choice(fitting), at)
        (placed,) = GAME.decide(state, path)
        judged.append(microseconds(lambda s=state, p=path: GAME.decide(s, p)))
        laid.append(microseconds(lambda s=state, e=placed: GAME.evolve(s, e)))
        marked.append(microseconds(lambda s=state: legal(s)))
        passed.append(microseconds(lambda s=state, b=by: GAME.decide(s, Pass(b))))
    print(f"{CARDS} cards on the table, {len(tables)} tables")
    print(f"one placement judged          {median(judged):8.1f} µs  (20)")
    print(f"and laid                      {median(laid):8.1f} µs")
    print(f"all legal placements          {median(marked):8.1f} µs  (300)")
    print(f"one pass judged               {median(passed):8.1f} µs")
    for cards in (5, 10, 20, 30):
        spent = searched(rng, cards, 100)
        print(
            f"distance to the treasure, {cards:2} cards: median {median(spent):.2f} ms, "
            f"one in ten {quantiles(spent, n=10)[-1]:.2f} ms, at most {max(spent):.2f} ms  (2)"
        )
    for cards in (5, 10, 20, 30):
        state = crowded(rng, cards)
        at, fitting = next(iter(legal(state).items()))
        path = Path(state.now.turn, fitting[0], at)
        time = microseconds(lambda s=state, p=path: play(s, p))
        print(f"judged and laid, {cards:2} cards     {time:8.1f} µs")


if __name__ == "__main__":
    main()
