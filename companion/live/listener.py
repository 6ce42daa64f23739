"""One open stream, as the hub has it."""

from __future__ import annotations

import threading


class Call:
    """That something has happened: one for all the streams that it wakes, told apart by itself."""


class Listener:
    """One open stream. `wait` is called by the stream alone, all else by anybody."""

    def __init__(self, table: str, device: str, address: str = "", belongs: bool = False) -> None:
        self.address = address
        self.belongs = belongs
        """Its device has a part in the table, from the lobby on; it is no television of a guest."""
        self.table = table
        self.device = device
        self.shows = "", ""  # a page, by name and language
        self.closed = False
        self.left = False
        self.call: Call | None = None
        """What woke it, the same for all that one call woke; None: the last wait ended without."""
        self.woken = True  # whether the last wait ended because something happened
        self._happened = False
        self._over = threading.Event()

    def wake(self, call: Call | None = None) -> None:
        """Something has happened."""
        self.call, self._happened = call, True
        self._over.set()

    def ring(self) -> None:
        """Nothing has, but it has waited long enough."""
        self._over.set()

    def close(self) -> None:
        self.closed = True
        self.wake()

    def wait(self, timeout_s: float | None = None) -> None:
        """Until something happens, what, the table's state says; or until it has waited long
        enough."""
        self._over.wait(timeout_s)
        self._over.clear()
        self.woken, self._happened = self._happened, False
        if not self.woken:
            self.call = None
