"""Who is served first when many ask at once: phones that belong to a table, then everybody else.

One process draws all pages, one after another. Whoever asks on a hundred connections would be
served a hundred times before the next report; so strangers wait for each other, and between two of
them is time for those who play. Where nobody else asks, nobody waits.
"""

from __future__ import annotations

import hashlib
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from typing import Any

from companion.tables.model import Device

AT_ONCE = 4
"""Requests of one device that are served before strangers'; a page asks for no more."""

PAUSE_MAX_S = 0.02

_DEVICE = re.compile(r"(?:^|[;\s])(?:__Host-)?device=([A-Za-z0-9_-]{22})(?:;|$)")


class Lanes:
    def __init__(self, app: Any, known: Callable[[Device], bool], body_max: int) -> None:
        """`known`: whether a device has been heard of at a table. `body_max`: bytes of a form."""
        self._app = app
        self._known = known
        self._body_max = body_max
        self._at_once: Counter[Device] = Counter()
        self._turn = threading.Semaphore(1)
        self._waiting = 0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        found = _DEVICE.search(environ.get("HTTP_COOKIE", ""))
        device = hashlib.sha256(found[1].encode()).hexdigest() if found else ""
        if not device or not self._known(device) or self._at_once[device] >= AT_ONCE:
            return self._after_others(environ, start_response)
        self._at_once[device] += 1
        try:
            return self._app(environ, start_response)
        finally:
            self._at_once[device] -= 1
            if not self._at_once[device]:
                del self._at_once[device]

    def _after_others(self, environ: dict[str, Any], start_response: Any) -> Any:
        self._read(environ)
        self._waiting += 1
        with self._turn:
            self._waiting -= 1
            began = time.perf_counter()
            try:
                return self._app(environ, start_response)
            finally:
                if self._waiting:  # as long again for those who play
                    time.sleep(min(PAUSE_MAX_S, time.perf_counter() - began))

    def _read(self, environ: dict[str, Any]) -> None:
        """A form that comes slowly keeps nobody waiting: it is read before its turn."""
        length = environ.get("CONTENT_LENGTH") or "0"
        if length.isdigit() and 0 < int(length) <= self._body_max:
            with suppress(OSError):  # the application will meet the same
                environ["wsgi.input"] = BytesIO(environ["wsgi.input"].read(int(length)))
