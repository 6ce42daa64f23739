"""Players for tests: they make random plays that the rules allow, more or less eagerly."""

from __future__ import annotations

from random import Random

from companion.games.game import Rejection
from companion.games.saboteur import GAME
from companion.games.saboteur.rules.cards import GOALS, TOOLS
from companion.games.saboteur.rules.decide import legal, legal_reveals
from companion.games.saboteur.rules.model import (
    Break,
    Event,
    Map,
    Pass,
    Path,
    Play,
    Repair,
    Result,
    Reveal,
    Rockfall,
    Seats,
    State,
)

REPAIRS = [(t,) for t in TOOLS] + [(a, b) for a in TOOLS for b in TOOLS if a < b]


def play(state: State, play: Play) -> tuple[State, tuple[Event, ...]]:
    """The play made; refusing it is a bug in the test."""
    events = GAME.decide(state, play)
    assert not isinstance(events, Rejection), (play, events)
    for event in events:
        state = GAME.evolve(state, event)
    return state, events


def guesses(state: State, rng: Random) -> list[Play]:
    """Plays of every kind by the player whose turn it is, some of them not allowed."""
    by = state.now.turn
    someone = rng.randrange(state.seats)
    tool = rng.choice(TOOLS)
    cells = list(legal(state).items())
    paths: list[Play] = []
    if cells:
        at, cards = rng.choice(cells)
        paths.append(Path(by, rng.choice(cards), at))
    laid = [card.at for card in GAME.view(state, None).maze]
    return [
        *paths,
        Pass(by),
        Break(by, tool, someone),
        Repair(by, rng.choice(REPAIRS), tool, someone),
        Rockfall(by, rng.choice(laid)),
        Map(by, rng.choice(GOALS)),
    ]


def any_play(state: State, rng: Random) -> Play:
    """A play that is allowed, of any kind."""
    by = state.now.turn
    if state.now.reveal:
        return turn_goal(state, rng)
    if rng.random() < 0.004:
        return Result(by, rng.choice([None, *range(state.seats)]), rng.choice([None, by]))
    options = guesses(state, rng)
    rng.shuffle(options)
    if rng.random() < 0.5:
        options.sort(key=lambda option: not isinstance(option, Path))
    return next(o for o in options if not isinstance(GAME.decide(state, o), Rejection))


def turn_goal(state: State, rng: Random, treasure: str | None = None) -> Play:
    """Turn a goal; the treasure lies at `treasure`, or anywhere."""
    goal, cards = rng.choice(list(legal_reveals(state).items()))
    if treasure is None:
        return Reveal(state.now.turn, goal, rng.choice(cards))
    choice = cards[0] if goal == treasure else rng.choice(cards[1:])
    return Reveal(state.now.turn, goal, choice)


def digger_play(state: State, rng: Random, treasure: str) -> Play:
    """A play that leads a path to the treasure as straight as luck allows."""
    if state.now.reveal:
        return turn_goal(state, rng, treasure)
    by = state.now.turn
    marks = [(at, card) for at, cards in legal(state).items() for card in cards]
    if state.now.broken[by] or not marks or rng.random() < 0.1:
        return Pass(by)
    best = max(marks, key=lambda mark: (-distance(*mark), rng.random()))
    return Path(by, best[1], best[0])


def distance(at: tuple[int, int], card: str) -> int:
    """Small for open cards near the goals; dead ends are no good."""
    x, y = at
    return 9 * ("x" in card) + 3 * abs(8 - x) + abs(y) - len(card)


def new_game(rng: Random, seats: int | None = None, edition: str | None = None) -> State:
    seats = seats or rng.choice(list(GAME.seat_counts))
    return GAME.new(seats, rng.randrange(seats), edition or rng.choice(tuple(GAME.editions)), rng)


def next_play(state: State, rng: Random) -> Play:
    """In every other round diggers dig, in the others anything may happen."""
    if state.now is None:
        if state.past and rng.random() < 0.2:
            return Seats(tuple(rng.sample(range(state.seats), state.seats)))
        return GAME.deal(state, rng)
    if (state.round + state.seats) % 2:
        return digger_play(state, rng, GOALS[state.gold[0] - 1])
    return any_play(state, rng)
