"""Who plays at the tables of a café, and when they are free again."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from companion.games.game import Rejection
from companion.tables import commands as ask
from companion.tables.log import DamagedError, EventLog, StandingTable
from companion.tables.model import Device, Table
from companion.tables.rejections import NO_TABLE
from companion.tables.waiting import Waits

FREE_AFTER_S: Final = 1800.0
"""Seconds without an event after which a table counts as free, before a game or after one."""

FREE_IN_GAME_AFTER_S: Final = 3600.0
"""The same in the middle of a game, which may be played for long without a word to a phone; for
longer than any round takes. Those who play on after all keep their table, and lose the tent."""

QUIET_AFTER_S: Final = 900.0
"""Seconds without an event after which whoever scans the code is asked whether those who played
there have gone: before that nobody can take their place, and after it they know best."""

FREE_ALONE_AFTER_S: Final = 3 * 3600.0
"""Seconds after which a table counts as free where one device alone acts and nobody plays:
else whoever has once seen the code could hold the table from home, for ever. Who waits there for
friends has so long; and a device that all share plays."""

AHEAD_MAX: Final = 1000
"""Evenings of a clock that was ahead that are known at once."""

TRIES: Final = 100
"""Attempts to sit down while others sit down and leave at the same moment."""


class Evenings(Waits, Protocol):
    """Tables that are opened, played at and ended; see `service.Tables`."""

    def fresh(self, table_id: str) -> Table | None: ...

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
    def __init__(self, evenings: Evenings, log: EventLog, clock: Callable[[], float]) -> None:
        """`clock`: seconds since the epoch."""
        self._evenings = evenings
        self._log = log
        self._clock = clock
        self._ahead: dict[tuple[str, int], float] = {}
        """By table and version: when a last event that is still to come was first met."""

    def evening_at(self, one: StandingTable) -> Table | None:
        """Where they play there; None where it is free."""
        if one.table_id is None:
            return None
        with suppress(DamagedError):
            table = self._evenings.fresh(one.table_id)
            return None if table is None or self._is_free(table) else table
        return None

    def _is_free(self, table: Table) -> bool:
        """Whether another evening can begin where this one was."""
        unused_s = FREE_IN_GAME_AFTER_S if table.playing else FREE_AFTER_S
        alone_s = self._clock() - table.activity.lively_at
        return self._unused_s(table) >= unused_s or alone_s >= FREE_ALONE_AFTER_S

    def _unused_s(self, table: Table) -> float:
        """Seconds since the last event; of one that a clock which was ahead has dated, since it was
        first met here: when it was, nobody knows."""
        now, last_at = self._clock(), table.activity.last_at
        if last_at > now:
            if len(self._ahead) >= AHEAD_MAX:
                self._ahead.clear()
            last_at = self._ahead.setdefault((table.id, table.version), now)
        return now - last_at

    def is_quiet(self, evening: Table) -> bool:
        """Whether those of an evening may have gone."""
        return self._unused_s(evening) >= QUIET_AFTER_S

    def open(
        self, one: StandingTable, device: Device, command: ask.Open, request_key: str
    ) -> Table | Rejection:
        """A new table for who plays there from now on; or the one of who was faster, or has gone on
        playing there meanwhile."""
        with self._evenings.waiting():
            opened = self._opened(one, device, command, request_key)
            if isinstance(opened, Rejection):
                return opened
            for _ in range(TRIES):
                now = self._log.standing_by(key=one.key)
                if now is None or now.table_id == opened.id:
                    return opened
                evening = self.evening_at(now)
                if evening is not None and not self.is_quiet(evening):
                    self._evenings.submit(
                        opened.id, device, ask.End(), version=None, request_key=request_key
                    )
                    return evening
                if self._log.move_standing(now.number, now.table_id, opened.id):
                    return opened
            return NO_TABLE

    def go_on(self, before: str, after: str) -> None:
        """Who plays at a table of a café, plays at another one of ours from now on."""
        with self._evenings.waiting():
            for one in self._log.standing():
                if one.table_id == before:
                    self._log.move_standing(one.number, before, after)

    def _opened(
        self, one: StandingTable, device: Device, command: ask.Open, request_key: str
    ) -> Table | Rejection:
        """The same form, an evening later, opens another: also where the table was freed, and is as
        it was before that evening. One that somebody has done something at is neither brought back
        nor taken for the one that came too late."""
        key = f"{request_key} {one.table_id}"
        while True:
            opened = self._evenings.open(device, command, key)
            if isinstance(opened, Rejection) or opened.version == 1:
                return opened
            key = f"{key} {opened.id}"
