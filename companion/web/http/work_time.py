"""How long the processor worked for one request, however many others were served meanwhile."""

from __future__ import annotations

import threading
import time
from typing import Any, Protocol


class WorkTime(Protocol):
    """A stopwatch for whoever is running: a thread, or a greenlet."""

    def start(self) -> None: ...

    def stop(self) -> float:
        """Seconds of work since `start`."""


class ThreadTime:
    """Where every request has a thread of its own."""

    def __init__(self) -> None:
        self._began = threading.local()

    def start(self) -> None:
        self._began.at = time.thread_time()

    def stop(self) -> float:
        return float(time.thread_time() - self._began.at)


class GreenletTime:
    """Where all of them share one thread: what passes between two switches is one greenlet's."""

    def __init__(self) -> None:
        import greenlet

        self._current = greenlet.getcurrent
        self._spent: dict[Any, float] = {}
        self._since = time.perf_counter()
        greenlet.settrace(self._switched)

    def _switched(self, _event: str, between: tuple[Any, Any]) -> None:
        now = time.perf_counter()
        before = between[0]
        if before in self._spent:
            self._spent[before] += now - self._since
        self._since = now

    def start(self) -> None:
        self._spent[self._current()] = self._since - time.perf_counter()

    def stop(self) -> float:
        spent = self._spent.pop(self._current(), 0.0)
        return max(0.0, spent + time.perf_counter() - self._since)
