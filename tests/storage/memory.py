"""A log in memory: the plainest thing that keeps the contract, for tests that need speed."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from companion.tables.log import Head, Index, Mine, Present, Row, Standing, Telling


@dataclass
class Kept:
    join: str
    code: str
    used_at: float
    present: frozenset[Present]
    size: int = 0
    rows: list[Row] = field(default_factory=list)


class MemoryLog:
    def __init__(self) -> None:
        self._tables: dict[str, Kept] = {}
        self._standing: dict[int, Standing] = {}
        self._purged_at: float | None = None
        self._told: Counter[tuple[str, str, str]] = Counter()
        self._lock = threading.Lock()

    def append(
        self, table_id: str, rows: Sequence[Row], index: Index, rewritten: Sequence[Row] = ()
    ) -> bool:
        with self._lock:
            kept = self._tables.get(table_id)
            if kept is None:
                others = self._tables.values()
                if rows[0].version != 1 or any(other.code == index.code for other in others):
                    return False
                kept = Kept(index.join, index.code, index.used_at, frozenset())
                self._tables[table_id] = kept
            elif kept.rows[-1].version != rows[0].version - 1:
                return False
            elif index.renewed:
                if any(other.code == index.code for other in self._tables.values()):
                    return False
                kept.join, kept.code = index.join, index.code
            for row in rewritten:
                kept.rows[row.version - 1] = row
            kept.rows.extend(rows)
            for each in index.told:
                self._told[each.game, each.card, each.what] += each.times
            kept.used_at, kept.size = index.used_at, index.size
            kept.present = kept.present if index.present is None else index.present
            return True

    def head(self, table_id: str) -> Head | None:
        kept = self._tables.get(table_id)
        return Head(kept.rows[-1].version, kept.code, kept.size) if kept else None

    def read(self, table_id: str, *, up_to: int, after: int = 0) -> list[Row]:
        kept = self._tables.get(table_id)
        return kept.rows[after:up_to] if kept else []

    def rows(self, table_id: str) -> list[Row]:
        """All of a table."""
        return self._tables[table_id].rows

    def count(self) -> int:
        return len(self._tables)

    def by_join(self, join: str) -> str | None:
        return next((id_ for id_, kept in self._tables.items() if kept.join == join), None)

    def by_code(self, code: str) -> str | None:
        return next((id_ for id_, kept in self._tables.items() if kept.code == code), None)

    def tables_of(self, device: str, *, most: int | None = None, hosts: bool = False) -> list[Mine]:
        newest = sorted(self._tables.items(), key=lambda item: (-item[1].used_at, item[0]))
        return [
            Mine(id_, one.hosts, one.seated)
            for id_, kept in newest
            for one in kept.present
            if one.device == device and one.hosts >= hosts
        ][:most]

    def takes(self, row: Row) -> int:
        return 400 + len(json.dumps(row.data))

    def hosted_size(self, device: str) -> int:
        hosted = {mine.table_id for mine in self.tables_of(device, hosts=True)}
        return sum(self._tables[table_id].size for table_id in hosted)

    def used(self) -> int:
        return sum(kept.size for kept in self._tables.values())

    def standing(self) -> list[Standing]:
        found = sorted(self._standing.values(), key=lambda one: one.number)
        return [
            one if one.table_id in self._tables else replace(one, table_id=None) for one in found
        ]

    def standing_by(self, *, key: str = "", code: str = "") -> Standing | None:
        return next((one for one in self.standing() if one.key == key or one.code == code), None)

    def add_standing(self, one: Standing) -> bool:
        taken = self._standing.values()
        if any(
            one.number == each.number or one.key == each.key or one.code == each.code
            for each in taken
        ):
            return False
        self._standing[one.number] = one
        return True

    def move_standing(self, number: int, before: str | None, after: str) -> bool:
        for one in self.standing():
            if one.number == number and one.table_id == before:
                self._standing[number] = replace(one, table_id=after)
                return True
        return False

    def tellings(self, game: str) -> list[Telling]:
        return [Telling(*said, times) for said, times in self._told.items() if times > 0]

    def delete(self, table_id: str) -> bool:
        return self._tables.pop(table_id, None) is not None

    def delete_unused(self, before: float, spared: Collection[str] = ()) -> list[str]:
        gone = [
            id_ for id_, kept in self._tables.items() if kept.used_at < before and id_ not in spared
        ]
        for id_ in gone:
            del self._tables[id_]
        return gone

    def not_later(self, now: float) -> None:
        for kept in self._tables.values():
            kept.used_at = min(kept.used_at, now)

    def purged_at(self) -> float | None:
        return self._purged_at

    def set_purged_at(self, at: float) -> None:
        self._purged_at = at

    def close(self) -> None:
        pass
