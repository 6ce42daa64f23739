"""When tables are to be looked at though nobody has called.

One sleeper wakes for all of them: a timer for each stream, which every report would set anew, takes
a twentieth of what a report costs.
"""

from __future__ import annotations

import heapq
import math
import threading
import time
from collections.abc import Callable


class Alarms:
    def __init__(self, ring: Callable[[str], None]) -> None:
        """`ring`: is told of a table when its time has come."""
        self._ring = ring
        self._at: dict[str, float] = {}  # by the monotonic clock
        # A heap; entries superseded by a sooner alarm are ignored.
        self._next: list[tuple[float, str]] = []
        self._sleeper: threading.Thread | None = None
        self._sooner = threading.Event()
        self._closed = False
        self._lock = threading.Lock()

    def within(self, table: str, seconds: float) -> None:
        """Rings for the table in so many seconds at the latest, once. What was set for sooner
        stays."""
        at = time.monotonic() + seconds
        if self._at.get(table, math.inf) <= at:
            return
        with self._lock:
            if self._closed:
                return
            self._at[table] = at
            heapq.heappush(self._next, (at, table))
            if self._sleeper is None:
                self._sleeper = threading.Thread(target=self._sleep, name="alarms", daemon=True)
                self._sleeper.start()
            elif self._next[0] == (at, table):
                self._sooner.set()

    def close(self) -> None:
        with self._lock:
            self._closed = True
        self._sooner.set()

    def _sleep(self) -> None:
        while not self._closed:
            for table in self._come():
                self._ring(table)
            self._sooner.wait(self._left_s())
            self._sooner.clear()

    def _come(self) -> list[str]:
        """The tables whose time has come."""
        tables = []
        with self._lock:
            while self._next and self._next[0][0] <= time.monotonic():
                at, table = heapq.heappop(self._next)
                if self._at.get(table) == at:
                    del self._at[table]
                    tables.append(table)
        return tables

    def _left_s(self) -> float | None:
        """Until the next one; None: there is none."""
        with self._lock:
            return max(0.0, self._next[0][0] - time.monotonic()) if self._next else None
