"""A log in memory, and what is shared beside it: the plainest thing that keeps the contracts, for
tests that need speed."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from companion.tables.log import Head, Index, Member, Row, StandingTable, Telling
from companion.tables.offers import Offerable, Offered
from companion.tables.shared_store import NotesNeeded


@dataclass
class Kept:
    join: str
    code: str
    used_at: float
    members: frozenset[Member]
    size: int = 0
    rows: list[Row] = field(default_factory=list)
    notes: dict[str, dict[str, str]] = field(default_factory=dict)
    offers: dict[Offerable, tuple[tuple[str, str], Offered]] = field(default_factory=dict)

    def noted_as(self, found: Mapping[str, int]) -> bool:
        """Whether as many notes are at these places as were found there."""
        return all(len(self.notes.get(place, ())) == number for place, number in found.items())


class MemoryLog:
    def __init__(self) -> None:
        self._tables: dict[str, Kept] = {}
        self._standing: dict[int, StandingTable] = {}
        self._purged_at: float | None = None
        self._told: Counter[tuple[str, str, str]] = Counter()
        self._lock = threading.Lock()
        self._alone: dict[str, threading.Lock] = {}

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
            elif kept.rows[-1].version != rows[0].version - 1 or not kept.noted_as(
                index.notes or {}
            ):
                return False
            elif index.renewed:
                if any(other.code == index.code for other in self._tables.values()):
                    return False
                kept.join, kept.code = index.join, index.code
                kept.offers.clear()
            for row in rewritten:
                kept.rows[row.version - 1] = row
            kept.rows.extend(rows)
            for each in index.tellings:
                self._told[each.game, each.card, each.what] += each.times
            kept.used_at, kept.size = index.used_at, index.size
            kept.members = kept.members if index.members is None else index.members
            return True

    def ping(self) -> None: ...

    def head(self, table_id: str) -> Head | None:
        kept = self._tables.get(table_id)
        return Head(kept.rows[-1].version, kept.code, kept.size) if kept else None

    def read(self, table_id: str, *, up_to: int, after: int = 0) -> list[Row]:
        kept = self._tables.get(table_id)
        return kept.rows[after:up_to] if kept else []

    def rows(self, table_id: str) -> list[Row]:
        """All of a table."""
        return self._tables[table_id].rows

    def seated(self, table_id: str) -> set[str]:
        """Devices that hold a seat at a table."""
        return {one.device for one in self._tables[table_id].members if one.seated}

    def count(self) -> int:
        return len(self._tables)

    def by_join(self, join: str) -> str | None:
        return next((id_ for id_, kept in self._tables.items() if kept.join == join), None)

    def by_code(self, code: str) -> str | None:
        return next((id_ for id_, kept in self._tables.items() if kept.code == code), None)

    def tables_of(self, device: str, *, most: int | None = None, hosts: bool = False) -> list[str]:
        newest = sorted(self._tables.items(), key=lambda item: (-item[1].used_at, item[0]))
        return [
            id_
            for id_, kept in newest
            for one in kept.members
            if one.device == device and one.hosts >= hosts
        ][:most]

    def size_of(self, row: Row) -> int:
        return 400 + len(json.dumps(row.data))

    def hosted_size(self, device: str) -> int:
        return sum(self._tables[each].size for each in self.tables_of(device, hosts=True))

    def used(self) -> int:
        return sum(kept.size for kept in self._tables.values())

    def standing(self) -> list[StandingTable]:
        found = sorted(self._standing.values(), key=lambda one: one.number)
        return [
            one if one.table_id in self._tables else replace(one, table_id=None) for one in found
        ]

    def standing_by(self, *, key: str = "", code: str = "") -> StandingTable | None:
        return next((one for one in self.standing() if one.key == key or one.code == code), None)

    def add_standing(self, one: StandingTable) -> bool:
        taken = self._standing.values()
        if any(
            one.number == each.number or one.key == each.key or one.code == each.code
            for each in taken
        ):
            return False
        self._standing[one.number] = one
        return True

    def move_standing(self, number: int, before: str | None, after: str | None) -> bool:
        for one in self.standing():
            if one.number == number and one.table_id == before:
                self._standing[number] = replace(one, table_id=after)
                return True
        return False

    def renew_standing(self, one: StandingTable, before: str) -> bool:
        others = [each for each in self._standing.values() if each.number != one.number]
        known = self._standing.get(one.number)
        if known is None or known.key != before or one.code in [each.code for each in others]:
            return False
        self._standing[one.number] = one
        return True

    def tellings(self, game: str) -> list[Telling]:
        return [Telling(*said, times) for said, times in self._told.items() if times > 0]

    def delete(self, table_id: str, version: int | None = None) -> bool:
        head = self.head(table_id)
        if head is None or version not in (None, head.version):
            return False
        del self._tables[table_id]
        return True

    def delete_unused(self, before: float, spared: Collection[str] = ()) -> list[str]:
        gone = [
            id_ for id_, kept in self._tables.items() if kept.used_at < before and id_ not in spared
        ]
        for id_ in gone:
            del self._tables[id_]
        return gone

    def used_between(self, since: float, now: float) -> None:
        for kept in self._tables.values():
            if not since <= kept.used_at <= now:
                kept.used_at = now

    def purged_at(self) -> float | None:
        return self._purged_at

    def set_purged_at(self, at: float) -> None:
        self._purged_at = at

    def close(self) -> None:
        pass

    # Shared store

    def versions(self, table_ids: Collection[str]) -> dict[str, int]:
        heads = {each: self.head(each) for each in table_ids}
        return {each: head.version for each, head in heads.items() if head is not None}

    def alone(self, request: str) -> AbstractContextManager[Any]:
        return self._alone.setdefault(request, threading.Lock())

    def note(
        self,
        table_id: str,
        version: int,
        said: Mapping[str, Mapping[str, str]],
        needed: NotesNeeded | None = None,
    ) -> dict[str, dict[str, str]] | None:
        with self._lock:
            kept = self._tables.get(table_id)
            if kept is None or kept.rows[-1].version != version:
                return None
            if needed is not None:
                places = needed.places
                kept.notes = {each: kept.notes[each] for each in kept.notes if each in places}
            for place, names in said.items():
                here = kept.notes.setdefault(place, {})
                if needed is not None and len(here) >= needed.most:
                    for gone in here.keys() - set(needed.names):
                        del here[gone]
                for name, each in names.items():
                    here.setdefault(name, each)
            return {place: dict(kept.notes[place]) for place in said}

    def notes(self, table_id: str) -> dict[str, dict[str, str]]:
        with self._lock:
            kept = self._tables.get(table_id)
            return {place: dict(here) for place, here in kept.notes.items() if here} if kept else {}

    def put_offer(self, digests: tuple[str, str], offered: Offered) -> bool:
        kept = self._tables.get(offered.table_id)
        if kept is None or any(map(self.find_offer, digests)):
            return False
        kept.offers[offered.what] = digests, offered
        return True

    def find_offer(self, digest: str) -> Offered | None:
        every = [each for kept in self._tables.values() for each in kept.offers.values()]
        return next((offered for digests, offered in every if digest in digests), None)

    def take_offer(self, offered: Offered) -> None:
        here = self._tables[offered.table_id].offers
        here[offered.what] = here[offered.what][0], offered
