"""A house for tests: a clock that stands until it is moved, chance with a seed, a log in memory.

Every accepted command is checked on the way: the state in memory is the fold of the log.
"""

from __future__ import annotations

import random
from typing import Any

from companion.games import GAMES
from companion.games.game import Chance, Rejection
from companion.record.fair import Lot
from companion.tables import commands as ask
from companion.tables.evolve import fold
from companion.tables.ledger import logged
from companion.tables.log import EventLog
from companion.tables.model import Table
from companion.tables.service import Tables
from tests.kit.limits import limits
from tests.storage.contract import rows_of
from tests.storage.memory import MemoryLog

HOST = "host"
SECRET = b"a secret of the tests, 32 bytes."


class DirectEvening:
    """Commands go to the tables themselves: there are no pages and no phones."""

    deal_wait_s = 0.0
    """How long a deal waits for the phones' numbers."""

    def __init__(self, log: EventLog | None = None, seed: int = 0) -> None:
        self.log = MemoryLog() if log is None else log
        self.now = 1_700_000_000.0
        self.chance = random.Random(seed)
        self.told: list[Table] = []
        self.seed = seed
        self.keys = 0
        self.id = ""
        self.restart()

    def restart(self) -> None:
        self.tables = Tables(
            self.log,
            GAMES,
            limits(deal_wait_s=self.deal_wait_s, in_memory=3),
            secret=SECRET,
            clock=lambda: self.now,
            draw=self.draw,
        )
        self.tables.on_change.append(self.told.append)

    def draw(self, lot: Lot) -> Chance:
        return self.chance

    @property
    def table(self) -> Table:
        table = self.tables.get(self.id)
        assert table is not None
        return table

    def open(
        self,
        game: str = "saboteur",
        edition: str = "lv-2009",
        way: str = "roles",
        *,
        device: str = HOST,
        key: str | None = None,
    ) -> Table:
        table = self.tables.open(
            device, ask.Open(game, edition, way, "lv"), self.key() if key is None else key
        )
        assert isinstance(table, Table), table
        self.id = table.id
        return table

    def key(self) -> str:
        self.keys += 1
        return f"key {self.seed} {self.keys}"

    def ask(
        self,
        device: str,
        command: ask.Command,
        version: int | None = None,
        key: str | None = None,
    ) -> Table | Rejection:
        before = len(rows_of(self.log, self.id))
        answer = self.tables.submit(
            self.id,
            device,
            command,
            version=version,
            request_key=self.key() if key is None else key,
        )
        rows = rows_of(self.log, self.id)
        if isinstance(answer, Rejection):
            assert len(rows) == before
        elif not answer.ended:
            assert fold(self.id, None, [logged(row) for row in rows], GAMES) == answer == self.table
        return answer

    def done(self, device: str, command: ask.Command, **more: Any) -> Table:
        answer = self.ask(device, command, **more)
        assert isinstance(answer, Table), answer
        return answer

    def refused(self, device: str, command: ask.Command, **more: Any) -> str:
        answer = self.ask(device, command, **more)
        assert isinstance(answer, Rejection), answer
        return answer.reason.code

    # Whole stretches of an evening

    def seat(self, *names: str) -> None:
        """Each name on a device of the same name in small letters."""
        for name in names:
            self.done(name.lower(), ask.Join(name))

    def look(self) -> Table:
        for seat in self.table.in_play:
            self.done(seat.device or HOST, ask.Look(seat.id))
        return self.table

    def start(self, *names: str, way: str = "roles") -> Table:
        self.open(way=way)
        self.seat(*(names or ("Anna", "Berta", "Carl")))
        self.done(HOST, ask.Start())
        return self.look()

    def report(self, device: str = HOST, *, finisher: int | None = None, **more: Any) -> Table:
        last = {} if finisher else {"last": self.table.players[-1].id}
        play = {"play": "result", "finisher": finisher, **last}
        return self.done(device, ask.Play(None, play), **more)

    def finish(self) -> Table:
        """Plays what is left of the game; the saboteurs win every round."""
        while True:
            self.report()
            if self.table.game_state.over:
                return self.table
            self.done(HOST, ask.Deal())
            self.look()
