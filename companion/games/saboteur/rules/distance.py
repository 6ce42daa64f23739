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

1. forwards from the start, as if of each kind of card that is left there were any number: for each
   side by which a path may leave a cell, the fewest cards up to there;
2. backwards from the goals along such figures, so that each cell can have a card of its own (a
   matching of cells to copies, by Hall's theorem). If none can be found with so many cards, then
   with one more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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
    S,
    W,
    copies_left,
)
from companion.games.saboteur.rules.maze import LIT, Cell, Maze, reached

Side = tuple[Cell, int]
"""A cell without a face-up card, and the side by which a path comes into it or leaves it."""

_STEPS: Final = ((N, 1, S), (E, 256, W), (S, -1, N), (W, -256, E))
_BORDER: Final = 255
"""Of a border, the sides that must be open (bits 0-3) and closed (bits 4-7)."""
_PATH: Final = 8
_THROUGH: Final = tuple(text for text in TUNNEL_COPIES if not CODE[text] & DEAD_END)
"""The kinds of tunnel cards through which a path can go, each one way up."""


def _fitting(sides: int) -> int:
    """The kinds, one bit each, of which a card may lie with these sides open and closed."""
    open_, closed = sides & SIDES, sides >> 4
    return sum(
        1 << index
        for index, text in enumerate(_THROUGH)
        if any(
            card & open_ == open_ and not card & closed and not card & DEAD_END
            for other, card in CODE.items()
            if KIND[other] == KIND[text]
        )
    )


_KINDS: Final = 1 << len(_THROUGH)
"""Sets of kinds, one bit each."""
_FIELD: Final = 7
"""Bits of a number of cards, of which the highest stays free to be borrowed from."""
_FREE: Final = sum(1 << _FIELD * kinds + _FIELD - 1 for kinds in range(_KINDS))


def _one_from(sets: Iterable[int]) -> int:
    """One card from each of these sets of kinds."""
    return sum(1 << _FIELD * kinds for kinds in sets)


_HAVING: Final = tuple(
    _one_from(kinds for kinds in range(_KINDS) if kinds >> kind & 1)
    for kind in range(len(_THROUGH))
)
"""By kind, the sets that have it."""

_FITTING: Final = tuple(map(_fitting, range(_BORDER + 1)))
_ASKED: Final = tuple(
    _one_from(kinds for kinds in range(_KINDS) if not fitting & ~kinds) for fitting in _FITTING
)
"""By the sides that must be open and closed in a cell. Summed over cells it says how many of them
must have their cards from each set of kinds: by Hall's theorem, all can have one of their own if no
set has fewer copies left than that."""


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
            if border >> _PATH
            for side, _, _ in _STEPS
            if border >> _PATH & side
        ]
        self._from_start: dict[Side, int] = {}
        """By where a path leaves a cell: the fewest cards up to there, as if none ran out."""
        self._path: dict[Cell, int] = {}
        """Back from a goal: the cells, with the sides that must be open and closed there."""
        self._asked = 0
        """Of these cells: the sum of `_ASKED`."""
        self._copies = _FREE | sum(map(mul, left, _HAVING))
        self._failed: dict[tuple[Side, int], int] = {}
        """With how many cards a path to there, over cells for cards of these kinds, cannot be."""

    def fewest(self) -> int | None:
        from_goals = [
            side
            for goal in self._maze.down
            for _, step, facing in _STEPS
            for side in self._beside(Cell(goal + step), facing)
        ]
        further = self._forwards()
        for cards in range(1, sum(self._left) + 1):
            goes_on = next(further, False)
            joined = [side for side in from_goals if side in self._from_start]
            if not joined and not goes_on:
                return None
            if any(self._joins(side, cards)[0] for side in joined):
                return cards
        return None

    def _forwards(self) -> Iterator[bool]:
        """Fills in, one card after another, `_from_start`; ends where no path goes further."""
        maze, from_start, seen = self._maze, self._from_start, set[Side]()
        cards, entries = 0, self._starts
        while entries:
            cards += 1
            following: list[Side] = []
            for entry in entries:
                self._pause()
                cell, entered = entry
                if entry in seen or cell in maze.down:
                    continue
                seen.add(entry)
                sides = maze.borders.get(cell, 0) & _BORDER | entered
                for side, step, facing in _STEPS:
                    leaving = cell, side
                    if side == entered or leaving in from_start:
                        continue
                    if _FITTING[sides | side] & self._kinds:
                        from_start[leaving] = cards
                        following += self._beside(Cell(cell + step), facing)
            yield True
            entries = following

    def _beside(self, cell: Cell, side: int) -> list[Side]:
        """Where a path goes on that comes to this side of a cell: there, or beyond the cards that
        lie there cut off from the start."""
        card = self._maze.cards.get(cell)
        if card is None:
            return [(cell, side)]
        return self._beyond(cell) if card & side and not card & (DEAD_END | LIT) else []

    def _beyond(self, cell: Cell) -> list[Side]:
        cards = self._maze.cards
        found, todo, seen = [], [cell], {cell}
        while todo:
            cell = todo.pop()
            for side, step, facing in _STEPS:
                beside = Cell(cell + step)
                if not cards[cell] & side or beside in seen:
                    continue
                card = cards.get(beside)
                if card is None:
                    found.append((beside, facing))
                elif card & facing and not card & (DEAD_END | LIT):
                    seen.add(beside)
                    todo.append(beside)
        return found

    def _joins(self, leaving: Side, cards: int) -> tuple[bool, bool]:
        """Whether the path can be led back to the start from there with so many cards at the most,
        and whether that hangs on the cells it has come over."""
        cell, left_by = leaving
        path = self._path
        if cell in path:
            return False, True
        if self._from_start.get(leaving, cards + 1) > cards:
            return False, False
        self._pause()
        key = leaving, self._asked
        if self._failed.get(key, 0) >= cards:
            return False, False
        border = self._maze.borders.get(cell, 0)
        closed = [
            (side, Cell(cell + step), facing << 4)
            for side, step, facing in _STEPS
            if side != left_by and cell + step in path
        ]
        before = self._asked
        for _, other, rock in closed:
            self._asked -= _ASKED[path[other]]
            path[other] |= rock
            self._asked += _ASKED[path[other]]
        sides = border & _BORDER | left_by | sum(side << 4 for side, _, _ in closed)
        others = self._asked
        joined, hangs = False, bool(closed)
        for side, step, facing in _STEPS:
            if side == left_by or sides >> 4 & side:
                continue
            path[cell] = sides | side
            self._asked = others + _ASKED[sides | side]
            if self._copies - self._asked & _FREE != _FREE:
                continue
            joined = bool(border >> _PATH & side)
            for entry in () if joined else self._beside(Cell(cell + step), facing):
                joined, so = self._joins(entry, cards - 1)
                hangs |= so
                if joined:
                    break
            if joined:
                break
        path.pop(cell, None)
        for _, other, rock in closed:
            path[other] &= ~rock
        self._asked = before
        if not joined and not hangs:
            self._failed[key] = cards
        return joined, hangs
