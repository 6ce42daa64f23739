"""What can be counted in a game: how near the treasure was, whose tools broke, what turns were for.

All is counted from the states and events of its record, play by play; of rounds whose plays were
not reported there is only the gold.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, get_args

from companion.games.counting import largest
from companion.games.fields import PlayerIndex, players
from companion.games.saboteur.rules.cards import (
    MINER,
    SABOTEUR,
    TREASURE,
    TUNNEL_COPIES,
    Role,
    Tool,
)
from companion.games.saboteur.rules.distance import further_cards
from companion.games.saboteur.rules.model import (
    Event,
    GoalTurned,
    MapRead,
    Passed,
    PathPlaced,
    RockFell,
    Round,
    State,
    ToolBroken,
    ToolRepaired,
)
from companion.values import Value

AfterPlay = tuple[State, Sequence[Event]]
"""The state after a play, and what it led to."""

Turn = PathPlaced | ToolBroken | ToolRepaired | RockFell | MapRead | Passed
"""What a turn is used for. Turning goals belongs to the turn that reached them."""
KINDS: Final = get_args(Turn)

_TUNNELS: Final = (1 << 3 * len(TUNNEL_COPIES)) - 1
"""Of `Counts`, the bits of the tunnel cards, which are the first kinds."""


class Point(Value, frozen=True):
    """How far the treasure was after a play."""

    play: int
    """Its number in the game, from 1."""
    round: int
    by: PlayerIndex | None
    """The seat that made it; None: the deal."""
    role: Role | None
    """Of whoever made it; None: the deal."""
    turned: bool
    """A goal was turned."""
    was: int | None
    """The fewest further path cards before it; None: out of reach."""
    cards: int | None
    """And after it."""

    @property
    def step(self) -> float:
        """How many more than before; out of reach is infinitely far."""
        return _far(self.cards) - _far(self.was) if self.cards != self.was else 0


def _far(cards: int | None) -> float:
    return float("inf") if cards is None else cards


def latest_round(state: State) -> Round:
    """The round that is on, or the last one as it ended."""
    return state.now or state.past[-1].final


def course(plays: Iterable[AfterPlay], pause: Callable[[], None] = lambda: None) -> Iterator[Point]:
    """Of each round of which a play was reported, from its deal on. `pause`: is called again and
    again meanwhile."""
    for _, round_ in groupby(enumerate(plays, 1), key=lambda each: each[1][0].round):
        yield from _of_round(round_, pause)


def _of_round(plays: Iterator[tuple[int, AfterPlay]], pause: Callable[[], None]) -> Iterator[Point]:
    (number, (state, _)), *rest = plays
    turns = [
        (at, after, event)
        for at, (after, (event, *_)) in rest
        if isinstance(event, Turn | GoalTurned)
    ]
    if not turns:
        return
    now = latest_round(state)
    cards = further_cards(now.maze, now.used, pause)
    yield Point(number, state.round, None, None, turned=False, was=cards, cards=cards)
    for number, state, event in turns:
        before, was = now, cards
        now = latest_round(state)
        turned = isinstance(event, GoalTurned)
        if isinstance(event, GoalTurned) and event.card == TREASURE:
            cards = 0
        elif now.maze is not before.maze or (now.used ^ before.used) & _TUNNELS:
            cards = further_cards(now.maze, now.used, pause)
        role = now.roles[event.by]
        yield Point(number, state.round, event.by, role, turned, was, cards)


def highlights(points: Iterable[Point], most: int) -> list[Point]:
    """The largest steps of the game, in its order."""
    return largest(points, most, lambda point: point.play)


def gold(state: State) -> list[list[int]]:
    """Nuggets by seat, and by round."""
    return [[sum(past.gold[seat]) for past in state.past] for seat in range(state.seats)]


def turns(plays: Iterable[AfterPlay], seats: int) -> list[list[int]]:
    """What turns were used for: by seat, and by kind as in `KINDS`."""
    made = [events[0] for _, events in plays]
    found = Counter((event.by, type(event)) for event in made if isinstance(event, Turn))
    return [[found[seat, kind] for kind in KINDS] for seat in players(seats)]


class Tools(Value, frozen=True):
    """What one player did with another one's tools, or with their own, in the whole game."""

    by: PlayerIndex
    seat: PlayerIndex
    broken: tuple[Tool, ...]
    mended: tuple[Tool, ...]


def tools(plays: Iterable[AfterPlay]) -> list[Tools]:
    """Of all who did anything, by seats."""
    broken = defaultdict[tuple[PlayerIndex, PlayerIndex], list[Tool]](list)
    mended = defaultdict[tuple[PlayerIndex, PlayerIndex], list[Tool]](list)
    for _, events in plays:
        match events[0]:
            case ToolBroken(by, tool, seat):
                broken[by, seat].append(tool)
            case ToolRepaired(by, _, tool, seat):
                mended[by, seat].append(tool)
    return [
        Tools(by, seat, tuple(broken[by, seat]), tuple(mended[by, seat]))
        for by, seat in sorted({*broken, *mended})
    ]


def pathfinders(points: Iterable[Point]) -> Counter[PlayerIndex]:
    """Plays as a gold digger after which the treasure was nearer, by seat."""
    return _count(each.by for each in points if each.role == MINER and each.step < 0)


def misleaders(points: Iterable[Point]) -> Counter[PlayerIndex]:
    """Plays as a saboteur after which the treasure was further away, by seat; that a goal which was
    turned is a stone counts for nobody."""
    return _count(
        each.by for each in points if each.role == SABOTEUR and each.step > 0 and not each.turned
    )


def _count(seats: Iterable[PlayerIndex | None]) -> Counter[PlayerIndex]:
    return Counter(seat for seat in seats if seat is not None)


def helpers(found: Iterable[Tools]) -> Counter[PlayerIndex]:
    """Tools mended for others, by seat."""
    counted: Counter[PlayerIndex] = Counter()
    for each in found:
        if each.by != each.seat:
            counted[each.by] += len(each.mended)
    return +counted
