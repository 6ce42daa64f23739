"""The tables: opening, finding and asking them, one command at a time each.

What is accepted is on disk before anybody is told. Decisions are made on the state in memory,
which is rebuilt from the log where it is missing or behind. Where another process was faster, the
log refuses the events, and the command is decided again. A refusal counts only on the newest state:
before one, the log is asked whether it has gone on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import partial
from typing import Final

from msgspec.structs import replace

from companion.games.game import AnyGame, Chance, Rejection
from companion.record import fair
from companion.tables import commands as ask
from companion.tables import ending
from companion.tables import events as on
from companion.tables.cache import CachedTable
from companion.tables.dealing import DealSource
from companion.tables.decide import decide, decide_open, overlooked
from companion.tables.due import Due
from companion.tables.erasing import names_taken_out
from companion.tables.fair_deals import FairDeals
from companion.tables.history import GameHistory, history_of
from companion.tables.keys import Keys
from companion.tables.ledger import TRIES, Ledger, OnSaved, OnTable, OnWritten, logged
from companion.tables.limits import TableLimits
from companion.tables.log import DamagedError, EventLog, Head, Row, StorageError
from companion.tables.model import Beginning, Device, Result, Table
from companion.tables.offers import MemoryOffers, OfferStore, digest, tidy_code
from companion.tables.pacing import rest
from companion.tables.quota import FOR_GUESTS, Quota, is_endless
from companion.tables.rejections import NO_TABLE, NOT_HOST, stale
from companion.tables.seals import BehindError, MemorySeals, SealStore, SharedSeals
from companion.tables.seat_offers import Decide, SeatOffers
from companion.tables.shared_offers import SharedOffers
from companion.tables.shared_store import SharedStore
from companion.tables.standing import StandingTables
from companion.tables.standing_codes import StandingCodes
from companion.tables.waiting import Waiting, reads_log
from companion.tables.waiting_deals import WaitingDeals

CODE_LENGTH: Final = 6
LONG_CODE: Final = 8
"""Letters of a code on the internet, where anybody may guess."""

PROGRAM_WRITTEN_AT: Final = 1_793_491_200.0  # November 2026
"""At the earliest; a clock that says less is wrong. Seconds since the epoch."""

OPENED_LATELY_MAX: Final = 10
"""Tables of a device, newest used first, among which a double tap looks for what it has opened."""

PURGES_APART_S: Final = 86400.0
"""At least; two of them must find a table unused before it goes."""

TAKEN_BACK: Final = stale(on.TakenBack)
"""To a form that is sent again: it was accepted, but it counts no more."""


class Tables:
    def __init__(
        self,
        log: EventLog,
        games: Mapping[str, AnyGame],
        limits: TableLimits,
        *,
        secret: bytes,
        clock: Callable[[], float],
        timer: Callable[[], float] | None = None,
        draw: Callable[[fair.Lot], Chance] = fair.drawn,
        shared: SharedStore | None = None,
        waiting: Waiting = nullcontext,
        breathe: Callable[[], None] = rest,
    ) -> None:
        """`clock`: seconds since the epoch; it may be set to another time at any moment. `timer`:
        seconds that never go back; the clock where none is given.

        `shared`: what is shared with the other processes that write the log; None where there are
        none.

        `draw`: what makes the chance of a deal out of its secret and the phones' shares.

        `waiting`: around what waits, for the disk or for another command at the same table.
        `breathe`: lets others in during long work.
        """
        self.on_change: Final[list[OnTable]] = []
        """Told of a table after its change is on disk; `ended` when it is gone."""
        self.on_news: Final[list[OnTable]] = []
        """Told of a table that another process has changed; `ended` when it is gone."""
        self.on_written: Final[list[OnWritten]] = []
        """Told of the rows that this process has added to a table's log, and of its head since
        then; of no rows where older ones were written anew: then all is to be read."""
        self.on_saved: Final[list[OnSaved]] = []
        """Told of the seconds that the log took to save something, or to fail."""
        self.waiting = waiting
        self.breathe = breathe
        self._keys = Keys(secret)
        self._ledger = Ledger(
            log,
            games,
            self._keys,
            clock,
            limits,
            shared=shared is not None,
            reading_log=self.reading_log,
            breathe=breathe,
            on_news=self._hear,
            on_written=self.on_written,
            on_saved=self.on_saved,
        )
        self._shared = shared
        self.games = games
        self._clock = clock
        self._limits = limits
        self._quota = Quota(log, limits.events_max, limits.host_bytes, limits.bytes_max)
        self.standing_codes = StandingCodes(log, self._keys, limits.code_length, self.reading_log)
        self.standing = StandingTables(self, log, clock)
        offers: OfferStore = MemoryOffers(timer or clock, limits.offer_s)
        seals: SealStore = MemorySeals()
        if shared is not None:
            offers, seals = SharedOffers(shared, clock, limits.offer_s), SharedSeals(shared)
        self.fair_deals = FairDeals(secret, draw, log.tellings, seals)
        self.seat_offers = SeatOffers(self, offers, self._submit)
        waiting_deals = WaitingDeals(timer or clock, limits.deal_wait_s)
        ends = ending.Countdowns(clock, timer or clock, limits.end_wait_s)
        self._due = Due(self._ledger, self.fair_deals, waiting_deals, ends, shared, self._tell)
        self._open_locks = tuple(threading.Lock() for _ in range(16))  # by a request's first digit

    def reading_log(self) -> AbstractContextManager[None]:
        """Around what reads the log: a file of this machine is quick, a database that processes
        share may take long."""
        return self.waiting() if self._shared is not None else nullcontext()

    # Finding

    def get(self, table_id: str) -> Table | None:
        """As it is now: a deal, or an end of a round, that has waited long enough is done."""
        return self._present(self._ledger.get(table_id))

    def fresh(self, table_id: str) -> Table | None:
        """As `get`, and behind no other process: for what somebody asks for."""
        return self._present(self._ledger.fresh(table_id))

    def _present(self, entry: CachedTable | None) -> Table | None:
        if entry is None:
            return None
        if self.due_s(entry.table) == 0:
            with suppress(StorageError), self.waiting():  # the disk is full: it waits on
                entry = self._due.carry_out(entry)
        return entry.table if entry is not None else None

    def due_s(self, table: Table) -> float:
        """In how many seconds something happens by itself: a deal that waits for numbers, or an end
        of a round that waits for a second phone. Without end where nothing does."""
        return self._due.left_s(table)

    def unused_s(self, table: Table) -> float:
        """Seconds since somebody has done something there."""
        return max(0.0, self._clock() - table.activity.used_at)

    def in_memory(self, table_id: str) -> Table | None:
        """The table, if it need not be read."""
        entry = self._ledger.cache.peek(table_id)
        return entry.table if entry is not None else None

    @reads_log
    def ask_store(self) -> None:
        """`StorageError` where it does not answer, or takes nothing more."""
        self._ledger.log.ping()

    def join_key(self, table: Table) -> str:
        """128 bits in 22 letters; others after each renewal."""
        return self._keys.join(table.id, table.link_renewals)

    def code(self, table_id: str) -> str | None:
        """The short code to type; None if there is no such table."""
        entry = self._ledger.get(table_id)
        return entry.code if entry is not None else None

    @reads_log
    def by_join_key(self, key: str) -> Table | None:
        table_id = self._ledger.log.by_join(digest(key))
        return self.fresh(table_id) if table_id is not None else None

    @reads_log
    def by_code(self, code: str) -> Table | None:
        tidy = tidy_code(code)
        if len(tidy) not in (CODE_LENGTH, LONG_CODE):
            return None
        table_id = self._ledger.log.by_code(tidy)
        return self.fresh(table_id) if table_id is not None else None

    @reads_log
    def of(self, device: Device, most: int | None = None) -> list[str]:
        """Ids of the tables this device hosts, sits at or is the screen of, newest used first."""
        return self._ledger.log.tables_of(device, most=most)

    @reads_log
    def hosted_by(self, device: Device, most: int | None = None) -> list[str]:
        """Ids of the tables this device hosts, newest used first."""
        return self._ledger.log.tables_of(device, most=most, hosts=True)

    def last_game(self, table: Table) -> GameHistory | None:
        """The last game of the table as it is here, from its beginning; None where none has begun.

        Nothing that came after this state of the table is read: it may be secret.
        """
        if table.beginning is None:
            return None
        return self._history(table, table.beginning, table.version)

    def finished_game(self, table: Table, result: Result) -> GameHistory:
        """A game of the table that is over."""
        return self._history(table, result.beginning, result.version)

    def _history(self, table: Table, beginning: Beginning, up_to: int) -> GameHistory:
        rows = self._ledger.rows(table.id, beginning.version, up_to)
        return history_of(table.game, beginning, map(logged, rows))

    # Asking

    def open(self, device: Device, command: ask.Open, request_key: str) -> Table | Rejection:
        """A table of its own for every request key: asking again with the same finds it, as long
        as it is there and this device hosts it; after its end the same key opens another."""
        answer = decide_open(command, self.games)
        if isinstance(answer, Rejection):
            return answer
        request = self._keys.request(device, request_key)
        alone = self._shared.alone if self._shared is not None else nullcontext
        with self.waiting(), self._open_locks[int(request[0], 16)], alone(request):
            return self._opened(device, request) or self._open(device, request, answer)

    @reads_log
    def opened(self, device: Device, request_key: str) -> Table | None:
        """The table that `open` would find."""
        return self._opened(device, self._keys.request(device, request_key))

    def _opened(self, device: Device, request: str) -> Table | None:
        for table_id in self.hosted_by(device, OPENED_LATELY_MAX):
            with suppress(DamagedError):
                entry = self._ledger.get(table_id)
                if entry is not None and request in entry.requests:
                    return entry.table
        return None

    def _open(
        self, device: Device, request: str, events: tuple[on.Event, ...]
    ) -> Table | Rejection:
        refusal = self._quota.refusal_to_open(device)
        if refusal is not None:
            return refusal
        table_id = self._keys.fresh_id(request, self._clock())
        for _ in range(TRIES):
            table = self._ledger.open(table_id, events, device, request)
            if table is not None:
                return self._tell(table)
        raise StorageError("no short code was free")

    def submit(
        self,
        table_id: str,
        device: Device,
        command: ask.Command,
        *,
        version: int | None,
        request_key: str,
    ) -> Table | Rejection:
        """The table after the command, or why it stays as it was.

        `version` is that of the page the command comes from; None is not checked. The same
        `request_key` from the same device gets the present table and does nothing more; or hears
        that what it did has been taken back. What begins a deal, or comes while one waits for
        numbers, is answered when it is dealt.
        """
        with self.waiting():
            if isinstance(command, ask.End):
                return self._end(table_id, device)
            decide_on = partial(self._decide, device, command, version)
            return self._submit(table_id, device, request_key, decide_on, endless=command.by_guests)

    def _decide(
        self,
        device: Device,
        command: ask.Judged,
        version: int | None,
        table: Table,
        source: DealSource,
    ) -> on.Answer:
        return overlooked(table, command, version) or decide(
            table,
            device,
            command,
            source,
            self._limits,
            ends_wait=self._due.ends.enabled,
        )

    def was_accepted(self, table_id: str, device: Device, request_key: str) -> bool:
        """Whether this very request was accepted before: sent again, it is answered as it was, also
        to who has left by it."""
        entry = self._ledger.fresh(table_id)
        return entry is not None and self._keys.request(device, request_key) in entry.requests

    # Deals

    def keep_seals(self, table_id: str, device: Device, seals: Mapping[str, str]) -> list[str]:
        """As `FairDeals.keep_seals`, but never between the fixing of a list and its being on disk:
        what comes then is too late, and is told so."""
        with self.waiting():
            for _ in range(TRIES):
                entry = self._ledger.get(table_id)
                if entry is None:
                    return []
                with entry.lock:
                    try:
                        return self.fair_deals.keep_seals(entry.table, device, seals)
                    except BehindError:
                        self._ledger.catch_up(entry)
            return []

    def open_shares(self, table_id: str, shares: Mapping[str, str]) -> list[str]:
        """A phone's numbers for the deal that waits, by their commitments; with the last ones it is
        dealt. The commitments of those that count: only who has sealed a number can know it."""
        with self.waiting():
            return self._due.open_shares(table_id, shares)

    # Clearing up

    def purge(self, unused_s: float, spared: Collection[str] = ()) -> list[str]:
        """Deletes the tables that nobody has used for so long; their ids.

        A clock may be wrong by years. So what goes must have been unused for so long at the last
        purge already, at least a day ago, and none of the `spared` is touched. A table that seems
        to have been used in the future, or before there was this program, counts as used now.
        """
        now, before = self._clock(), self._ledger.log.purged_at()
        if before is not None and before <= now < before + PURGES_APART_S:
            return []
        gone = []
        if before is not None and before <= now:
            if now > PROGRAM_WRITTEN_AT:
                self._ledger.log.used_between(PROGRAM_WRITTEN_AT, now)
            gone = self._ledger.log.delete_unused(before - unused_s, spared)
        for table_id in gone:
            self._forget(table_id)
        try:
            self._ledger.log.set_purged_at(now)
        except StorageError:
            if not gone:
                raise
        return gone

    # Inside

    def _submit(
        self,
        table_id: str,
        device: Device,
        request_key: str,
        decide_on: Decide,
        *,
        endless: bool = False,
    ) -> Table | Rejection:
        """`endless`: whoever has the link could ask this again and again."""
        request = self._keys.request(device, request_key)
        for _ in range(TRIES):
            entry = self._due.when_dealt(table_id)
            if entry is None:
                return NO_TABLE
            with entry.lock:
                before = entry.table
                answer = self._once(entry, device, request, decide_on, endless)
            if answer is before or isinstance(answer, Rejection):
                return answer
            if answer is not None:
                self._due.begin_wait(answer)
                self._tell(answer)
                settled = (
                    self._due.when_dealt(table_id) if answer.deals.sealed is not None else None
                )
                after = settled.table if settled is not None else answer
                if before.next_table is not None and after.next_table is None:
                    self._are_back(before.next_table.id, after)
                return after
        return stale(None)

    def _are_back(self, left: str, table: Table) -> None:
        """Those who had gone to another table play at this one: whoever is there still is told, and
        so is who comes by the tent that stands before them."""
        with suppress(DamagedError, StorageError):  # what has begun here stands
            told = ask.GoOn(table.id, table.game.name)
            key = f"back {table.id} {table.version}"
            answer = self.submit(left, table.host, told, version=None, request_key=key)
            if not isinstance(answer, Rejection):  # else others play or host there, and stay
                self.standing.go_on(left, table.id)

    def _once(
        self,
        entry: CachedTable,
        device: Device,
        request: str,
        decide_on: Decide,
        endless: bool,
    ) -> Table | Rejection | None:
        """None: it is to be decided again. Only for whoever holds the lock of `entry`."""
        table = entry.table
        if table.deals.sealed is not None:
            return None
        if request in entry.requests:
            if self._ledger.catch_up(entry):
                return None
            return TAKEN_BACK if entry.requests[request] in table.taken_back else table
        source = self.fair_deals.source()
        answer = decide_on(table, source)
        if isinstance(answer, Rejection) or not answer:
            if self._ledger.catch_up(entry):
                return None
            return answer if isinstance(answer, Rejection) else table
        repeats = endless or is_endless(table, answer)
        share = FOR_GUESTS if repeats and device != table.host else 1.0
        if not names_taken_out(answer):  # of these there are no more than of names that were given
            refusal = self._quota.refusal_to_add(entry, len(answer), share)
            if refusal is not None:
                return refusal
        after = self._ledger.add(entry, answer, device, request, source.notes)
        if after is not None and after.link_renewals != table.link_renewals:
            self.seat_offers.forget(table.id)
        return after

    def _end(self, table_id: str, device: Device) -> Table | Rejection:
        ended, before = None, None
        for _ in range(TRIES):
            entry = self._ledger.get(table_id)
            if entry is None:
                break
            with entry.lock:
                if self._ledger.catch_up(entry):
                    continue
                if device != entry.table.host:
                    return NOT_HOST
                ended, before = entry.table, self._left_for(entry.table)
                if before is not None:
                    self.standing.go_on(table_id, before.id)
                if self._ledger.log.delete(table_id, ended.version):
                    self._forget(table_id)
                    break
        # Where the connection was cut after the table had gone, it is found gone here.
        if ended is None or self._ledger.get(table_id) is not None:
            return NO_TABLE
        self._forget(table_id)
        if before is not None:
            told = ask.GoOn(before.id, before.game.name)
            with suppress(DamagedError, StorageError):  # the other one has ended all the same
                key = f"ended {table_id}"  # whoever hosts there: it leads nowhere any more
                self.submit(before.id, before.host, told, version=None, request_key=key)
        return self._tell(replace(ended, ended=True))

    def _left_for(self, table: Table) -> Table | None:
        """The table whose people have gone to this one, and would be back there after its end."""
        if table.came_from is None:
            return None
        with suppress(DamagedError):
            before = self.fresh(table.came_from.table)
            if before is not None and before.next_table is not None:
                return before if before.next_table.id == table.id else None
        return None

    def _forget(self, table_id: str) -> None:
        """All that is remembered of a table that is gone."""
        self._ledger.cache.forget(table_id)
        self._due.forget(table_id)

    # Other processes

    def look_for_news(self, table_ids: Collection[str]) -> list[str]:
        """Whether others have changed any of these tables: who follows one then hears of it. Those
        that are gone, and had made room here: of a table that nobody knows nobody is told."""
        gone: list[str] = []
        if self._shared is None:
            return gone
        versions = self._shared.versions(table_ids)
        for table_id in table_ids:
            with suppress(DamagedError):
                if self._ledger.cache.peek(table_id) is not None:
                    self.heard(table_id, versions.get(table_id))
                elif (table := self.get(table_id)) is not None:  # it had to make room
                    self._hear(table)
                else:
                    self.heard(table_id, None)
                    gone.append(table_id)
        return gone

    def heard(self, table_id: str, version: int | None) -> None:
        """Another process says that the table is at this version; None: that it is gone. It may
        say so twice, late, or of what is known already."""
        entry = self._ledger.cache.peek(table_id)
        if entry is None and version is None:
            self._due.forget(table_id)
        if entry is None or (version is not None and version <= entry.table.version):
            return
        with entry.lock:
            if version is None or version > entry.table.version:
                self._ledger.catch_up(entry)

    def read_along(self, table_id: str, rows: Sequence[Row], head: Head) -> bool:
        """Another process says what it has written to the table's log; False where it has to be
        read there. Returns at once."""
        entry = self._ledger.cache.peek(table_id)
        if entry is None or not entry.lock.acquire(blocking=False):
            return entry is None
        try:
            return self._ledger.read_along(entry, rows, head)
        finally:
            entry.lock.release()

    def _hear(self, table: Table) -> None:
        """What waited for a deal, or for the end of a round, waits no more if it is over."""
        if table.ended:
            self._due.forget(table.id)
        else:
            self._due.heard(table)
        for notify in self.on_news:
            notify(table)

    def _tell(self, table: Table) -> Table:
        for notify in self.on_change:
            notify(table)
        return table
