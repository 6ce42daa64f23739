"""A bus in memory, for processes that are none: the plainest thing that keeps the contract."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any


class Air:
    """What carries the calls of all."""

    def __init__(self) -> None:
        self.buses: list[MemoryBus] = []
        self.cut = False

    def break_off(self) -> None:
        self.cut = True
        for bus in self.buses:
            bus.on_cut()

    def mend(self) -> None:
        self.cut = False
        for bus in self.buses:
            bus.on_back()


class MemoryBus:
    def __init__(self, air: Air) -> None:
        self._air = air

    def call(self, kind: str, *what: Any) -> None:
        said = json.dumps(what)
        for bus in tuple(self._air.buses):
            if bus is not self and not self._air.cut:
                bus.heard(kind, *json.loads(said))

    def listen(
        self, heard: Callable[..., None], cut: Callable[[], None], back: Callable[[], None]
    ) -> None:
        self.heard, self.on_cut, self.on_back = heard, cut, back
        self._air.buses.append(self)
        back()

    def lag_s(self) -> float:
        return 0.0

    def close(self) -> None:
        if self in self._air.buses:
            self._air.buses.remove(self)
