"""What happens at a table by itself: a deal, as soon as its numbers are open or too late, and an
end of a round that nobody has stopped.

No clock calls it. Whoever asks for a table that something is due at does it first; the streams of
those who look at the table wake in time to ask (`Due.left_s`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from companion.record import fair
from companion.tables import ending
from companion.tables.cache import CachedTable
from companion.tables.dealing import dealt
from companion.tables.fair_deals import FairDeals
from companion.tables.ledger import TRIES, Ledger
from companion.tables.model import Table
from companion.tables.shared_store import SharedStore
from companion.tables.waiting_deals import WaitingDeal, WaitingDeals, place_of_shares


class Due:
    """Carries out what is due at a table. `StorageError` from whatever writes, where that cannot be
    saved: then it waits on."""

    def __init__(
        self,
        ledger: Ledger,
        fair_deals: FairDeals,
        waiting_deals: WaitingDeals,
        ends: ending.Countdowns,
        shared: SharedStore | None,
        tell: Callable[[Table], object],
    ) -> None:
        """`tell`: is given each table that was moved on, when that is on the disk."""
        self._ledger = ledger
        self._fair_deals = fair_deals
        self.waiting_deals = waiting_deals
        self.ends = ends
        self._shared = shared
        self._tell = tell

    def left_s(self, table: Table) -> float:
        """In how many seconds something happens by itself; without end where nothing does."""
        waiting = self.waiting_deals.of(table)
        deal_s = math.inf if waiting is None else self.waiting_deals.left_s(waiting)
        return min(deal_s, self.ends.left_s(table))

    def carry_out(self, entry: CachedTable) -> CachedTable | None:
        """The table, when all that was due is done; None where it has ended meanwhile."""
        found = self.deal(entry.table.id)
        if found is not None:
            self._end_round(found)
        return found

    def when_dealt(self, table_id: str) -> CachedTable | None:
        """The table, when no deal waits for numbers any more; returns only then."""
        entry = self._ledger.get(table_id)
        waiting = self.waiting_deals.of(entry.table) if entry is not None else None
        if entry is not None and waiting is not None:
            waiting.dealt.wait(self.waiting_deals.left_s(waiting))
            return self.deal(table_id, waiting)
        return entry

    def open_shares(self, table_id: str, shares: Mapping[str, str]) -> list[str]:
        """See `Tables.open_shares`."""
        entry = self._ledger.get(table_id)
        if entry is None:
            return []
        with entry.lock:
            waiting = self.waiting_deals.of(entry.table)
            fitting = waiting.fitting(shares) if waiting is not None else {}
            if waiting is None or not fitting:
                return []
            kept = self._keep_shares(entry, waiting, fitting)
        if kept and waiting.complete:
            self.deal(table_id)
        return [one for one, share in shares.items() if fair.seal(one, share) in kept]

    def deal(self, table_id: str, awaited: WaitingDeal | None = None) -> CachedTable | None:
        """Deals from the numbers that were opened, if all were or their time is over, and nobody
        has done so meanwhile. The table as it is then; None where it has ended. `awaited`: what
        was waited for long enough."""
        entry = None
        for _ in range(TRIES):
            entry = self._ledger.get(table_id)
            if entry is None:
                self.forget(table_id)
                return None
            with entry.lock:
                table = entry.table
                waiting = self.waiting_deals.of(table)
                sealed = table.deals.sealed
                if sealed is None or waiting is None:
                    return entry
                if waiting is not awaited and not self.waiting_deals.can_deal(waiting):
                    return entry  # another deal, which has begun meanwhile
                awaited = waiting
                self.waiting_deals.retry_later(waiting)
                notes = self._shares_of_others(table, waiting)
                shares = [waiting.shares(seals) for seals in sealed.seals]
                events = dealt(table, sealed, shares, self._fair_deals.source())
                done = self._ledger.add(entry, events, sealed.by, notes=notes)
            if done is not None:
                self.waiting_deals.settle(done)
                self._tell(done)
                return entry
        return entry

    def heard(self, table: Table) -> None:
        """Another process has moved the table on: what waited for its deal waits no more."""
        self.waiting_deals.settle(table)
        self.begin_wait(table)

    def begin_wait(self, table: Table) -> None:
        """For an end of a round, where one waits: whether anybody looks or not."""
        self.ends.left_s(table)

    def forget(self, table_id: str) -> None:
        self._fair_deals.forget(table_id)
        self.waiting_deals.forget(table_id)
        self.ends.forget(table_id)

    def _keep_shares(
        self, entry: CachedTable, waiting: WaitingDeal, fitting: dict[str, str]
    ) -> set[str]:
        """The seals of those that are not too late: where several processes may deal, of those
        that each of them finds."""
        kept = fitting
        if self._shared is not None:
            table = entry.table
            place = place_of_shares(table)
            noted = self._shared.note(table.id, table.version, {place: fitting})
            if noted is None:
                self._ledger.catch_up(entry)
                return set()
            kept = noted[place]
        waiting.put(kept)
        return waiting.kept(fitting)

    def _shares_of_others(self, table: Table, waiting: WaitingDeal) -> dict[str, int] | None:
        """Adds the numbers that other processes were sent; how many notes were found where."""
        if self._shared is None:
            return None
        place = place_of_shares(table)
        noted = self._shared.notes(table.id).get(place, {})
        waiting.put(noted)
        return {place: len(noted)}

    def _end_round(self, entry: CachedTable) -> None:
        """Ends the round as it was told, if the wait for that is over."""
        with entry.lock:
            told, done = entry.table.round.waiting_end, None
            if told is None or self.ends.left_s(entry.table) > 0:
                return
            self.ends.retry_later(entry.table)
            for _ in range(TRIES):
                done = self._ledger.add(entry, ending.ended(entry.table), told.by)
                if done is not None or entry.table.round.waiting_end != told:
                    break  # else another process has written something else meanwhile
        if done is not None:
            self._tell(done)
