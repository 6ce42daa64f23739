"""Random mazes, and how far the treasure is in them, found as slowly and plainly as can be.

`python -m tests.games.saboteur.positions SEED TIMES` compares more of them than the tests do.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from random import Random

from companion.games.saboteur.rules.cards import (
    CODE,
    DEAD_END,
    KIND,
    NONE_USED,
    STONES,
    TUNNEL_COPIES,
    Counts,
    copies_left,
    use,
)
from companion.games.saboteur.rules.distance import further_cards
from companion.games.saboteur.rules.maze import (
    GOAL_AT,
    GOAL_CELL,
    PROTECTED,
    Maze,
    at_of,
    cell_of,
    flip_goal,
    initial_maze,
    lay,
    placements,
    reached,
    stone_ways,
    take,
)

KINDS = tuple(KIND[text] for text in TUNNEL_COPIES)
SIDES = {1: (0, 1), 2: (1, 0), 4: (0, -1), 8: (-1, 0)}

Position = tuple[Maze, Counts, bool]
"""A maze with a goal face down that is not reached, the cards used in the round, and whether the
edition asks for a path from the start."""


def positions(rng: Random) -> Iterator[Position]:
    """Rounds as they may be after up to 35 tunnel cards: diggers and others at work, rocks falling,
    stones turned, and cards lost that nobody has seen on the table."""
    while True:
        connected = rng.random() < 0.75
        eager, maze, used = rng.random(), initial_maze(), NONE_USED
        for _ in range(rng.randrange(35)):
            marks = [
                (at, card)
                for at, cards in placements(maze, connected).items()
                for card in cards
                if copies_left(used, KIND[card])
            ]
            if rng.random() < 0.08:
                maze = _rock_fell(maze, rng)
            if not marks:
                break
            if rng.random() < eager:
                at, card = max(marks, key=lambda mark: (_eastward(*mark), rng.random()))
            else:
                at, card = rng.choice(marks)
            maze, used = lay(maze, cell_of(at), CODE[card]), use(used, KIND[card])
            maze = _stones_turned(maze, rng)
        if not reached(maze) and maze.down:
            yield maze, _fewer(used, rng), connected


def _eastward(at: tuple[int, int], card: str) -> int:
    return 3 * at[0] - abs(at[1]) + len(card) - 9 * ("x" in card)


def _rock_fell(maze: Maze, rng: Random) -> Maze:
    tunnels = [cell for cell in maze.cards if at_of(cell) not in PROTECTED]
    return take(maze, rng.choice(tunnels)) if tunnels else maze


def _stones_turned(maze: Maze, rng: Random) -> Maze:
    """While there are stones: a third goal would be the treasure, and stays as it is."""
    for goal in reached(maze):
        if len(maze.down) > 1:
            stone = CODE[STONES[len(maze.down) - 2]]
            maze = flip_goal(maze, goal, rng.choice(stone_ways(maze, goal, stone)))
    return maze


def _fewer(used: Counts, rng: Random) -> Counts:
    """With more cards used, now and then nearly all."""
    gone = rng.choice((0, 0.3, 0.6, 0.9))
    for kind in KINDS:
        for _ in range(copies_left(used, kind)):
            used = use(used, kind) if rng.random() < gone else used
    return used


class TooSlowError(Exception):
    """The search has looked at as many mazes as it may."""


def slowly(position: Position, mazes: int) -> int | None:
    """The fewest further cards, of all ways to lay all that are left, whatever they do: after each
    card every other one, as the rules let it be laid."""
    maze, used, connected = position
    left = sum(copies_left(used, kind) for kind in KINDS)
    budget = [mazes]
    for cards in range(left + 1):
        if _joined(maze, used, connected, cards, {}, budget):
            return cards
    return None


def _joined(
    maze: Maze, used: Counts, connected: bool, cards: int, failed: dict, budget: list[int]
) -> bool:
    if reached(maze):
        return True
    key = frozenset(maze.cards.items())
    if not cards or _far(maze) > cards or failed.get(key, -1) >= cards:
        return False
    budget[0] -= 1
    if budget[0] < 0:
        raise TooSlowError
    for at, texts in placements(maze, connected).items():
        for text in texts:
            if copies_left(used, KIND[text]) and _joined(
                lay(maze, cell_of(at), CODE[text]),
                use(used, KIND[text]),
                connected,
                cards - 1,
                failed,
                budget,
            ):
                return True
    failed[key] = cards
    return False


def _far(maze: Maze) -> int:
    """No fewer cards will do: so many cells lie between the goals and the open end of any card."""
    goals = [at_of(GOAL_CELL[goal]) for goal in GOAL_AT if GOAL_CELL[goal] in maze.down]
    ends = [
        (x + dx, y + dy)
        for cell, card in maze.cards.items()
        if not card & DEAD_END
        for x, y in [at_of(cell)]
        for side, (dx, dy) in SIDES.items()
        if card & side and cell_of((x + dx, y + dy)) not in maze.cards
    ]
    return min((abs(gx - x) + abs(gy - y) for x, y in ends for gx, gy in goals), default=99)


def compared(seed: int, times: int, mazes: int) -> dict[int | None, int]:
    """So many positions that the slow search can settle, by how far the treasure is; in each the
    program says the same."""
    found: Counter[int | None] = Counter()
    for position in positions(Random(seed)):
        if found.total() == times:
            break
        try:
            plainly = slowly(position, mazes)
        except TooSlowError:
            continue
        assert further_cards(*position[:2]) == plainly, position
        found[plainly] += 1
    return found


if __name__ == "__main__":
    print(compared(seed=int(sys.argv[1]), times=int(sys.argv[2]), mazes=200))
