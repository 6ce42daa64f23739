"""The Game of Trains by the Estonian booklet of 2015 (Brain Games; Trehgrannik).

The rules alone: two to four rows of wagons, a market of abilities, and who wins.  Nothing here
draws cards: the cards are real, and a play says which one came.
"""

from typing import Final

from companion.games.game import Chance
from companion.games.trains.rules.decide import Decision, Option, decide, legal
from companion.games.trains.rules.evolve import evolve
from companion.games.trains.rules.model import DEAL, NO_LOCKS, NOTHING_KNOWN, Event, Play, State
from companion.games.trains.rules.view import View, view


class Trains:
    """The Game of Trains as the rest of the program knows a game."""

    name = "trains"
    seat_counts = range(2, 5)
    editions: tuple[str, ...] = ("et-2015",)
    rounds = 1

    def new(self, seats: int, starter: int, edition: str, chance: Chance | None = None) -> State:
        """A table before the deal.  The cards are shuffled on it, so chance has no part here."""
        if seats not in self.seat_counts or starter not in range(seats):
            raise ValueError(f"no Game of Trains has {seats} seats and starts at {starter}")
        if edition not in self.editions:
            raise ValueError(f"no edition of the Game of Trains is called {edition}")
        return State(
            phase=DEAL,
            starter=starter,
            player=starter,
            rows=((),) * seats,
            locks=(NO_LOCKS,) * seats,
            market=(),
            known=NOTHING_KNOWN,
            owed=(),
            winner=None,
        )

    def decide(self, state: State, play: Play) -> Decision:
        return decide(state, play)

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def legal(self, state: State) -> tuple[Option, ...]:
        return legal(state)

    def view(self, state: State, seat: int | None) -> View:
        return view(state, seat)


GAME: Final = Trains()
