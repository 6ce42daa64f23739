"""What can be counted in a game: how far each row was from rising, by turn, and what abilities did.

A turn is a play of the opening draft, a draw, or the use of an ability with all the gaps that it
has left filled. The light way has no record, and nothing to count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from companion.games.counting import largest
from companion.games.fields import PlayerIndex, by_player
from companion.games.trains.rules.abilities import Ability, out_of_order
from companion.games.trains.rules.model import (
    Event,
    GapFilled,
    RowDealt,
    State,
    WagonMoved,
    WagonProtected,
    WagonsRemoved,
    WagonsSwapped,
)
from companion.values import Value

AfterPlay = tuple[State, Sequence[Event]]
"""The state after a play, and what it led to."""

_Used = WagonsSwapped | WagonMoved | WagonsRemoved | WagonProtected


class Turn(Value, frozen=True):
    first: int
    """Number in the game, from 1, of the play that it begins with."""
    play: int
    """And of the one that it ends with."""
    by: PlayerIndex | None
    """The seat; None: the deal."""
    ability: Ability | None
    """None: a wagon was drawn."""
    away: tuple[int, ...]
    """After it, by seat: how many wagons keep the row from rising (`out_of_order`)."""
    gaps: tuple[PlayerIndex, ...] = ()
    """The seats with a gap that it has left open: the game was over, or was given up."""


def turns(plays: Iterable[AfterPlay]) -> list[Turn]:
    """The deal and each turn, in their order."""
    found: list[Turn] = []
    for number, (state, events) in enumerate(plays, 1):
        if not all(state.rows):
            continue
        event = events[0]
        away = tuple(map(out_of_order, state.rows))
        gaps = tuple(seat for seat, _ in state.owed)
        if isinstance(event, GapFilled):
            last = found.pop()
            found.append(Turn(last.first, number, last.by, last.ability, away, gaps))
        elif isinstance(event, RowDealt):
            found.append(Turn(number, number, None, None, away))
        else:
            ability = event.ability if isinstance(event, _Used) else None
            found.append(Turn(number, number, _seat(event), ability, away, gaps))
    return found


def _seat(event: Event) -> PlayerIndex | None:
    seat: PlayerIndex | None = getattr(event, "seat", None)
    return seat


class Leap(Value, frozen=True):
    """What a turn did to a row."""

    turn: Turn
    seat: PlayerIndex
    was: int
    now: int

    @property
    def step(self) -> int:
        return self.now - self.was


def highlights(found: Sequence[Turn], most: int) -> list[Leap]:
    """The largest steps of the game, in its order; one of a turn."""
    leaps = [
        max(
            (
                Leap(turn, seat, *each)
                for seat, each in by_player(zip(before.away, turn.away, strict=True))
            ),
            key=lambda leap: abs(leap.step),
        )
        for before, turn in pairwise(found)
    ]
    return largest(leaps, most, lambda leap: leap.turn.play)


class Effect(Value, frozen=True):
    """What an ability did in all: in wagons nearer to rising, and further from it."""

    ability: Ability
    used: int
    own_nearer: int
    own_away: int
    others_nearer: int
    others_away: int


def effects(found: Sequence[Turn]) -> list[Effect]:
    """Of each ability that was used, the most used first."""
    steps: Counter[tuple[Ability, bool, bool]] = Counter()
    used: Counter[Ability] = Counter()
    for before, turn in pairwise(found):
        if turn.ability is None:
            continue
        used[turn.ability] += 1
        for seat, step in by_player(_steps(before, turn)):
            if seat not in turn.gaps:  # what comes there is not known
                steps[turn.ability, seat == turn.by, step < 0] += abs(step)
    return [
        Effect(
            ability,
            times,
            steps[ability, True, True],
            steps[ability, True, False],
            steps[ability, False, True],
            steps[ability, False, False],
        )
        for ability, times in sorted(used.items(), key=lambda each: (-each[1], each[0]))
    ]


def _steps(before: Turn, turn: Turn) -> Iterator[int]:
    """By seat, how much further away its row is than before."""
    return (now - was for was, now in zip(before.away, turn.away, strict=True))


def leaps(found: Sequence[Turn]) -> dict[PlayerIndex, int]:
    """By seat: the most wagons by which one turn of its own brought its row nearer."""
    best: dict[PlayerIndex, int] = {}
    for before, turn in pairwise(found):
        if turn.by is not None:
            nearer = before.away[turn.by] - turn.away[turn.by]
            best[turn.by] = max(best.get(turn.by, 0), nearer)
    return best


def gains(found: Sequence[Turn]) -> Counter[PlayerIndex]:
    """By seat: how much nearer its row came by the abilities that it used, those turns that
    brought it nearer alone."""
    counted: Counter[PlayerIndex] = Counter()
    for before, turn in pairwise(found):
        if turn.by is not None and turn.ability is not None:
            counted[turn.by] += max(0, before.away[turn.by] - turn.away[turn.by])
    return +counted


def uses(found: Sequence[Turn], seats: int) -> list[list[int]]:
    """By seat: wagons drawn, and abilities used."""
    return [
        [
            sum(turn.by == seat and turn.ability is None for turn in found),
            sum(turn.by == seat and turn.ability is not None for turn in found),
        ]
        for seat in range(seats)
    ]
