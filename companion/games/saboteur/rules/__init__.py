"""Saboteur, complete for five editions: the booklets of 2007 and 2009, a web page, and English.

`GAME` is the face for the rest of the program. Seats are numbers from 0, clockwise; chance comes
in as an object with `shuffle` and is drawn nowhere else.

>>> from companion.games.saboteur.rules import GAME, Deal, Path
>>> class Unshuffled:
...     def shuffle(self, x): pass
>>> state = GAME.new(3, 0, "lv-2009", Unshuffled())
>>> (dealt,) = GAME.decide(state, Deal(("miner", "saboteur", "miner")))
>>> state = GAME.evolve(state, dealt)
>>> refused = GAME.decide(state, Path(0, "NS", (1, 0)))
>>> refused.reason.code, dict(refused.params)
('edge_mismatch', {'sides': 'W'})
>>> GAME.legal(state)[0, 1][:3]
('NESW', 'NES', 'NSW')
"""

from __future__ import annotations

from typing import Final

from companion.games.game import Chance
from companion.games.saboteur.rules import decide as _decide
from companion.games.saboteur.rules.cards import GOLD_CARDS, SEAT_COUNTS
from companion.games.saboteur.rules.editions import EDITIONS, Edition
from companion.games.saboteur.rules.evolve import evolve, opened
from companion.games.saboteur.rules.maze import At
from companion.games.saboteur.rules.model import (
    EVENTS,
    PLAYS,
    Break,
    Deal,
    Dealt,
    Event,
    GameEnded,
    GoalTurned,
    Map,
    MapRead,
    Opened,
    Pass,
    Passed,
    Path,
    PathPlaced,
    Play,
    Repair,
    Result,
    ResultTold,
    Reveal,
    Rockfall,
    RockFell,
    RoundEnded,
    State,
    ToolBroken,
    ToolRepaired,
)
from companion.games.saboteur.rules.view import Laid, PastRound, Rank, View, view

__all__ = [
    "EDITIONS",
    "EVENTS",
    "GAME",
    "PLAYS",
    "Break",
    "Deal",
    "Dealt",
    "Edition",
    "Event",
    "GameEnded",
    "GoalTurned",
    "Laid",
    "Map",
    "MapRead",
    "Opened",
    "Pass",
    "Passed",
    "PastRound",
    "Path",
    "PathPlaced",
    "Play",
    "Rank",
    "Repair",
    "Result",
    "ResultTold",
    "Reveal",
    "RockFell",
    "Rockfall",
    "RoundEnded",
    "Saboteur",
    "State",
    "ToolBroken",
    "ToolRepaired",
    "View",
]


class Saboteur:
    """The functions of this package under the names that every game has."""

    name: Final = "saboteur"
    seat_counts: Final = SEAT_COUNTS
    editions: Final = tuple(EDITIONS)
    rounds: Final = _decide.ROUNDS

    def opening(self, seats: int, starter: int, edition: str, chance: Chance) -> Opened:
        """The event that begins a game, with the gold pile shuffled."""
        gold = list(GOLD_CARDS)
        chance.shuffle(gold)
        return Opened(seats, starter, edition, tuple(gold))

    def opened(self, event: Opened) -> State:
        """The state that this event begins."""
        return opened(event)

    def new(self, seats: int, starter: int, edition: str, chance: Chance) -> State:
        return opened(self.opening(seats, starter, edition, chance))

    def deal(self, state: State, chance: Chance) -> Deal:
        """The play that deals the next round, the dwarves shuffled."""
        return _decide.deal(state, chance)

    def decide(self, state: State, play: Play) -> _decide.Decision:
        """What comes of a play, or why it may not be made."""
        return _decide.decide(state, play)

    def evolve(self, state: State, event: Event) -> State:
        """The state after the event; an old state and its events give the new one."""
        return evolve(state, event)

    def legal(self, state: State) -> dict[At, tuple[str, ...]]:
        """All tunnel cards that may be laid now, as they lie, by cell."""
        return _decide.legal(state)

    def legal_reveals(self, state: State) -> dict[str, tuple[str, ...]]:
        """The goals that may be turned now, and how each may turn out to lie."""
        return _decide.legal_reveals(state)

    def view(self, state: State, seat: int | None) -> View:
        """All that this seat may know; None: the table screen, or anybody."""
        return view(state, seat)


GAME: Final = Saboteur()
