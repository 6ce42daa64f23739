"""A runner for requests of tests, which come from threads of their own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable


class Threads:
    """Every request has a thread of its own."""

    def __init__(self) -> None:
        self._began = threading.local()

    def start(self) -> None:
        self._began.at = time.thread_time()

    def stop(self) -> float:
        return float(time.thread_time() - self._began.at)

    def after_others(self, then: Callable[[], None]) -> None:
        then()

    def in_background(self, work: Callable[[bytes], bytes], given: bytes) -> bytes:
        return work(given)
