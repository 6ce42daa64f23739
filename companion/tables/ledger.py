"""The tables as their logs have them: read, and written on.

A table's log is the truth; what is in memory only spares reading it. Where another process has
written meanwhile, what is missing is read from the log, and whoever follows the table hears of it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from time import perf_counter
from typing import Final, NamedTuple

from msgspec.structs import replace

from companion.games.game import AnyGame
from companion.tables import events as on
from companion.tables.cache import CachedTable, TableCache
from companion.tables.codec import UndecodableError, decode, encode
from companion.tables.erasing import names_taken_out, written_anew
from companion.tables.evolve import LoggedEvent, fold
from companion.tables.keys import Keys
from companion.tables.limits import TableLimits
from companion.tables.log import DamagedError, EventLog, Head, Index, Member, Row
from companion.tables.memory import tellings
from companion.tables.model import Device, Table
from companion.tables.offers import digest, short_code
from companion.tables.pacing import in_slices
from companion.tables.waiting import Waiting

ROWS_AT_ONCE: Final = 50
"""Read and decrypted in one go: some milliseconds."""

TRIES: Final = 100
"""Times that a command is decided again when another process was faster, or a code is taken. While
a deal begins, every phone may seal a few numbers, one after the other."""

OnTable = Callable[[Table], None]
OnWritten = Callable[[str, Sequence[Row], Head], None]
OnSaved = Callable[[float], None]


def logged(row: Row) -> LoggedEvent:
    """UndecodableError where the row tells of no event that this program knows."""
    kind = on.EVENTS.get(row.kind)
    if kind is None:
        raise UndecodableError("kind")
    return LoggedEvent(row.version, row.at, row.device, decode(kind, row.data))


def _row(one: LoggedEvent, request: str | None) -> Row:
    kind = type(one.event).__name__
    return Row(one.version, kind, encode(one.event), request, one.by, one.at)


def _belonging(table: Table) -> tuple[object, ...]:
    """What `members` is made of."""
    return table.seats, table.host, table.screens


def members(table: Table) -> frozenset[Member]:
    """Every device that hosts the table, holds a seat or is its screen."""
    seated = {seat.device for seat in table.seats if seat.device is not None}
    return frozenset(
        Member(device, device == table.host, device in seated)
        for device in seated | table.screens | {table.host}
    )


class _Saved(NamedTuple):
    """A table as the log has it, and the rows by which it became so."""

    table: Table
    code: str
    size: int
    rows: Sequence[Row] = ()


class Ledger:
    def __init__(
        self,
        log: EventLog,
        games: Mapping[str, AnyGame],
        keys: Keys,
        clock: Callable[[], float],
        limits: TableLimits,
        *,
        shared: bool,
        reading_log: Waiting,
        breathe: Callable[[], None],
        on_news: OnTable,
        on_written: Sequence[OnWritten],
        on_saved: Sequence[OnSaved],
    ) -> None:
        """`clock`: seconds since the epoch. `shared`: other processes write the log, too.

        `reading_log`: around what reads it, and what waits for who does so. `breathe`: lets others
        in during long work. `on_news`, `on_written`, `on_saved`: as in `Tables`."""
        self.log = log
        self._games = games
        self._keys = keys
        self._clock = clock
        self._code_length = limits.code_length
        self.cache = TableCache(limits.in_memory)
        self._shared = shared
        self._reading_log = reading_log
        self._breathe = breathe
        self._on_news = on_news
        self._on_written = on_written
        self._on_saved = on_saved
        self._reading: dict[str, threading.Lock] = {}  # by table: each is read once

    def get(self, table_id: str) -> CachedTable | None:
        """None if there is no such table; StorageError if its log cannot be read."""
        while (entry := self.cache.get(table_id)) is None:
            lock = self._reading.setdefault(table_id, threading.Lock())
            if lock.locked():
                self._breathe()  # who waits lets others in, too
            with self._reading_log(), lock:
                if self._reading.get(table_id) is not lock:  # read, or given up, meanwhile
                    continue
                try:
                    return self._read(table_id)
                finally:
                    del self._reading[table_id]
        return entry

    def fresh(self, table_id: str) -> CachedTable | None:
        """The table as the log has it now. `StorageError` if that cannot be read: what is in
        memory, or what somebody has just read who began earlier, may be older than what a phone was
        shown elsewhere."""
        entry = self.get(table_id)
        if entry is None or not self._shared:
            return entry
        with self._reading_log():
            head = self.log.head(table_id)
            if head is not None and head.version <= entry.table.version:
                return entry
            with entry.lock:
                self.catch_up(entry)
        return self.get(table_id)

    def catch_up(self, entry: CachedTable) -> bool:
        """Brings what is in memory up to the log, and says whether the log had gone on or ended.
        Only for whoever holds the lock of `entry`."""
        table = entry.table
        head = self.log.head(table.id) if self._shared else None
        if not self._shared or (head is not None and head.version <= table.version):
            return False
        after, requests = self._read_from(table.id, entry, head) if head is not None else (None, {})
        if head is None or after is None:
            self.cache.forget(table.id)
            self._on_news(replace(table, ended=True))
            return True
        self._go_on(entry, after, requests, head)
        return True

    def _go_on(
        self, entry: CachedTable, after: Table, requests: dict[str, int], head: Head
    ) -> None:
        entry.table, entry.code, entry.size = after, head.code, head.size
        entry.requests = requests
        self.cache.keep(entry)
        self._on_news(after)

    def read_along(self, entry: CachedTable, rows: Sequence[Row], head: Head) -> bool:
        """Goes on by rows that another process has written; False where they do not follow on what
        is in memory, or are of a newer version. Only for whoever holds the lock of `entry`."""
        if not rows or rows[0].version != entry.table.version + 1:
            return False
        try:
            after = fold(entry.table.id, entry.table, tuple(map(logged, rows)), self._games)
        except UndecodableError:
            return False
        assert after is not None
        accepted = {row.request: row.version for row in rows if row.request is not None}
        self._go_on(entry, after, entry.requests | accepted, head)
        return True

    def rows(self, table_id: str, after: int, up_to: int) -> Iterator[Row]:
        """What was written down from one version to another, read and decrypted bit by bit."""

        def chunks() -> Iterator[list[Row]]:
            for start in range(after, up_to, ROWS_AT_ONCE):
                end = min(start + ROWS_AT_ONCE, up_to)
                with self._reading_log():
                    rows = self.log.read(table_id, after=start, up_to=end)
                yield rows

        for rows in in_slices(chunks(), self._breathe):
            yield from in_slices(rows, self._breathe)

    def open(
        self, table_id: str, events: tuple[on.Event, ...], device: Device, request: str
    ) -> Table | None:
        """The new table, once it is on disk; None where its code, a random one, is taken."""
        saved = self._append(table_id, None, events, device, request)
        if saved is None:
            return None
        entry = CachedTable(saved.table, saved.code, {request: 1}, saved.size)
        return self.cache.keep(entry).table

    def add(
        self,
        entry: CachedTable,
        events: tuple[on.Event, ...],
        device: Device,
        request: str | None = None,
        notes: Mapping[str, int] | None = None,
    ) -> Table | None:
        """The table after the events, once they are on disk; None if another process was faster:
        then `entry` has caught up. None, too, if a new code is taken. `notes`: how many were read
        for the decision, by place."""
        table_id, first = entry.table.id, entry.table.version + 1
        before = _Saved(entry.table, entry.code, entry.size)
        anew: dict[int, Row] = {}
        names = names_taken_out(events)
        if names:
            before, anew = self._without(entry, names)
        rewritten = tuple(anew.values())
        saved = self._append(table_id, before, events, device, request, rewritten, notes)
        if saved is None:
            if self._shared:
                self.catch_up(entry)
            else:
                self.cache.forget(table_id)
            return None
        entry.table, entry.code, entry.size, rows = saved
        if anew:
            kept = {each: at for each, at in entry.requests.items() if at not in anew}
            entry.requests = kept
        if request is not None:
            entry.requests[request] = first
        self.cache.keep(entry)
        head = Head(entry.table.version, entry.code, entry.size)
        for notify in self._on_written:
            notify(table_id, () if anew else rows, head)
        return entry.table

    def _without(
        self, entry: CachedTable, names: Mapping[int, str]
    ) -> tuple[_Saved, dict[int, Row]]:
        """The table as if these seats had never been called otherwise, and the rows that make it
        so, by their versions."""
        table: Table | None = None
        rows = partial(self.rows, entry.table.id, 0, entry.table.version)  # a log may be long
        anew = written_anew(rows(), names)
        size = entry.size
        for row in rows():
            now = anew.get(row.version, row)
            size += self.log.size_of(now) - self.log.size_of(row)
            table = fold(entry.table.id, table, (logged(now),), self._games)
        assert table is not None
        return _Saved(table, entry.code, size), anew

    def _append(
        self,
        table_id: str,
        before: _Saved | None,
        events: tuple[on.Event, ...],
        device: Device,
        request: str | None,
        rewritten: Sequence[Row] = (),
        notes: Mapping[str, int] | None = None,
    ) -> _Saved | None:
        """The table after the events, once they are on disk; None if somebody was faster, or a new
        code is taken. `rewritten`: see `EventLog.append`."""
        old, code, size, _ = before or (None, "", 0, ())
        at, first = self._clock(), old.version + 1 if old is not None else 1
        fresh = [
            LoggedEvent(number, at, device, event) for number, event in enumerate(events, first)
        ]
        rows = [_row(one, request if one is fresh[0] else None) for one in fresh]
        table = fold(table_id, old, fresh, self._games)
        assert table is not None
        same = old is not None and _belonging(old) == _belonging(table)
        renewed = old is not None and old.link_renewals != table.link_renewals
        if old is None or renewed:
            code = short_code(self._code_length)
        size += sum(map(self.log.size_of, rows))
        index = Index(
            join=digest(self._keys.join(table_id, table.link_renewals)),
            code=code,
            used_at=table.activity.used_at,
            members=None if same else members(table),
            renewed=renewed,
            tellings=tellings(old, table),
            size=size,
            notes=notes,
        )
        with ExitStack() as in_doubt:
            # Where the disk fails, or who asks is cut off, the log knows better.
            in_doubt.callback(self.cache.forget, table_id)
            with self._timed():
                written = self.log.append(table_id, rows, index, rewritten)
            in_doubt.pop_all()
        return _Saved(table, code, size, rows) if written else None

    @contextmanager
    def _timed(self) -> Iterator[None]:
        """Around what saves something."""
        began = perf_counter()
        try:
            yield
        finally:
            spent_s = perf_counter() - began
            for notify in self._on_saved:
                notify(spent_s)

    def _read(self, table_id: str) -> CachedTable | None:
        """The table out of its log."""
        head = self.log.head(table_id)
        if head is None:
            return None
        table, requests = self._read_from(table_id, None, head)
        if table is None:
            return None
        return self.cache.keep(CachedTable(table, head.code, requests, head.size))

    def _read_from(
        self, table_id: str, before: CachedTable | None, head: Head
    ) -> tuple[Table | None, dict[str, int]]:
        """The table as it is after its last event, from an older state; None where it has gone
        meanwhile. And what was accepted."""
        table = before.table if before is not None else None
        requests = dict(before.requests) if before is not None else {}
        try:
            for row in self.rows(table_id, table.version if table else 0, head.version):
                event = logged(row)
                if before is not None and isinstance(event.event, on.NamesTakenOut):
                    return self._read_from(table_id, None, head)  # older events were written anew
                table = fold(table_id, table, (event,), self._games)
                if row.request is not None:
                    requests[row.request] = row.version
        except UndecodableError as error:
            self.cache.forget(table_id)  # it is behind, and is shown to nobody any more
            raise DamagedError(f"the log of table {table_id} cannot be read: {error}") from error
        return (table if table and table.version == head.version else None), requests
