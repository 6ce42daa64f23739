"""A table with real cards, for tests: shuffled wagons, and players that try to sort their rows.

What a dealer knows, the referee is told play by play, as at a table.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random

from companion.games.game import Rejection
from companion.games.trains import GAME
from companion.games.trains.rules.abilities import (
    ABILITIES,
    WAGONS,
    out_of_order,
    placed,
    rearranged,
)
from companion.games.trains.rules.decide import decide, legal, whereabouts
from companion.games.trains.rules.evolve import evolve
from companion.games.trains.rules.model import Deal, Draft, Draw, Event, Play, Refill, State, Use


@dataclass
class Dealer:
    """Deals the wagons and lets somebody play; `skill` is how often a player thinks first."""

    random: Random
    seats: int
    skill: float = 0.9
    pile: list[int] = field(default_factory=list)
    printed: dict[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pile = list(WAGONS)
        self.random.shuffle(self.pile)
        abilities = [ABILITIES[wagon % len(ABILITIES)] for wagon in WAGONS]
        self.random.shuffle(abilities)
        self.printed = dict(zip(WAGONS, abilities, strict=True))

    def new(self) -> State:
        return GAME.new(self.seats, self.random.randrange(self.seats), "et-2015")

    def next_play(self, state: State) -> Play:
        """What comes next at the table; allowed always."""
        if state.phase == "deal":
            seat = self.random.choice([s for s, row in enumerate(state.rows) if not row])
            row = tuple(sorted((self._top(state) for _ in range(7)), reverse=True))
            return Deal(seat, row)
        seat = state.turn
        assert seat is not None
        row = state.rows[seat]
        if state.phase == "refill":
            return Refill(seat, self._top(state), self._tell(state, state.owed[0][1]))
        wagon = self._top(state)
        if state.phase == "turn":
            use = self._good_use(state, seat)
            if use is not None:
                self.pile.append(wagon)
                return use
        place = self._good_place(row, wagon)
        draw = Draft if state.phase == "draft" else Draw
        return draw(seat, wagon, place, self._tell(state, row[place - 1]))

    def _top(self, state: State) -> int:
        """The top wagon; an empty pile is made new of all that lie nowhere else."""
        if not self.pile:
            self.pile = [wagon for wagon in WAGONS if whereabouts(state, wagon) is None]
            self.random.shuffle(self.pile)
        return self.pile.pop()

    def _tell(self, state: State, wagon: int) -> str | None:
        """An ability is told the first time, and now and then again."""
        if state.known[wagon] and self.random.random() < 0.7:
            return None
        return self.printed[wagon]

    def _good_use(self, state: State, seat: int) -> Use | None:
        uses = [
            Use(seat, option.ability, place)
            for option in legal(state)
            if option.play == "use" and option.ability is not None
            for place in (option.places or (None,))
        ]
        if not uses:
            return None
        if self.random.random() > self.skill:
            return self.random.choice(uses) if self.random.random() < 0.5 else None
        row = state.rows[seat]
        best = min(uses, key=lambda use: (_after(row, use), self.random.random()))
        useful = _after(row, best) < out_of_order(row)
        return best if useful or self.random.random() < 0.15 else None

    def _good_place(self, row: tuple[int, ...], wagon: int) -> int:
        """Where the wagon helps the row most; near where a row spread evenly would have it."""
        if self.random.random() > self.skill:
            return self.random.randint(1, 7)
        ideal = 1 + (wagon - 1) * 7 // len(WAGONS)
        return min(
            range(1, 8),
            key=lambda place: (out_of_order(placed(row, place, wagon)), abs(place - ideal)),
        )


def _after(row: tuple[int, ...], use: Use) -> int:
    if use.place is None or use.ability == "protect":
        return out_of_order(row)
    return out_of_order(rearranged(row, use.ability, use.place))


@dataclass(frozen=True)
class Step:
    before: State
    play: Play
    events: tuple[Event, ...]
    after: State


def game(random: Random, seats: int, skill: float = 0.9, limit: int = 2000) -> Iterator[Step]:
    """A whole game, play by play, until somebody wins (or a limit that never should be reached)."""
    dealer = Dealer(random, seats, skill)
    state = dealer.new()
    for _ in range(limit):
        play = dealer.next_play(state)
        events = decide(state, play)
        assert not isinstance(events, Rejection), (play, events)
        before = state
        for event in events:
            state = evolve(state, event)
        yield Step(before, play, events, state)
        if state.winner is not None:
            return


def until(seats: int, there: Callable[[State], bool]) -> tuple[list[Play], State]:
    """The plays of a game up to a state like that, and the state; the first seat starts."""
    for seed in range(2000):
        plays = []
        for step in game(Random(seed), seats, skill=0.8):
            if step.before.starter:
                break
            plays.append(step.play)
            if there(step.after):
                return plays, step.after
    raise AssertionError("no game comes to that")
