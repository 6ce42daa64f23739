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
from companion.tables.deals import Deals
from companion.tables.ledger import TRIES, Ledger
from companion.tables.model import Table
from companion.tables.opening import Opening, Openings, place_of
from companion.tables.shared_store import SharedStore


class Due:
    """`StorageError` from whatever writes, where that cannot be saved: then it waits on."""

    def __init__(
        self,
        ledger: Ledger,
        deals: Deals,
        openings: Openings,
        ends: ending.Countdowns,
        shared: SharedStore | None,
        tell: Callable[[Table], object],
    ) -> None:
        """`tell`: is given each table that was moved on, when that is on the disk."""
        self._ledger = ledger
        self._deals = deals
        self.openings = openings
        self.ends = ends
        self._shared = shared
        self._tell = tell

    def left_s(self, table: Table) -> float:
        """In how many seconds something happens by itself; without end where nothing does."""
        opening = self.openings.of(table)
        deal_s = math.inf if opening is None else self.openings.left_s(opening)
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
        opening = self.openings.of(entry.table) if entry is not None else None
        if entry is not None and opening is not None:
            opening.dealt.wait(self.openings.left_s(opening))
            return self.deal(table_id, opening)
        return entry

    def open_shares(self, table_id: str, shares: Mapping[str, str]) -> list[str]:
        """See `Tables.open_shares`."""
        entry = self._ledger.get(table_id)
        if entry is None:
            return []
        with entry.lock:
            opening = self.openings.of(entry.table)
            fitting = opening.fitting(shares) if opening is not None else {}
            if opening is None or not fitting:
                return []
            kept = self._keep_shares(entry, opening, fitting)
        if kept and opening.complete:
            self.deal(table_id)
        return [one for one, share in shares.items() if fair.seal(one, share) in kept]

    def deal(self, table_id: str, awaited: Opening | None = None) -> CachedTable | None:
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
                opening = self.openings.of(table)
                sealed = table.sealed
                if sealed is None or opening is None:
                    return entry
                if opening is not awaited and not self.openings.can_deal(opening):
                    return entry  # another deal, which has begun meanwhile
                awaited = opening
                self.openings.retry_later(opening)
                notes = self._shares_of_others(table, opening)
                shares = [opening.shares(seals) for seals in sealed.seals]
                events = dealt(table, sealed, shares, self._deals.drawing())
                done = self._ledger.add(entry, events, sealed.by, notes=notes)
            if done is not None:
                self.openings.settle(done)
                self._tell(done)
                return entry
        return entry

    def heard(self, table: Table) -> None:
        """Another process has moved the table on: what waited for its deal waits no more."""
        self.openings.settle(table)
        self.begin_wait(table)

    def begin_wait(self, table: Table) -> None:
        """For an end of a round, where one waits: whether anybody looks or not."""
        self.ends.left_s(table)

    def forget(self, table_id: str) -> None:
        self._deals.forget(table_id)
        self.openings.forget(table_id)
        self.ends.forget(table_id)

    def _keep_shares(
        self, entry: CachedTable, opening: Opening, fitting: dict[str, str]
    ) -> set[str]:
        """The seals of those that are not too late: where several processes may deal, of those
        that each of them finds."""
        kept = fitting
        if self._shared is not None:
            table = entry.table
            place = place_of(table)
            noted = self._shared.note(table.id, table.version, {place: fitting})
            if noted is None:
                self._ledger.catch_up(entry)
                return set()
            kept = noted[place]
        opening.put(kept)
        return opening.kept(fitting)

    def _shares_of_others(self, table: Table, opening: Opening) -> dict[str, int] | None:
        """Adds the numbers that other processes were sent; how many notes were found where."""
        if self._shared is None:
            return None
        place = place_of(table)
        noted = self._shared.notes(table.id).get(place, {})
        opening.put(noted)
        return {place: len(noted)}

    def _end_round(self, entry: CachedTable) -> None:
        """Ends the round as it was told, if the wait for that is over."""
        with entry.lock:
            table = entry.table
            if table.waiting_end is None or self.ends.left_s(table) > 0:
                return
            self.ends.retry_later(table)
            done = self._ledger.add(entry, ending.ended(table), table.waiting_end.by)
        if done is not None:
            self._tell(done)
