"""The numbers that phones open, between the fixing of their seals and the deal.

They are kept in memory: after a restart the phones open them again, and the time to do so begins
anew when the table is first asked for. Who opens none is left out when it is over.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from companion.record import fair
from companion.tables.model import Sealed, Table

OPEN_S = 1.0


class Opening:
    """Of one deal."""

    def __init__(self, sealed: Sealed, until: float) -> None:
        self.version = sealed.version
        self.until = until
        self.dealt = threading.Event()
        self._wanted = {seal for seals in sealed.seals for seal in seals if seal}
        self._shares: dict[str, str] = {}

    def put(self, shares: Mapping[str, str]) -> list[str]:
        """Keeps the shares that fit a seal on the list; the commitments of these."""
        fits = []
        for commitment, share in shares.items():
            seal = fair.seal(commitment, share)
            if seal in self._wanted:
                self._shares[seal] = share
                fits.append(commitment)
        return fits

    @property
    def complete(self) -> bool:
        return self._shares.keys() == self._wanted

    def shares(self, seals: fair.Seals) -> fair.Shares:
        """What was opened of these, in their order."""
        return tuple(self._shares.get(seal) if seal else None for seal in seals)


class Openings:
    """Of all tables, from the moment when this process first knows of each."""

    def __init__(self, timer: Callable[[], float], open_s: float) -> None:
        """`timer`: seconds that only ever pass. `open_s`: how long phones have to open numbers."""
        self._timer = timer
        self._open_s = open_s
        self._of: dict[str, Opening] = {}

    def of(self, table: Table) -> Opening | None:
        """None where no deal waits."""
        sealed = table.sealed
        if sealed is None:
            self._of.pop(table.id, None)
            return None
        opening = self._of.get(table.id)
        if opening is None or opening.version != sealed.version:
            opening = self._of[table.id] = Opening(sealed, self._timer() + self._open_s)
        return opening

    def left_s(self, opening: Opening) -> float:
        """Until those who have not opened their numbers are left out."""
        return max(0.0, opening.until - self._timer())

    def again(self, opening: Opening) -> None:
        """The deal could not be saved: another try in a while."""
        opening.until = self._timer() + self._open_s

    def forget(self, table_id: str) -> None:
        self._of.pop(table_id, None)
