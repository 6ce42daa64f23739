"""What runs the requests: greenlets that share a thread.

How long the processor worked for one request is told from what it did for others meanwhile; and
when all that has come by now has been looked at.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, Protocol

LOOK_MAX_S: Final = 0.005
"""How long is looked for what else has come, at most."""


class Runner(Protocol):
    def start(self) -> None:
        """From now on the work of whoever runs here is measured."""

    def stop(self) -> float:
        """Seconds of work since `start`."""

    def after_others(self, then: Callable[[], None]) -> None:
        """Calls `then`, which waits for nothing, once all who have sent something were heard."""

    def in_background(self, work: Callable[[bytes], bytes], given: bytes) -> bytes:
        """What `work` makes of it, for which it takes long and needs nothing else; others who run
        here go on meanwhile."""


class Greenlets:
    """All requests share one thread: what passes between two switches is one greenlet's work."""

    def __init__(self) -> None:
        import gevent
        import greenlet

        self._loop = gevent.get_hub().loop
        self._threads = gevent.get_hub().threadpool
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

    def after_others(self, then: Callable[[], None]) -> None:
        """When the loop has nothing else to do; but not much later, however much there is."""
        watchers = (self._loop.idle(), self._loop.timer(LOOK_MAX_S))

        def looked() -> None:
            for each in watchers:
                each.stop()
                each.close()
            then()

        for each in watchers:
            each.start(looked)

    def in_background(self, work: Callable[[bytes], bytes], given: bytes) -> bytes:
        made: bytes = self._threads.apply(work, (given,))
        return made
