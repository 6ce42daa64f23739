"""The story of a game: what could be counted in it, as its pages give it: plots, and honours.

A figure is one of a few kinds of plots. Its words are the reader's already; its numbers are drawn
by a template of its kind, and stand in a table beside the drawing. No kind knows a game. Places in
a drawing are in percent of its width and height.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from companion.games.fields import PlayerIndex
from companion.values import Value
from companion.web.html.panels import View
from companion.web.view.models import ToldEvent

Address = Callable[[int], str]
"""Of a play in the replay, by its number from 1."""

HIGHLIGHTS_MAX: Final = 3
"""Of the largest steps, those that are marked, in each direction."""

HONOUR_MIN: Final = 2
"""The least count that is an honour."""

SHARED_MAX: Final = 3
"""The most players who can share an honour."""

NOTHING: Final = "–"

Rows = tuple[tuple[str | int, ...], ...]


def _percent(part: float, whole: float) -> str:
    """
    >>> _percent(1, 3)
    '33.3%'
    """
    return f"{100 * part / whole if whole else 0:.1f}".removesuffix(".0") + "%"


class Segment(NamedTuple):
    """Of a bar."""

    fill: str
    x: str
    width: str
    middle: str
    label: str


class Bars(View, frozen=True):
    """For each player a bar, made up of parts of several kinds."""

    template = "panels/plot_bars.html"

    title: str
    meaning: str
    heads: tuple[str, str]  # of the players' column and of the totals'
    kinds: tuple[tuple[str, str], ...]  # how the part is filled, and what it is
    rows: tuple[tuple[str, tuple[int, ...]], ...]  # a player's name, and how many of each kind

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.heads[0], *(kind for _, kind in self.kinds), self.heads[1])

    @property
    def table(self) -> Rows:
        return tuple((name, *counts, sum(counts)) for name, counts in self.rows)

    @property
    def bars(self) -> Iterator[tuple[str, int, tuple[Segment, ...]]]:
        most = max((sum(counts) for _, counts in self.rows), default=0)
        for name, counts in self.rows:
            yield name, sum(counts), tuple(self._parts(counts, most))

    def _parts(self, counts: Sequence[int], most: int) -> Iterator[Segment]:
        before = 0
        for (fill, _), count in zip(self.kinds, counts, strict=True):
            if count:
                x, width = _percent(before, most), _percent(count, most)
                yield Segment(fill, x, width, _percent(before + count / 2, most), str(count))
            before += count


class Point(Value, frozen=True):
    play: int  # its number in the game
    by: PlayerIndex | None  # whoever made it; None: nobody
    value: int | None  # None: more than any number


class Stretch(Value, frozen=True):
    """A line of its own: a number after each play, and who made it."""

    name: str
    points: tuple[Point, ...]
    lanes: tuple[tuple[PlayerIndex, str], ...] = ()
    """Below it: each player's lane of plays, and what they were."""


class Highlight(Value, frozen=True):
    """A large step, which can be watched."""

    play: int
    address: str
    stretch: str
    was: str
    now: str
    told: ToldEvent


class Jump(NamedTuple):
    """Where a line goes up or down."""

    by: PlayerIndex | None
    x: str
    was: str
    now: str
    number: int | None  # of the highlight that it is


class Lane(NamedTuple):
    by: PlayerIndex
    name: str
    role: str
    dots: tuple[tuple[str, bool], ...]  # of plays; whether the line went up or down there


class CourseLine(NamedTuple):
    """A stretch as it is drawn."""

    name: str
    level: tuple[tuple[str, str, str], ...]  # from, to, and how high
    steps: tuple[Jump, ...]
    lanes: tuple[Lane, ...]


class Course(View, frozen=True):
    """How a number went up and down, play by play."""

    template = "panels/plot_course.html"

    title: str
    meaning: str
    heads: tuple[str, str, str, str]  # of what stretches are, plays, players, and the number
    out: str  # what is more than any number, where something may be
    players: tuple[str, ...]
    stretches: tuple[Stretch, ...]
    highlights: tuple[Highlight, ...] = ()

    @property
    def table(self) -> Rows:
        return tuple(
            (
                stretch.name,
                point.play,
                NOTHING if point.by is None else self.players[point.by],
                self.out if point.value is None else point.value,
            )
            for stretch in self.stretches
            for point in stretch.points
        )

    @property
    def laned(self) -> bool:
        """Who made which play is seen in lanes; else only who made the line go up or down."""
        return any(stretch.lanes for stretch in self.stretches)

    @property
    def scale(self) -> tuple[tuple[str, str], ...]:
        """What stands beside the drawing, and how high."""
        numbers = tuple((self._y(n), str(n)) for n in range(0, self._top + 1, self._step))
        return (*numbers, ("0%", "∞")) if self._has_out else numbers

    @property
    def lines(self) -> Iterator[CourseLine]:
        numbers = {(each.stretch, each.play): at for at, each in enumerate(self.highlights, 1)}
        for stretch in self.stretches:
            points = list(enumerate(stretch.points))
            x = [_percent(at, len(points) - 1) for at, _ in points]
            steps, level, since = [], [], 0
            dots: dict[int | None, list[tuple[str, bool]]] = {}
            for (_, before), (at, point) in pairwise(points):
                moved = before.value != point.value
                dots.setdefault(point.by, []).append((x[at], moved))
                if moved:
                    was, now = self._y(before.value), self._y(point.value)
                    number = numbers.get((stretch.name, point.play))
                    level.append((x[since], x[at], was))
                    steps.append(Jump(point.by, x[at], was, now, number))
                    since = at
            level.append((x[since], "100%", self._y(stretch.points[-1].value)))
            lanes = (
                Lane(by, self.players[by], role, tuple(dots.get(by, ())))
                for by, role in stretch.lanes
            )
            yield CourseLine(stretch.name, tuple(level), tuple(steps), tuple(lanes))

    @property
    def _highest(self) -> int:
        values = (point.value or 0 for each in self.stretches for point in each.points)
        return max(values, default=0) or 1

    @property
    def _step(self) -> int:
        return 1 if self._highest <= 3 else 2 if self._highest <= 9 else 4

    @property
    def _top(self) -> int:
        """Of the scale: no line ends above it."""
        return -(-self._highest // self._step) * self._step

    @property
    def _has_out(self) -> bool:
        return any(point.value is None for each in self.stretches for point in each.points)

    def _y(self, value: int | None) -> str:
        """What is more than any number lies above all."""
        whole = self._top + (2 if self._has_out else 0)
        return _percent(0 if value is None else whole - value, whole)


class Deed(Value, frozen=True):
    symbol: str
    name: str


class Pairs(View, frozen=True):
    """Who did what to whom, and how it was made good: each deed a small drawing."""

    template = "panels/plot_pairs.html"

    title: str
    meaning: str
    heads: tuple[str, str, str, str]  # who, to whom, what did harm, and what helped
    rows: tuple[tuple[str, str, tuple[Deed, ...], tuple[Deed, ...]], ...]

    @property
    def table(self) -> Rows:
        return tuple(
            (by, to, *(", ".join(deed.name for deed in deeds) or NOTHING for deeds in both))
            for by, to, *both in self.rows
        )


class Balance(View, frozen=True):
    """Of each thing that was used: what came nearer by it, and what went further away."""

    template = "panels/plot_balance.html"

    title: str
    meaning: str
    heads: tuple[str, ...]  # of the thing, how often it was used, and of each kind of rows two
    kinds: tuple[tuple[str, str], ...]  # of rows: how their parts are filled, and whose they are
    sides: tuple[str, str]  # what lies left of the middle, and right
    rows: tuple[tuple[Deed, tuple[int, ...]], ...]  # used; of each kind nearer, and away

    @property
    def table(self) -> Rows:
        return tuple((thing.name, *counts) for thing, counts in self.rows)

    @property
    def bars(self) -> Iterator[tuple[Deed, int, tuple[tuple[str, Segment], ...]]]:
        """Of each thing: how often it was used, and its parts with how high each lies."""
        most = max((max(counts) for _, (_, *counts) in self.rows), default=0) or 1
        for thing, (used, *counts) in self.rows:
            yield thing, used, tuple(self._parts(counts, most))

    def _parts(self, counts: Sequence[int], most: int) -> Iterator[tuple[str, Segment]]:
        for at, (kind, _) in enumerate(self.kinds):
            y = _percent(at, len(self.kinds))
            for count, sign in zip(counts[2 * at : 2 * at + 2], (-1, 1), strict=True):
                if count:
                    x, width = most + min(0, sign * count), _percent(count, 2 * most)
                    end = _percent(most + sign * count, 2 * most)
                    fill = f"{kind} {'nearer' if sign < 0 else 'away'}"
                    yield y, Segment(fill, _percent(x, 2 * most), width, end, str(count))


Figure = Bars | Course | Pairs | Balance


class Honour(Value, frozen=True):
    title: str
    names: tuple[str, ...]
    figure: str
    meaning: str


class Story(Value, frozen=True):
    honours: tuple[Honour, ...] = ()
    figures: tuple[Figure, ...] = ()


def highest(
    counted: Mapping[PlayerIndex, int], names: Sequence[str]
) -> tuple[int, tuple[str, ...]]:
    """The highest count, and who has it; nobody if it is too low, or if too many have it."""
    most = max(counted.values(), default=0)
    who = tuple(names[seat] for seat, count in sorted(counted.items()) if count == most)
    return (most, who) if most >= HONOUR_MIN and len(who) <= SHARED_MAX else (0, ())


def honour(
    title: str,
    counted: Mapping[PlayerIndex, int],
    names: Sequence[str],
    figure: Callable[[int], str],
    meaning: str,
) -> Iterator[Honour]:
    """For the highest count, if it is one; `figure`: a count in words."""
    most, who = highest(counted, names)
    if who:
        yield Honour(title, who, figure(most), meaning)
