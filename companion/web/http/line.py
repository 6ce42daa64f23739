"""Long work that strangers may ask for: some of it at once, and the rest in a fair line.

Whose address has had the least of it lately is next, so that nobody waits for all that somebody
else has sent; and no more wait than the server has room for.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from companion.web.http.priority import Work, waiting

AT_ONCE: Final = 2
"""A long game takes 15 MB while it is made."""

WAITING_MAX: Final = 36
"""Who may wait, in all; each holds a connection."""

WAITING_OF_ONE: Final = 12
"""Of one address: a table of ten phones behind it, all of which want to see their game."""


class FullLineError(Exception):
    """Too many wait already."""


class Line:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock`: seconds that only ever pass."""
        self._clock = clock
        self._free = AT_ONCE
        self._work = Work[str](clock)
        self._waiting: dict[str, deque[threading.Event]] = {}
        self._lock = threading.Lock()

    @contextmanager
    def place(self, who: str) -> Iterator[None]:
        """Waits in line, while others are served; `FullLineError` where it is too long. `who`: the
        address group that asks."""
        self._wait(who)
        began = self._clock()
        try:
            yield
        finally:
            with self._lock:
                self._work.add(who, self._clock() - began)
                self._next()

    def _wait(self, who: str) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            line = self._waiting.get(who, deque())
            if len(line) >= WAITING_OF_ONE or sum(map(len, self._waiting.values())) >= WAITING_MAX:
                raise FullLineError
            turn = threading.Event()
            line.append(turn)
            self._waiting[who] = line
        served = False
        try:
            with waiting():
                turn.wait()
            served = True
        finally:
            if not served:  # cut off
                self._give_up(who, turn)

    def _give_up(self, who: str, turn: threading.Event) -> None:
        with self._lock:
            if turn.is_set():
                self._next()
                return
            self._waiting[who].remove(turn)
            if not self._waiting[who]:
                del self._waiting[who]

    def _next(self) -> None:
        if not self._waiting:
            self._free += 1
            return
        who = min(self._waiting, key=lambda each: self._work.rank(each, 1))
        self._waiting[who].popleft().set()
        if not self._waiting[who]:
            del self._waiting[who]
