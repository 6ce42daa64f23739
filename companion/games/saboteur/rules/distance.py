"""How far the treasure is: the fewest further tunnel cards that would join the start to a goal.

A goal counts while it lies face down, since it may still be the treasure; it is joined when it is
*reached*: when an unbroken path from the start ends at an open side facing it. Each further card is
one of which a copy has not been played in this round (a card passed face down may be any, and
counts as left), either way up, laid as the rules have it: on an empty cell, each side as its
face-up neighbours have it, continuing the path. Whose turn it is, broken tools, hands and the draw
pile do not count, and no card is taken away or goal turned on the way.

Only cards that continue one another from the start to the goal are ever needed: a card beside them
only adds sides that must match. So it is a path over empty cells, and for nothing over cards cut
off from the start, where their tunnels meet. Where it comes beside itself there is rock between:
else the cards between could be left out. The search goes in two steps:

1. forwards from the start (A*), as if of each kind of card that is left there were any number: for
   each side by which a path may leave a cell, the fewest cards up to there;
2. backwards from the goals along such figures, so that each cell can have a card of its own (a
   matching of cells to copies, by Hall's theorem). If none can be found with so many cards, then
   with one more. Most of what cannot be is seen without trying it, by two *relaxations*: as if a
   path might cross itself, so that what has failed once need not be tried again from elsewhere; and
   by columns alone: a straight card leads one further, a corner half.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from functools import cache
from operator import mul
from typing import Final

from companion.games.saboteur.rules.cards import (
    CODE,
    DEAD_END,
    KIND,
    SIDES,
    TUNNEL_COPIES,
    Counts,
    E,
    N,
    W,
    copies_left,
)
from companion.games.saboteur.rules.maze import (
    BARS_PATH,
    PATH,
    REACH,
    STEPS,
    Cell,
    Maze,
    at_of,
    reached,
)

Side = tuple[Cell, int]
"""A cell without a face-up card, and the side by which a path comes into it or leaves it."""

_BORDER: Final = 255
"""Mask of a border: the sides that must be open (bits 0-3) and closed (bits 4-7)."""
_THROUGH: Final = tuple(text for text in TUNNEL_COPIES if not CODE[text] & DEAD_END)
"""The kinds of tunnel cards through which a path can go, each one way up."""
_CARDS: Final = tuple(
    tuple(card for other, card in CODE.items() if KIND[other] == KIND[text]) for text in _THROUGH
)
"""Either way up, by kind."""


def _fitting(sides: int) -> int:
    """The kinds, one bit each, of which a card may lie with these sides open and closed."""
    open_, closed = sides & SIDES, sides >> 4
    return sum(
        1 << index
        for index, cards in enumerate(_CARDS)
        if any(card & open_ == open_ and not card & closed for card in cards)
    )


_KINDS: Final = 1 << len(_THROUGH)
"""The number of sets of kinds; a set has one bit for each kind."""
_FIELD: Final = 7
"""Bits of a counter of cards. One integer packs a counter for each set of kinds; the highest bit of
each stays free to be borrowed from."""
_FREE: Final = sum(1 << _FIELD * kinds + _FIELD - 1 for kinds in range(_KINDS))


def _one_from(sets: Iterable[int]) -> int:
    """Packed counters: 1 for each of these sets of kinds."""
    return sum(1 << _FIELD * kinds for kinds in sets)


@cache
def _asked(fitting: int) -> int:
    """Packed counters: 1 for each set that contains all of these kinds."""
    return _one_from(kinds for kinds in range(_KINDS) if not fitting & ~kinds)


_HAVING: Final = tuple(
    _one_from(kinds for kinds in range(_KINDS) if kinds >> kind & 1)
    for kind in range(len(_THROUGH))
)
"""By kind, packed counters: 1 for each set that contains it."""

_FITTING: Final = tuple(map(_fitting, range(_BORDER + 1)))
_ASKED: Final = tuple(map(_asked, _FITTING))
"""By the sides that must be open and closed in a cell: packed counters. Their sum over cells says
how many of these need a card from each set of kinds: by Hall's theorem, each can have a card of its
own if no set has fewer copies left."""


_COPIES: Final = (1 << _FIELD - 1) - 1
_STRAIGHT: Final = _FIELD * _FITTING[E | W]
_SIDEWAYS: Final = _FIELD * (_FITTING[E | W] | _FITTING[N | E] | _FITTING[N | W])
"""Bit offsets of two counters: copies that lead from west to east, and copies that lead to the east
or west."""


def further_cards(maze: Maze, used: Counts, pause: Callable[[], None] = lambda: None) -> int | None:
    """The fewest further tunnel cards that would join the start to a goal that lies face down, 0
    where one is joined; None: the cards left cannot. `used`: the cards played in this round.
    `pause`: is called again and again meanwhile.

    >>> from companion.games.saboteur.rules.cards import NONE_USED
    >>> from companion.games.saboteur.rules.maze import initial_maze
    >>> further_cards(initial_maze(), NONE_USED)
    7
    """
    if reached(maze):
        return 0
    if not maze.down:
        return None
    left = [copies_left(used, KIND[text]) for text in _THROUGH]
    return _Search(maze, left, pause).fewest()


class _Search:
    """In one maze, with the copies left of each kind."""

    def __init__(self, maze: Maze, left: list[int], pause: Callable[[], None]) -> None:
        self._maze = maze
        self._left = left
        self._pause = pause
        self._kinds = sum(1 << index for index, copies in enumerate(left) if copies)
        self._starts = [
            (cell, side)
            for cell, border in maze.borders.items()
            if border >> PATH
            for side, _, _ in STEPS
            if border >> PATH & side
        ]
        cut_off = [at_of(cell) for cell, card in maze.cards.items() if not card & BARS_PATH]
        self._targets = [*map(at_of, maze.down), *cut_off]
        self._nearest: dict[Cell, int] = {}
        self._columns = _Columns(
            map(_half_columns, self._starts),
            (2 * at_of(goal)[0] for goal in maze.down),
            {x for x, _ in cut_off},
        )
        self._from_start: dict[Side, int] = {}
        """By where a path leaves a cell: the fewest cards up to there, as if copies were
        unlimited."""
        self._copies = _FREE | sum(map(mul, left, _HAVING))
        self._joined: dict[tuple[Side, int], int] = {}
        """By where a path that may cross itself leaves a cell, and the sum of `_ASKED` of its cells
        from there to a goal: a number of cards that suffices to lead it back to the start."""
        self._failed: dict[tuple[Side, int], int] = {}
        """By the same key: a number of cards that does not suffice."""

    def fewest(self) -> int | None:
        from_goals = [
            side
            for goal in self._maze.down
            for _, step, facing in STEPS
            for side in self._beside(Cell(goal + step), facing)
        ]
        further = self._forwards()
        for cards in range(1, sum(self._left) + 1):
            goes_on = next(further, False)
            joined = [side for side in from_goals if side in self._from_start]
            if not joined and not goes_on:
                return None
            if any(
                self._might_join(side, 0, cards) and self._joins(side, {}, cards) for side in joined
            ):
                return cards
        return None

    def _forwards(self) -> Iterator[bool]:
        """Fills in `_from_start`, step by step: in each, the paths whose least length to a goal is
        one card more. Ends where no path goes further."""
        maze, from_start, seen = self._maze, self._from_start, set[Side]()
        waiting: defaultdict[int, list[tuple[Side, int]]] = defaultdict(list)
        """By the least length of a path over a cell: the side where it comes in, and its cards up
        to there."""
        for entry in self._starts:
            waiting[1 + self._to_goal(entry[0])].append((entry, 1))
        length = 0
        while waiting:
            length += 1
            for entry, cards in waiting[length]:
                self._pause()
                cell, entered = entry
                if entry in seen or cell in maze.down:
                    continue
                seen.add(entry)
                sides = maze.borders.get(cell, 0) & _BORDER | entered
                for side, step, facing in STEPS:
                    leaving = cell, side
                    if side == entered or leaving in from_start:
                        continue
                    if _FITTING[sides | side] & self._kinds:
                        from_start[leaving] = cards
                        for following in self._beside(Cell(cell + step), facing):
                            least = cards + 1 + self._to_goal(following[0])
                            waiting[least].append((following, cards + 1))
            del waiting[length]
            yield True

    def _to_goal(self, cell: Cell) -> int:
        """Lower bound of the cards beyond this one: up to a goal, or to a card that is cut off from
        the start, over which a path costs nothing."""
        cards = self._nearest.get(cell)
        if cards is None:
            x, y = at_of(cell)
            far = min(abs(x - at[0]) + abs(y - at[1]) for at in self._targets)
            cards = self._nearest[cell] = max(far - 1, 0)
        return cards

    def _beside(self, cell: Cell, side: int) -> list[Side]:
        """Where a path that comes to this side of a cell goes on: there, or beyond the cards there
        if they are cut off from the start."""
        card = self._maze.cards.get(cell)
        if card is None:
            return [(cell, side)]
        return self._beyond(cell) if card & side and not card & BARS_PATH else []

    def _beyond(self, cell: Cell) -> list[Side]:
        cards = self._maze.cards
        found, todo, seen = [], [cell], {cell}
        while todo:
            cell = todo.pop()
            for side, step, facing in STEPS:
                beside = Cell(cell + step)
                if not cards[cell] & side or beside in seen:
                    continue
                card = cards.get(beside)
                if card is None:
                    found.append((beside, facing))
                elif card & facing and not card & BARS_PATH:
                    seen.add(beside)
                    todo.append(beside)
        return found

    def _joins(self, leaving: Side, path: Mapping[Cell, int], cards: int) -> bool:
        """Whether the path can be led back to the start from there with so many cards at the most.
        `path`: the cells that it has come over, with the sides that must be open and closed."""
        self._pause()
        cell, left_by = leaving
        if cell in path:
            return False
        rock, path = 0, dict(path)
        for side, step, facing in STEPS:
            beside = Cell(cell + step)
            if side != left_by and beside in path:
                rock |= side << 4
                path[beside] |= facing << 4
        asked = sum(_ASKED[sides] for sides in path.values())
        for sides, entries in self._ways(leaving, rock, asked):
            path[cell] = sides
            if not entries or any(
                self._might_join(entry, asked + _ASKED[sides], cards - 1)
                and self._joins(entry, path, cards - 1)
                for entry in entries
            ):
                return True
        return False

    def _might_join(self, leaving: Side, asked: int, cards: int) -> bool:
        """The same of a path that may cross itself. `asked`: of its cells so far, the sum of their
        `_ASKED`."""
        if self._from_start.get(leaving, cards + 1) > cards:
            return False
        left = self._copies - asked
        half_columns = min(cards, left >> _STRAIGHT & _COPIES)
        half_columns += min(cards, left >> _SIDEWAYS & _COPIES)
        if self._columns.from_start(_half_columns(leaving)) > half_columns:
            return False
        key = leaving, asked
        if self._joined.get(key, cards + 1) <= cards:
            return True
        if self._failed.get(key, 0) >= cards:
            return False
        self._pause()
        for sides, entries in self._ways(leaving, 0, asked):
            if not entries or any(
                self._might_join(entry, asked + _ASKED[sides], cards - 1) for entry in entries
            ):
                self._joined[key] = cards
                return True
        self._failed[key] = cards
        return False

    def _ways(self, leaving: Side, rock: int, asked: int) -> Iterator[tuple[int, list[Side]]]:
        """Ways back through a cell for which cards are left: the sides that must be open and closed
        in it, and where the path leaves the cells before it; none if it comes from the start."""
        cell, left_by = leaving
        border = self._maze.borders.get(cell, 0)
        sides = border & _BORDER | left_by | rock
        left = self._copies - asked
        for side, step, facing in STEPS:
            if side == left_by or sides >> 4 & side:
                continue
            if left - _ASKED[sides | side] & _FREE != _FREE:
                continue
            if border >> PATH & side:
                yield sides | side, []
            elif before := self._beside(Cell(cell + step), facing):
                yield sides | side, before


class _Columns:
    """How far it is sideways from the start, in half columns: a path through a cell goes on by two
    where it is straight, by one where it turns. Columns with a card that is cut off from the start
    may cost nothing."""

    def __init__(self, starts: Iterable[int], goals: Iterable[int], free: Set[int]) -> None:
        at_start = set(starts)
        ends = at_start.union(goals)
        self._west, east = min(ends), max(ends)
        far: list[int] = [0 if at in at_start else 2 * REACH for at in range(self._west, east + 1)]
        costs = [at // 2 not in free for at in range(self._west, east + 1)]
        for at in range(1, len(far)):
            far[at] = min(far[at], far[at - 1] + costs[at])
        for at in range(len(far) - 1, 0, -1):
            far[at - 1] = min(far[at - 1], far[at] + costs[at])
        self._far = far

    def from_start(self, at: int) -> int:
        """At the least; `at` as `_half_columns` says."""
        return self._far[min(max(at - self._west, 0), len(self._far) - 1)]


def _half_columns(side: Side) -> int:
    """Where it lies, in half columns from the middle of the start to the east."""
    cell, by = side
    return 2 * at_of(cell)[0] + (by == E) - (by == W)
