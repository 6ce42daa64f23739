"""Tables of a café, whose codes last: who plays there, and when they are free again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from typing import Final, Protocol

from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables import refusals
from companion.tables.log import DamagedError, EventLog, StandingTable, StorageError
from companion.tables.model import Device, Table
from companion.tables.offers import digest, short_code, tidy_code
from companion.tables.waiting import ReadsLog, Waits, reads_log

OVER_S: Final = 1800.0
"""After a game, or before one, in which nothing happens: then those who sat there have gone."""

LEFT_S: Final = 3 * 3600.0
"""The same in the middle of a game, which may be played for long without a word to a phone."""

ALONE_S: Final = LEFT_S
"""The same where one device alone goes on arranging seats, links or settings, and nobody plays:
else whoever has once seen the code could hold the table from home, for ever. Who waits there for
friends has so long; and a device that all share plays."""

TRIES: Final = 100
"""Of codes, while they are taken."""

RENEWALS_MAX: Final = 1000
"""Of one table's code: how often is not kept, but found."""


def is_free(table: Table, now: float) -> bool:
    """Whether another evening can begin where this one was. `now`: seconds since the epoch."""
    unused = now - table.last_at >= (LEFT_S if table.playing else OVER_S)
    return unused or now - table.lively_at >= ALONE_S


class Evenings(ReadsLog, Waits, Protocol):
    """Tables that are opened, played at and ended; see `service.Tables`."""

    def now(self, table_id: str) -> Table | None: ...

    def open(self, device: Device, command: ask.Open, request_key: str) -> Table | Rejection: ...

    def submit(
        self,
        table_id: str,
        device: Device,
        command: ask.Command,
        *,
        version: int | None,
        request_key: str,
    ) -> Table | Rejection: ...


class StandingTables:
    def __init__(
        self,
        evenings: Evenings,
        log: EventLog,
        key_of: Callable[[int, int], str],
        clock: Callable[[], float],
        code_length: int,
    ) -> None:
        """`key_of`: of the table with this number, which nobody can guess, renewed so often.
        `clock`: seconds since the epoch."""
        self._evenings = evenings
        self._log = log
        self._key_of = key_of
        self._clock = clock
        self._code_length = code_length

    def make(self, number: int) -> StandingTable:
        """The table of this number, as it was made once."""
        for _ in range(TRIES):
            found = {one.number: one for one in self._log.standing()}
            if number in found:
                return found[number]
            one = self._drawn(number, 0)
            if self._log.add_standing(one):
                return one
        raise StorageError("no short code was free")

    def _drawn(self, number: int, renewed: int) -> StandingTable:
        key = digest(self._key_of(number, renewed))
        return StandingTable(number, key, short_code(self._code_length))

    def find(self, number: int) -> StandingTable | None:
        return next((one for one in self._log.standing() if one.number == number), None)

    def renew(self, one: StandingTable) -> StandingTable:
        """The same with another key and code, and free: those of before lead nowhere."""
        renewed = self._renewed(one) + 1
        for _ in range(TRIES):
            anew = self._drawn(one.number, renewed)
            if self._log.renew_standing(anew, one.key):
                return anew
            done = self._log.standing_by(key=anew.key)
            if done is not None:  # by another, or by us: a commit that was cut is made again
                return done
        raise StorageError(f"the code of table {one.number} was not renewed")

    def _renewed(self, one: StandingTable) -> int:
        """How often its code was."""
        for renewed in range(RENEWALS_MAX):
            if digest(self._key_of(one.number, renewed)) == one.key:
                return renewed
        raise StorageError(f"the code of table {one.number} was made with another secret key")

    def free(self, number: int) -> bool:
        """Whoever scans it next opens an evening; the one before goes on for who was there. False
        if there is no such table. An evening that begins at the same moment stays."""
        found = self.find(number)
        if found is None:
            return False
        self._log.move_standing(number, found.table_id, None)
        return True

    def key(self, one: StandingTable) -> str:
        """128 bits in 22 letters; they last."""
        return self._key_of(one.number, self._renewed(one))

    def reading_log(self) -> AbstractContextManager[None]:
        return self._evenings.reading_log()

    @reads_log
    def by_key(self, key: str) -> StandingTable | None:
        return self._log.standing_by(key=digest(key))

    @reads_log
    def by_code(self, code: str) -> StandingTable | None:
        return self._log.standing_by(code=tidy_code(code))

    def evening_at(self, one: StandingTable) -> Table | None:
        """Where they play there; None where it is free."""
        if one.table_id is None:
            return None
        with suppress(DamagedError):
            table = self._evenings.now(one.table_id)
            return None if table is None or is_free(table, self._clock()) else table
        return None

    def open(
        self, one: StandingTable, device: Device, command: ask.Open, request_key: str
    ) -> Table | Rejection:
        """A new table for who plays there from now on; or the one of who was faster."""
        with self._evenings.waiting():
            key = f"{request_key} {one.table_id}"  # the same form, an evening later, opens another
            opened = self._evenings.open(device, command, key)
            if isinstance(opened, Rejection):
                return opened
            for _ in range(TRIES):
                if self._log.move_standing(one.number, one.table_id, opened.id):
                    return opened
                now = self._log.standing_by(key=one.key)
                if now is None or now.table_id == opened.id:
                    return opened
                evening = self.evening_at(now)
                if evening is not None:
                    self._evenings.submit(
                        opened.id, device, ask.End(), version=None, request_key=request_key
                    )
                    return evening
                one = now  # it was freed meanwhile
            return Rejection(refusals.NO_TABLE)
