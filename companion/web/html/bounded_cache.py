"""What takes long to make is made once: kept by a key until too much of it is kept."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from sys import getsizeof
from typing import Generic, TypeVar

from companion.web.http.priority import step_aside

Made = TypeVar("Made", str, bytes)


class BoundedCache(Generic[Made]):
    """Texts by their keys, which count too; the longest unused make room."""

    def __init__(self, size_max: int) -> None:
        """`size_max`: bytes of memory in all; what takes more than half of it is not kept."""
        self._size_max = size_max
        self._size = 0
        self._of: OrderedDict[Hashable, Made] = OrderedDict()
        self._making: dict[Hashable, threading.Lock] = {}

    def get(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """The text for `key`. If several ask for it at once, one makes it; if that fails, the next
        one does."""
        while (found := self.find(key)) is None:
            lock = self._making.setdefault(key, threading.Lock())
            if lock.locked():
                step_aside()
            with lock:
                if self._making.get(key) is not lock:  # made, given up or forgotten meanwhile
                    continue
                try:
                    found = make()
                    if self._making.get(key) is lock:  # else it is forgotten already
                        self._keep(key, found)
                    return found
                finally:
                    if self._making.get(key) is lock:
                        del self._making[key]
        return found

    def forget(self, first: Hashable) -> None:
        """Drops all texts whose key is a tuple that begins with `first`, and those being made."""
        for key in _beginning(first, self._of):
            self._size -= _size(key, self._of.pop(key))
        for key in _beginning(first, self._making):
            self._making.pop(key, None)

    def find(self, key: Hashable) -> Made | None:
        """The text for `key`, if it is kept."""
        found = self._of.get(key)
        if found is not None:
            self._of.move_to_end(key)
        return found

    def _keep(self, key: Hashable, made: Made) -> None:
        size = _size(key, made)
        if size > self._size_max // 2 or key in self._of:
            return
        self._of[key] = made
        self._size += size
        while self._size > self._size_max:
            self._size -= _size(*self._of.popitem(last=False))


def _beginning(first: Hashable, keys: Iterable[Hashable]) -> list[Hashable]:
    return [key for key in tuple(keys) if isinstance(key, tuple) and key[0] == first]


def _size(key: Hashable, made: Made) -> int:
    """A letter takes up to four bytes, and one that does makes all others do so."""
    parts = sum(map(getsizeof, key)) if isinstance(key, tuple) else 0
    return getsizeof(key) + parts + getsizeof(made)
