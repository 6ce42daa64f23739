"""The tables in memory, which spare reading their logs."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from companion.tables.model import Table

BYTES_EACH: Final = 128 * 1024
"""Bytes of events for which a table in memory has room, on average."""


@dataclass(slots=True)
class CachedTable:
    """A table in memory."""

    table: Table
    code: str
    requests: dict[str, int]
    """Ids of the accepted requests, each with the version of its first event."""
    size: int
    """Bytes of its events on the disk, about."""
    lock: threading.Lock = field(default_factory=threading.Lock)
    ask_quota_from: float = 0.0
    """Size in bytes from which the quota of its host is checked again."""


class TableCache:
    """A cache of `most` tables and of `BYTES_EACH` for each; the least recently used go first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._entries: OrderedDict[str, tuple[CachedTable, int]] = OrderedDict()
        """Each with its size when it was last looked at."""
        self._weight = 0  # of all these
        self._mutex = threading.Lock()

    def get(self, table_id: str) -> CachedTable | None:
        with self._mutex:
            if table_id in self._entries:
                self._entries.move_to_end(table_id)
            return self.peek(table_id)

    def peek(self, table_id: str) -> CachedTable | None:
        """As `get`, but it does not count as a use: the table makes room as early as before."""
        entry, _ = self._entries.get(table_id, (None, 0))
        return entry

    def keep(self, entry: CachedTable) -> CachedTable:
        """Whichever is newer, this one or the one in memory, stays there."""
        table_id = entry.table.id
        with self._mutex:
            kept, weight = self._entries.get(table_id, (entry, 0))
            if kept.table.version < entry.table.version:
                kept = entry
            self._entries[table_id] = kept, kept.size
            self._entries.move_to_end(table_id)
            self._weight += kept.size - weight
            self._make_room()
        return kept

    def forget(self, table_id: str) -> None:
        """It is read again when somebody asks for it."""
        with self._mutex:
            _, weight = self._entries.pop(table_id, (None, 0))
            self._weight -= weight

    def _make_room(self) -> None:
        while len(self._entries) > self._most or (
            self._weight > self._most * BYTES_EACH and len(self._entries) > 1
        ):
            _, (_, weight) = self._entries.popitem(last=False)
            self._weight -= weight
