"""One evening, played in all its worlds at once: everything that people do, and every viewer's
requests in between."""

from __future__ import annotations

from tests.noninterference.by_play import referee
from tests.noninterference.by_word import by_word
from tests.noninterference.crowd import Crowd
from tests.noninterference.getting_in import (
    a_guest_comes_late,
    a_phone_is_lost,
    a_seat_moves,
    lobby,
)
from tests.noninterference.plan import NAMES
from tests.noninterference.world import pinned
from tests.noninterference.worlds import Worlds


class ComparedEvening(Crowd):
    """Played in several worlds at once that differ in secrets alone."""

    def play(self) -> Worlds:
        with pinned():
            try:
                lobby(self)
                for number in range(len(self.plan.classes)):
                    self.round(number)
                self.end()
            finally:
                self.worlds.close()
        assert not any(self.left.values()), "somebody has not asked for everything"
        self.worlds.tally.searched = self.worlds.needles.searched
        return self.worlds

    def round(self, number: int) -> None:
        self._asks_at_the_deal()
        if number == 0:
            for world in self.worlds.all:
                world.games += 1
            self.do(self.host, "start", starter="3")
        else:
            self.do(self.host, "deal")
        self.worlds.opening.asking = []
        self.looking(number)
        if self.plan.way == "referee":
            referee(self, number)
        else:
            by_word(self, number)
        self.settled(number)

    def _asks_at_the_deal(self) -> None:
        """Some viewers for some of the pages that say something of a deal."""
        seat = ("", "/fair", "/live", "/record.jsonl", "/screen")
        of = {self.television: (f"{self.join}/{each}" for each in ("screen", "fair", "live"))}
        paths = [
            (viewer, "GET", path)
            for viewer in self.viewers
            for path in of.get(viewer, (f"{self.path}{each}" for each in seat))
        ]
        secrets = [(viewer, "POST", f"{self.path}/role") for viewer in self.viewers]
        asked = (*self.rng.sample(paths, len(paths) // 4), *secrets[:: self.rng.choice((2, 3))])
        self.worlds.opening.asking = list(asked)

    def looking(self, number: int) -> None:
        self.halt()
        if number == 0:
            a_seat_moves(self)
            a_phone_is_lost(self)
            a_guest_comes_late(self)
        seats = list(self.holders)
        for seat in seats[:-1]:
            self.secret("role", seat)
            if seat == seats[1]:
                self.halt(self.viewers[:1])
        self.do(self.host, "begin")
        self.secret("role", seats[-1])
        self.halt()

    def settled(self, number: int) -> None:
        assert self.state.now is None
        if self._apart():
            self.worlds.ask(self.television, "GET", f"{self.join}/screen")
            assert self.worlds.tally.told_apart, "nothing is ever shown"
        if not self.state.over:
            self.halt()
        for seat in self.holders:
            self.secret("gold", seat)

    def _apart(self) -> bool:
        return len({tuple(world.shown) for world in self.worlds.all}) > 1

    def end(self) -> None:
        """The record, another game, and the table deleted."""
        if self.state.over:
            self.halt(self.viewers[:4])
            for world in self.worlds.all:
                world.games += 1
            if self.plan.players < len(NAMES):
                self.do(self.host, "remove-seat", seat=str(self.worlds.table.seats[-1].id))
            self._asks_at_the_deal()
            self.do(self.host, "new-game")
            self.worlds.opening.asking = []
            self.halt(self.viewers[:2])
        self.do(self.host, "end", next="/")
        self.halt(self.viewers[-3:])
