"""Deals that wait while phones open their numbers: between the fixing of the seals and the deal.

The numbers are kept in memory, and noted for other processes if there are any: after a restart the
phones open them again, and the time to do so begins anew when the table is first asked for. Who
opens none is left out when it is over.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from companion.record import fair
from companion.tables.model import SealedDeal, Table

DEAL_WAIT_S = 1.0
DEAL_WAIT_SHARED_S = 3.0
"""Where a phone may hear from another process that it is to open its number: a little later."""


def place_of_shares(table: Table) -> str:
    """Where the numbers for the deal that waits are noted."""
    return f"open {table.deals.sealed.version}" if table.deals.sealed is not None else ""


class WaitingDeal:
    """One deal, with the numbers that were opened for it so far."""

    def __init__(self, sealed: SealedDeal, until: float) -> None:
        """`until`: how long it waits for numbers, by the timer of `WaitingDeals`."""
        self.version = sealed.version
        self.until = until
        self.dealt = threading.Event()
        self._wanted = {seal for seals in sealed.seals for seal in seals if seal}
        self._shares: dict[str, str] = {}

    def fitting(self, shares: Mapping[str, str]) -> dict[str, str]:
        """The shares that fit a seal on the list, by that seal; `shares`: by commitments."""
        sealed = {fair.seal(commitment, share): share for commitment, share in shares.items()}
        return {seal: share for seal, share in sealed.items() if seal in self._wanted}

    def put(self, shares: Mapping[str, str]) -> None:
        """Keeps shares by their seals."""
        self._shares |= shares

    def kept(self, shares: Mapping[str, str]) -> set[str]:
        """The seals of those among these shares that are kept."""
        return {seal for seal, share in shares.items() if self._shares.get(seal) == share}

    @property
    def complete(self) -> bool:
        return self._shares.keys() == self._wanted

    def shares(self, seals: fair.Seals) -> fair.Shares:
        """What was opened of these, in their order."""
        return tuple(self._shares.get(seal) if seal else None for seal in seals)


class WaitingDeals:
    """Those of all tables, from the moment when this process first knows of each."""

    def __init__(self, timer: Callable[[], float], deal_wait_s: float) -> None:
        """`timer`: seconds that only ever pass. `deal_wait_s`: how long phones have to open
        numbers."""
        self._timer = timer
        self._deal_wait_s = deal_wait_s
        self._lock = threading.Lock()
        self._of: dict[str, WaitingDeal] = {}

    def of(self, table: Table) -> WaitingDeal | None:
        """None where no deal waits."""
        sealed = table.deals.sealed
        if sealed is None:
            self.settle(table)
            return None
        with self._lock:  # two at once would keep numbers apart
            waiting = self._of.get(table.id)
            if waiting is None or waiting.version != sealed.version:
                waiting = WaitingDeal(sealed, self._timer() + self._deal_wait_s)
                self._of[table.id] = waiting
            return waiting

    def settle(self, table: Table) -> None:
        """Nobody waits any more for a deal that is done."""
        known = self._of.get(table.id)
        if table.deals.sealed is None and known is not None and known.version < table.version:
            self.forget(table.id)  # else it is an older state

    def left_s(self, waiting: WaitingDeal) -> float:
        """Until those who have not opened their numbers are left out."""
        return max(0.0, waiting.until - self._timer())

    def can_deal(self, waiting: WaitingDeal) -> bool:
        """Whether it can be dealt: all have opened their numbers, or had the time to."""
        return waiting.complete or self.left_s(waiting) == 0

    def retry_later(self, waiting: WaitingDeal) -> None:
        """The deal could not be saved: another try in a while."""
        waiting.until = self._timer() + self._deal_wait_s

    def forget(self, table_id: str) -> None:
        """Nobody waits any more."""
        waiting = self._of.pop(table_id, None)
        if waiting is not None:
            waiting.dealt.set()
