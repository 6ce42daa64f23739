"""The event log in SQL: what it is alike in every database.

The content of an event is encrypted (`cipher`), since it holds roles, gold and names. Statements
are text that each database understands; what they are about is named in them, `:so`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, Final, Protocol, TypeVar

from msgspec.structs import asdict

from companion.storage.cipher import AssociatedData, Cipher, UndecryptableError, encrypted_size
from companion.tables.log import (
    DamagedError,
    Head,
    Index,
    Member,
    Row,
    StandingTable,
    StorageError,
    Telling,
)
from companion.tables.model import Device

Result = TypeVar("Result")

BESIDE: Final = 400
"""Bytes of an event beside its content, in its row and the indexes."""

DELETED_AT_ONCE: Final = 25
"""Unused tables, in one transaction: others write in between, and what is gone stays so."""

NO_LIMIT: Final = 2**31 - 1


class Cursor(Protocol):
    """What a statement has answered."""

    @property
    def rowcount(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> Sequence[Any]: ...
    def fetchmany(self, size: int) -> Sequence[Any]: ...


class Connection(Protocol):
    """As `sqlite3` has it."""

    def execute(self, statement: str, values: Mapping[str, Any] = ..., /) -> Cursor: ...
    def executemany(self, statement: str, values: Iterable[Mapping[str, Any]], /) -> Cursor: ...


_READ = """
    SELECT version, kind, data, request, device, at FROM events
    WHERE table_id = :id AND version > :after AND version <= :up_to ORDER BY version"""
_HEAD = "SELECT version, code, size FROM tables WHERE id = :id"
_IDS = "SELECT id FROM tables"
_COUNT = "SELECT count(*) FROM tables"
_BY_JOIN = "SELECT id FROM tables WHERE join_hash = :join"
_BY_CODE = "SELECT id FROM tables WHERE code = :code"
_STANDING = "SELECT number, key_hash, code, table_id FROM standing"
_STANDING_BY = f"{_STANDING} WHERE key_hash = :key OR code = :short"
_ADD_STANDING = "INSERT INTO standing (number, key_hash, code) VALUES (:number, :key, :code)"
_MOVE_STANDING = """
    UPDATE standing SET table_id = :after
    WHERE number = :number AND coalesce(table_id, '') = :before"""
_RENEW_STANDING = """
    UPDATE standing SET key_hash = :key, code = :code, table_id = NULL
    WHERE number = :number AND key_hash = :before"""
_TABLES_OF = """
    SELECT devices.table_id FROM devices JOIN tables ON tables.id = devices.table_id
    WHERE devices.device = :device AND devices.hosts >= :hosts
    ORDER BY tables.used_at DESC, tables.id LIMIT :most"""
_HOSTED_SIZE = """
    SELECT coalesce(sum(tables.size), 0)
    FROM tables JOIN devices ON tables.id = devices.table_id
    WHERE devices.device = :device AND devices.hosts"""
_OPEN = """
    INSERT INTO tables (id, join_hash, code, version, used_at, size)
    VALUES (:table, :join, :code, :after, :used, :bytes)"""
_ADD = """
    INSERT INTO events (table_id, version, kind, data, request, device, at)
    VALUES (:table_id, :version, :kind, :data, :request, :device, :at)"""
_REWRITE = """
    UPDATE events SET data = :data, request = :request
    WHERE table_id = :table_id AND version = :version"""
MOVE_ON = """
    UPDATE tables SET version = :after, used_at = :used, size = :bytes
    WHERE id = :table AND version = :before"""
"""To the version after the new events, from the one on which they were decided."""

_NEW_LINK = "UPDATE tables SET join_hash = :join, code = :code WHERE id = :table"
_TELL = """
    INSERT INTO tellings (game, card, what, times) VALUES (:game, :card, :what, :times)
    ON CONFLICT (game, card, what) DO UPDATE SET times = tellings.times + excluded.times"""
_TELLINGS = "SELECT game, card, what, times FROM tellings WHERE game = :game AND times > 0"
_DROP_MEMBERS = "DELETE FROM devices WHERE table_id = :table"
_ADD_MEMBER = """
    INSERT INTO devices (device, table_id, hosts, seated)
    VALUES (:device, :table, :hosts, :seated)"""
_DELETE = "DELETE FROM tables WHERE id = :id"
_DELETE_AT = f"{_DELETE} AND version = :version"
_UNUSED = "SELECT id FROM tables WHERE used_at < :before"
_DELETE_UNUSED = f"{_DELETE} AND used_at < :before"
_STRANGE = "used_at > :now OR used_at < :since"
_IS_STRANGE = f"SELECT 1 FROM tables WHERE {_STRANGE} LIMIT 1"  # noqa: S608 - our own words
_NOT_STRANGE = f"UPDATE tables SET used_at = :now WHERE {_STRANGE}"  # noqa: S608
PURGED_AT = "SELECT at FROM purge"
_FORGET_PURGE = "DELETE FROM purge"
_PURGED = "INSERT INTO purge (id, at) VALUES (1, :at)"


class SqlEventLog(ABC):
    """`tables.log.EventLog`, without the ways to ask, to write and to measure, which differ."""

    def __init__(self, cipher: Cipher) -> None:
        self._cipher = cipher

    @abstractmethod
    def _select(self, statement: str, **values: Any) -> Sequence[Any]:
        """Of what is committed; `StorageError` where it cannot be read."""

    @abstractmethod
    def _write(
        self, work: Callable[[Connection], Result], *, purges: bool = False
    ) -> Result | None:
        """What `work` has answered, once it is on disk; None if the data themselves forbid it.

        `purges`: what is deleted shall leave no trace.
        """

    def write_once(self, work: Callable[[Connection], Result]) -> Result | None:
        """The same, never tried again, however long it takes."""
        return self._write(work)

    @abstractmethod
    def used(self) -> int:
        """Bytes that everything takes."""

    @abstractmethod
    def close(self) -> None: ...

    @abstractmethod
    def reading(self) -> AbstractContextManager[Connection]:
        """All as it was at one moment."""

    def append(
        self, table_id: str, rows: Sequence[Row], index: Index, rewritten: Sequence[Row] = ()
    ) -> bool:
        written = [self._written(table_id, row) for row in rows]
        anew = [self._written(table_id, row) for row in rewritten]
        done = self._write(
            lambda connection: self._append(connection, written, index, anew), purges=bool(anew)
        )
        return bool(done)

    def ping(self) -> None:
        self._select(PURGED_AT)

    def head(self, table_id: str) -> Head | None:
        rows = self._select(_HEAD, id=table_id)
        return Head(*rows[0]) if rows else None

    def read(self, table_id: str, *, up_to: int, after: int = 0) -> list[Row]:
        rows = self._select(_READ, id=table_id, after=after, up_to=up_to)
        whole = [version for version, *_ in rows] == list(range(after + 1, up_to + 1))
        if not whole and self.head(table_id) is not None:
            raise DamagedError(
                f"events are missing in the log of table {table_id}: the database is damaged"
            )
        try:
            return [self._read(table_id, *row) for row in rows if whole]
        except UndecryptableError as error:
            raise DamagedError(
                f"the log of table {table_id} has been changed: it cannot be decrypted"
            ) from error

    def ids(self) -> list[str]:
        """Of all tables."""
        return [found for (found,) in self._select(_IDS)]

    def count(self) -> int:
        return int(self._one(_COUNT))

    def by_join(self, join: str) -> str | None:
        found: str | None = self._one(_BY_JOIN, join=join)
        return found

    def by_code(self, code: str) -> str | None:
        found: str | None = self._one(_BY_CODE, code=code)
        return found

    def tables_of(
        self, device: Device, *, most: int | None = None, hosts: bool = False
    ) -> list[str]:
        limit = NO_LIMIT if most is None else most
        rows = self._select(_TABLES_OF, device=device, hosts=hosts, most=limit)
        return [table_id for (table_id,) in rows]

    def size_of(self, row: Row) -> int:
        return BESIDE + encrypted_size(row.kind, row.data)

    def hosted_size(self, device: Device) -> int:
        return int(self._one(_HOSTED_SIZE, device=device))

    def standing(self) -> list[StandingTable]:
        return [StandingTable(*row) for row in self._select(f"{_STANDING} ORDER BY number")]

    def standing_by(self, *, key: str = "", code: str = "") -> StandingTable | None:
        rows = self._select(_STANDING_BY, key=key, short=code)
        return StandingTable(*rows[0]) if rows else None

    def add_standing(self, one: StandingTable) -> bool:
        values = {"number": one.number, "key": one.key, "code": one.code}
        return self._changed(_ADD_STANDING, values) == 1

    def move_standing(self, number: int, before: str | None, after: str | None) -> bool:
        values = {"number": number, "before": before or "", "after": after}
        return self._changed(_MOVE_STANDING, values) == 1

    def renew_standing(self, one: StandingTable, before: str) -> bool:
        values = {"number": one.number, "key": one.key, "code": one.code, "before": before}
        return self._changed(_RENEW_STANDING, values) == 1

    def tellings(self, game: str) -> list[Telling]:
        return [Telling(*row) for row in self._select(_TELLINGS, game=game)]

    def delete(self, table_id: str, version: int | None = None) -> bool:
        statement = _DELETE if version is None else _DELETE_AT
        return bool(self._changed(statement, {"id": table_id, "version": version}, purges=True))

    def delete_unused(self, before: float, spared: Collection[str] = ()) -> list[str]:
        def work(some: Sequence[str], connection: Connection) -> list[str]:
            return [
                each
                for each in some
                if connection.execute(_DELETE_UNUSED, {"id": each, "before": before}).rowcount
            ]

        unused = [found for (found,) in self._select(_UNUSED, before=before) if found not in spared]
        gone: list[str] = []
        for first in range(0, len(unused), DELETED_AT_ONCE):
            some = unused[first : first + DELETED_AT_ONCE]
            try:
                gone += self._write(partial(work, some), purges=True) or []
            except StorageError:
                if not gone:
                    raise
                break  # the others go another time
        return gone

    def used_between(self, since: float, now: float) -> None:
        times = {"since": since, "now": now}
        if self._select(_IS_STRANGE, **times):
            self._changed(_NOT_STRANGE, times)

    def purged_at(self) -> float | None:
        found: float | None = self._one(PURGED_AT)
        return found

    def set_purged_at(self, at: float) -> None:
        def work(connection: Connection) -> None:
            connection.execute(_FORGET_PURGE)
            connection.execute(_PURGED, {"at": at})

        self._write(work)

    def _one(self, statement: str, **values: Any) -> Any:
        """The first column of the first row; None where there is none."""
        rows = self._select(statement, **values)
        return rows[0][0] if rows else None

    def _changed(
        self, statement: str, values: Mapping[str, Any], *, purges: bool = False
    ) -> int | None:
        """How many rows; None if the data themselves forbid it."""
        return self._write(
            lambda connection: connection.execute(statement, values).rowcount, purges=purges
        )

    def _written(self, table_id: str, row: Row) -> dict[str, Any]:
        beside = AssociatedData(table_id, row.version, row.kind, row.request, row.device, row.at)
        return {
            "table_id": table_id,
            "version": row.version,
            "kind": row.kind,
            "data": self._cipher.encrypt(beside, row.data),
            "request": row.request,
            "device": row.device,
            "at": row.at,
        }

    def _read(
        self,
        table_id: str,
        version: int,
        kind: str,
        data: bytes | str,
        request: str | None,
        device: Device,
        at: float,
    ) -> Row:
        if isinstance(data, str):  # SQLite keeps what it was given, also in a column of bytes
            raise UndecryptableError
        beside = AssociatedData(table_id, version, kind, request, device, at)
        return Row(version, kind, self._cipher.decrypt(beside, bytes(data)), request, device, at)

    def _append(
        self,
        connection: Connection,
        written: Sequence[dict[str, Any]],
        index: Index,
        anew: Sequence[dict[str, Any]],
    ) -> bool:
        moving = _moving(written, index)
        if moving["before"] == 0:
            connection.execute(_OPEN, moving)
            connection.executemany(_ADD, written)
        elif not self._go_on(connection, moving, written):
            return False
        if index.renewed:
            connection.execute(_NEW_LINK, moving)
        if anew:
            connection.executemany(_REWRITE, anew)
        if index.tellings:
            connection.executemany(_TELL, [asdict(each) for each in index.tellings])
        if index.members is not None:
            _write_members(connection, moving["table"], index.members)
        return True

    def _go_on(
        self, connection: Connection, moving: dict[str, Any], written: Sequence[dict[str, Any]]
    ) -> bool:
        """Moves the table on by its new events; False if it is not where they begin."""
        if connection.execute(MOVE_ON, moving).rowcount == 0:
            return False
        connection.executemany(_ADD, written)
        return True


def _moving(written: Sequence[dict[str, Any]], index: Index) -> dict[str, Any]:
    """The row of a table as it is to be, and from which version on."""
    return {
        "table": written[0]["table_id"],
        "before": written[0]["version"] - 1,
        "after": written[-1]["version"],
        "used": index.used_at,
        "bytes": index.size,
        "join": index.join,
        "code": index.code,
    }


def _write_members(connection: Connection, table_id: str, members: frozenset[Member]) -> None:
    connection.execute(_DROP_MEMBERS, {"table": table_id})
    if members:
        connection.executemany(_ADD_MEMBER, [{"table": table_id, **asdict(one)} for one in members])
