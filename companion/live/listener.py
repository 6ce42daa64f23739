"""One open stream, as the hub has it."""

from __future__ import annotations

import threading


class Listener:
    """One open stream. `wait` is called by the stream alone, `wake` and `close` by anybody."""

    def __init__(self, table: str, device: str, address: str = "", belongs: bool = False) -> None:
        self.address = address
        self.belongs = belongs
        """Its device has a part in the table, from the lobby on; it is no television of a guest."""
        self.table = table
        self.device = device
        self.shows = "", ""  # a page, by name and language
        self.closed = False
        self.left = False
        self.call: object = None
        """What woke it, the same for all that one call woke; None: the last wait was over."""
        self.woken = True  # whether the last wait ended because something happened
        self._news = threading.Event()

    def wake(self, call: object = None) -> None:
        self.call = call
        self._news.set()

    def close(self) -> None:
        self.closed = True
        self.wake()

    def wait(self, timeout_s: float) -> None:
        """Until something happens, for `timeout_s` at most; what it was, the table's state says."""
        self.woken = self._news.wait(timeout_s)
        self._news.clear()
        if not self.woken:
            self.call = None
