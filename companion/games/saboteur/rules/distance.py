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
   matching of cells to copies). If none can be found with so many cards, then with one more.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from companion.games.saboteur.rules.maze import LIT, Cell, Maze, at_of, reached

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


_FITTING: Final = tuple(map(_fitting, range(_BORDER + 1)))


def further_cards(maze: Maze, used: Counts) -> int | None:
    """The fewest further tunnel cards that would join the start to a goal that lies face down, 0
    where one is joined; None: the cards left cannot. `used`: the cards played in this round.

    >>> from companion.games.saboteur.rules.cards import NONE_USED
    >>> from companion.games.saboteur.rules.maze import initial_maze
    >>> further_cards(initial_maze(), NONE_USED)
    7
    """
    if reached(maze):
        return 0
    return _Search(maze, [copies_left(used, KIND[text]) for text in _THROUGH]).fewest()


class _Search:
    """In one maze, with the copies left of each kind."""

    def __init__(self, maze: Maze, left: list[int]) -> None:
        self._maze = maze
        self._left = left
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
        self._failed: dict[tuple[Side, tuple[int, ...]], int] = {}
        """With how many cards a path to there, over cells for cards of these kinds, cannot be."""
        self._ends = _Ends(maze, left, [at_of(cell) for cell, _ in self._starts])

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
            if any(self._joins(side, cards, _lies_across(side))[0] for side in joined):
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

    def _joins(self, leaving: Side, cards: int, across: int) -> tuple[bool, bool]:
        """Whether the path can be led back to the start from there with so many cards at the most,
        and whether that hangs on the cells it has come over. `across`: as `_Ends` has it."""
        cell, left_by = leaving
        path = self._path
        if cell in path:
            return False, True
        if self._from_start.get(leaving, cards + 1) > cards:
            return False, False
        if self._ends.lack(at_of(cell), cards, len(path), across):
            return False, False
        key = leaving, tuple(sorted(_FITTING[each] & self._kinds for each in path.values()))
        if self._failed.get(key, 0) >= cards:
            return False, False
        border = self._maze.borders.get(cell, 0)
        closed = [
            (side, Cell(cell + step), facing << 4)
            for side, step, facing in _STEPS
            if side != left_by and cell + step in path
        ]
        for _, other, rock in closed:
            path[other] |= rock
        sides = border & _BORDER | left_by | sum(side << 4 for side, _, _ in closed)
        joined, hangs = False, bool(closed)
        for side, step, facing in _STEPS:
            path[cell] = sides | side
            if side == left_by or sides >> 4 & side or not self._all_have_cards():
                continue
            joined = bool(border >> _PATH & side)
            for before in () if joined else self._beside(Cell(cell + step), facing):
                more = _lies_across((cell, side)) + _lies_across(before)
                joined, so = self._joins(before, cards - 1, across + more)
                hangs |= so
                if joined:
                    break
            if joined:
                break
        del path[cell]
        for _, other, rock in closed:
            path[other] &= ~rock
        if not joined and not hangs:
            self._failed[key] = cards
        return joined, hangs

    def _all_have_cards(self) -> bool:
        """Whether each cell of the path can have a card of its own: a matching, found by augmenting
        paths."""
        held: list[list[int]] = [[] for _ in self._left]

        def give(fitting: int, tried: set[int]) -> bool:
            for kind, copies in enumerate(self._left):
                if not fitting >> kind & 1 or kind in tried:
                    continue
                tried.add(kind)
                if len(held[kind]) < copies:
                    held[kind].append(fitting)
                    return True
                for at, other in enumerate(held[kind]):
                    if give(other, tried):
                        held[kind][at] = fitting
                        return True
            return False

        return all(give(_FITTING[sides], set()) for sides in self._path.values())


def _lies_across(side: Side) -> int:
    return 1 if side[1] & (E | W) else 0


class _Ends:
    """Counts tunnels' ends. A path needs two of them facing east or west from each column to the
    next, and two facing north or south from each row to the next; cards have one or two of each to
    give. So it is seen early that straight tunnels have run out."""

    def __init__(self, maze: Maze, left: list[int], starts: list[tuple[int, int]]) -> None:
        self._starts = starts
        self._needed: tuple[dict[int, int], ...] = ({}, {})
        given = 2 * sum(not card & (DEAD_END | LIT) for card in maze.cards.values())
        self._most = tuple(
            [given + sum(ends[:cards]) for cards in range(sum(left) + 1)]
            for ends in (_ends(left, E | W), _ends(left, N | S))
        )
        """Across and along: by how many cards are laid, the ends that they have at the most."""

    def lack(self, at: tuple[int, int], cards: int, laid: int, across: int) -> bool:
        """Whether no path can come from the start to there: with so many cards beside those laid,
        which use so many ends across, the one that leaves this cell among them."""
        return any(
            used + self._between(axis, at[axis]) > self._most[axis][cards + laid]
            for axis, used in enumerate((across, 2 * laid + 1 - across))
        )

    def _between(self, axis: int, at: int) -> int:
        needed = self._needed[axis]
        if at not in needed:
            needed[at] = 2 * min(abs(start[axis] - at) for start in self._starts)
        return needed[at]


def _ends(left: list[int], along: int) -> list[int]:
    """How many ends on these two sides the cards left have, most first."""
    found = [
        (CODE[text] & along).bit_count()
        for text, copies in zip(_THROUGH, left, strict=True)
        for _ in range(copies)
    ]
    return sorted(found, reverse=True)
