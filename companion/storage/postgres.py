"""The event log in PostgreSQL, for several processes on several machines.

Whoever moves a table from one version to the next holds its row until the commit, so of two that
decided on the same version the second finds another one. A commit whose connection was cut is not
guessed: it is made again, and waits for what is left of the first. What lies there then is known by
its content, which is encrypted anew for every attempt to write and so is nobody else's.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from secrets import token_urlsafe
from typing import Any, Final

import sqlalchemy
from msgspec.structs import asdict
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from companion.storage.cipher import Cipher, UndecryptableError
from companion.storage.postgres_link import (
    APPLICATION,
    WAIT_S,
    AlchemyConnection,
    at_most,
    engine_of,
    is_silent,
    unread,
    unwritten,
    why,
)
from companion.storage.postgres_state import PROCESSES, clock_ahead_s, prepare
from companion.storage.sql import MOVE_ON, PURGED_AT, Connection, Result, SqlEventLog
from companion.tables.log import Index, Row, StorageError
from companion.tables.offers import Offered, as_number, of_number
from companion.tables.shared_store import NotesNeeded

CONNECTIONS: Final = 10
"""Of one process, at most, for transactions, and as many for single statements. They are made when
they are needed first, and kept: to make one takes as long as several reports."""

AGAIN_S: Final = (0.05, 0.2, 0.5, 1.0)
"""Between the attempts to commit what was cut off."""

USED_EVERY_S: Final = 10.0

PING_EVERY_S: Final = 1.0
"""Whoever asks more often gets the answer of before: each takes a connection of its own."""

OPENING: Final = 0x636F6D70
"""The key of advisory locks: this program's, among all that use the database."""

OPENING_S: Final = 120
"""For which such a lock is held at most, if its process is frozen: to open a table takes some
questions to the database, each of which may wait for `WAIT_S`."""

_SIZE = "SELECT coalesce(sum(size), 0) FROM tables"
_WRITTEN = "SELECT data FROM events WHERE table_id = :table AND version = :version"
_OTHERS = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
    AND application_name LIKE :name AND application_name <> :own"""
_CONNECTED = """
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()
    AND application_name = :name"""
_IDLE_FOR_LONG = f"SET LOCAL idle_in_transaction_session_timeout = '{OPENING_S}s'"
_NEVER_IDLE = "SELECT set_config('idle_in_transaction_session_timeout', '0', true)"
"""In this transaction; as a query, since what is read row by row can be nothing else."""

_LOCK_OF = "SELECT pg_advisory_xact_lock(:kind, :key)"
_VERSIONS = "SELECT id, version FROM tables WHERE id = ANY(:ids)"
_HOLD = "SELECT version FROM tables WHERE id = :id FOR UPDATE"
_ARRAYS: Final = {
    "version": "INTEGER",
    "kind": "VARCHAR",
    "data": "BYTEA",
    "request": "VARCHAR",
    "device": "VARCHAR",
    "at": "FLOAT",
}
"""The columns of the new events, each given as an array."""

_GO_ON = f"""
    WITH moved AS ({MOVE_ON} RETURNING id)
    INSERT INTO events (table_id, {", ".join(_ARRAYS)})
    SELECT moved.id, added.* FROM moved CROSS JOIN unnest(
        {", ".join(f"CAST(:{name} AS {kind}[])" for name, kind in _ARRAYS.items())}
    ) AS added"""  # noqa: S608 - names of ours
"""The table's row and those of its events in one statement, which is a transaction by itself."""

_NOTES = "SELECT place, name, said FROM notes WHERE table_id = :id"
_NOTED_AT = """
    SELECT place, count(*) FROM notes WHERE table_id = :id AND place = ANY(:places)
    GROUP BY place"""
_NOTE = """
    INSERT INTO notes (table_id, place, name, said) VALUES (:table_id, :place, :name, :said)
    ON CONFLICT DO NOTHING"""
_FORGET_OTHERS = "DELETE FROM notes WHERE table_id = :id AND NOT place = ANY(:places)"
_FORGET_NAMES = """
    DELETE FROM notes WHERE table_id = :id AND NOT name = ANY(:names) AND place IN (
        SELECT place FROM notes WHERE table_id = :id AND place = ANY(:places)
        GROUP BY place HAVING count(*) >= :most
    )"""
_OFFER = """
    SELECT table_id, seat, device, expires_at, taken_by FROM offers
    WHERE key_hash = :digest OR code_hash = :digest"""
_FORGET_OFFERS = """
    DELETE FROM offers WHERE table_id = :table_id AND (seat = :seat OR expires_at < :now)"""
_PUT_OFFER = """
    INSERT INTO offers (table_id, seat, key_hash, code_hash, device, expires_at, taken_by)
    VALUES (:table_id, :seat, :key, :code, :device, :expires_at, :taken_by)"""
_TAKE_OFFER = """
    UPDATE offers SET taken_by = :taken_by
    WHERE table_id = :table_id AND seat = :seat AND expires_at = :expires_at"""
_WITHDRAW = "DELETE FROM offers WHERE table_id = :id"


class _OvertakenError(Exception):
    """More is noted at the table than the decision knew of."""


def _offer_row(offered: Offered) -> dict[str, Any]:
    values = asdict(offered)
    return {"seat": as_number(values.pop("what")), **values}


class PostgresLog(SqlEventLog):
    """`tables.log.EventLog` in a database that other processes use, too, and
    `tables.shared_store.SharedStore` beside it."""

    def __init__(self, url: str, secret: bytes, *, used_every_s: float = USED_EVERY_S) -> None:
        """Prepares an empty database, or brings an older one up to date; whoever comes first does.

        `secret`: the program's secret key, the same for all its processes. `used_every_s`: how long
        the room that all tables take is taken to be what it was.
        """
        cipher = Cipher(secret)
        self._name = f"{APPLICATION} {token_urlsafe(6)}"
        pool: dict[str, Any] = {
            "pool_size": CONNECTIONS,
            "max_overflow": 0,
            "pool_timeout": WAIT_S,
        }
        self._by_transaction = engine_of(url, self._name, **pool)
        self._by_statement = engine_of(url, self._name, isolation_level="AUTOCOMMIT", **pool)
        self._alone = engine_of(url, self._name, poolclass=NullPool)
        super().__init__(cipher)
        try:
            prepare(engine_of(url, self._name, patient=True, poolclass=NullPool), cipher)
        except SQLAlchemyError as error:
            self.close()
            raise StorageError(f"the database cannot be used: {why(error)}") from error
        except StorageError:
            self.close()
            raise
        self._used_every_s = used_every_s
        self._used = 0
        self._used_until = 0.0
        self._pinging = threading.Lock()
        self._away: StorageError | None = None
        self._pinged_until = 0.0

    def ping(self) -> None:
        """Over a new connection: those that are kept go on where no other can be had, as a process
        needs to open a table."""
        with self._pinging:
            if time.monotonic() >= self._pinged_until:
                self._away = self._refusal()
                self._pinged_until = time.monotonic() + PING_EVERY_S
            away = self._away
        if away is not None:
            raise StorageError(str(away))

    def _refusal(self) -> StorageError | None:
        try:
            with self._alone.connect() as connection:
                AlchemyConnection(connection).execute(PURGED_AT).fetchall()
        except SQLAlchemyError as error:
            return unread(error)
        return None

    def append(
        self, table_id: str, rows: Sequence[Row], index: Index, rewritten: Sequence[Row] = ()
    ) -> bool:
        written = [self._written(table_id, row) for row in rows]
        anew = [self._written(table_id, row) for row in rewritten]
        at_once = index.unchanged and not anew and rows[0].version > 1
        for attempt, again_s in enumerate((*AGAIN_S, None)):
            try:
                done = self._run(
                    lambda connection: self._append(connection, written, index, anew),
                    at_once=at_once,
                )
            except OperationalError as error:
                if again_s is None or is_silent(error):
                    raise unwritten(error) from error
                time.sleep(again_s)
            except SQLAlchemyError as error:
                raise unwritten(error) from error
            else:
                return bool(done) or (attempt > 0 and self._holds(written[0]))
        raise AssertionError

    def write_once(self, work: Callable[[Connection], Result]) -> Result | None:
        """Each statement has its own time."""
        try:
            with self._by_transaction.begin() as connection:
                return work(_never_idle(connection))
        except IntegrityError:
            return None
        except SQLAlchemyError as error:
            raise unwritten(error) from error

    def used(self) -> int:
        now = time.monotonic()
        if now >= self._used_until:
            self._used = int(self._one(_SIZE))
            self._used_until = now + self._used_every_s
        return self._used

    @contextmanager
    def alone(self, request: str) -> Iterator[None]:
        """Nobody else opens a table by this request meanwhile."""
        key = int(request[:7], 16)  # an integer of the database, however it is
        try:
            connection = self._alone.connect()
        except SQLAlchemyError as error:
            raise unwritten(error) from error
        try:
            try:
                holder = AlchemyConnection(connection)  # of the lock, and of nothing else
                holder.execute(_IDLE_FOR_LONG)
                holder.execute(_LOCK_OF, {"kind": OPENING, "key": key})
            except SQLAlchemyError as error:
                raise unwritten(error) from error
            yield
        finally:
            with suppress(SQLAlchemyError):  # it was cut meanwhile, and the lock is free
                connection.close()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        at_one = self._by_transaction.execution_options(
            isolation_level="REPEATABLE READ",
            stream_results=True,  # row by row: there may be more than fits into memory
        )
        try:
            with at_one.connect() as connection:
                yield _never_idle(connection)
        except SQLAlchemyError as error:
            raise unread(error) from error

    def others(self) -> int:
        """How many connections other processes of this program have to the database."""
        return int(self._one(_OTHERS, name=f"{APPLICATION}%", own=self._name))

    def is_beside(self, other: PostgresLog) -> bool:
        """Whether that one, which is connected, has the same database, by whatever address."""
        return int(self._one(_CONNECTED, name=other._name)) > 0

    def processes(self) -> int:
        """How many processes of this program are connected to the database, this one included."""
        return int(self._one(PROCESSES))

    def ahead_s(self) -> float:
        """Seconds that the database's clock is ahead of this machine's; below 0 it is behind."""
        try:
            with self._by_statement.connect() as connection:
                return clock_ahead_s(AlchemyConnection(connection))
        except SQLAlchemyError as error:
            raise unread(error) from error

    def versions(self, table_ids: Collection[str]) -> dict[str, int]:
        if not table_ids:
            return {}
        return dict(self._select(_VERSIONS, ids=list(table_ids)))

    def note(
        self,
        table_id: str,
        version: int,
        said: Mapping[str, Mapping[str, str]],
        needed: NotesNeeded | None = None,
    ) -> dict[str, dict[str, str]] | None:
        fresh = [
            {
                "table_id": table_id,
                "place": place,
                "name": name,
                "said": self._cipher.encrypt_bytes(_bound(table_id, place, name), each.encode()),
            }
            for place, names in said.items()
            for name, each in names.items()
        ]

        def work(connection: Connection) -> bool | None:
            at = {"id": table_id}
            if connection.execute(_HOLD, at).fetchone() != (version,):
                return None
            if needed is not None:
                connection.execute(_FORGET_OTHERS, {**at, "places": list(needed.places)})
                full = {"places": list(said), "names": list(needed.names), "most": needed.most}
                connection.execute(_FORGET_NAMES, at | full)
            connection.executemany(_NOTE, fresh)
            return True

        if not self._write(work):
            return None
        found = self.notes(table_id)
        return {place: found.get(place, {}) for place in said}

    def notes(self, table_id: str) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for place, name, said in self._select(_NOTES, id=table_id):
            found.setdefault(place, {})[name] = self._said(_bound(table_id, place, name), said)
        return found

    def put_offer(self, digests: tuple[str, str], offered: Offered) -> bool:
        key, code = map(self._cipher.keys.blinded, digests)
        values = {**_offer_row(offered), "key": key, "code": code, "now": time.time()}

        def work(connection: Connection) -> bool:
            connection.execute(_FORGET_OFFERS, values)
            connection.execute(_PUT_OFFER, values)
            return True

        return bool(self._write(work))

    def find_offer(self, digest: str) -> Offered | None:
        rows = self._select(_OFFER, digest=self._cipher.keys.blinded(digest))
        if not rows:
            return None
        table_id, seat, *rest = rows[0]
        return Offered(table_id, of_number(seat), *rest)

    def take_offer(self, offered: Offered) -> None:
        self._changed(_TAKE_OFFER, _offer_row(offered))

    def close(self) -> None:
        self._by_statement.dispose()
        self._alone.dispose()
        self._by_transaction.dispose()

    def _write(
        self, work: Callable[[Connection], Result], *, purges: bool = False
    ) -> Result | None:
        """The database itself wipes what was deleted, in its time."""
        try:
            return _once_more(lambda: self._run(work))
        except SQLAlchemyError as error:
            raise unwritten(error) from error

    def _run(self, work: Callable[[Connection], Result], *, at_once: bool = False) -> Result | None:
        """`at_once`: it is one statement, and needs no other transaction."""
        try:
            if at_once:
                with self._by_statement.connect() as connection:
                    return work(AlchemyConnection(connection))
            with (
                self._by_transaction.connect() as connection,
                at_most(connection),
                connection.begin(),
            ):
                return work(AlchemyConnection(connection))
        except (IntegrityError, _OvertakenError):
            return None

    def _append(
        self,
        connection: Connection,
        written: Sequence[dict[str, Any]],
        index: Index,
        anew: Sequence[dict[str, Any]],
    ) -> bool:
        done = super()._append(connection, written, index, anew)
        if done and index.renewed:
            connection.execute(_WITHDRAW, {"id": written[0]["table_id"]})
        if done and index.notes is not None:
            at = {"id": written[0]["table_id"], "places": list(index.notes)}
            noted = dict(connection.execute(_NOTED_AT, at).fetchall())
            if any(noted.get(place, 0) != number for place, number in index.notes.items()):
                raise _OvertakenError
        return done

    def _go_on(
        self, connection: Connection, moving: dict[str, Any], written: Sequence[dict[str, Any]]
    ) -> bool:
        arrays = {name: [row[name] for row in written] for name in _ARRAYS}
        return connection.execute(_GO_ON, moving | arrays).rowcount > 0

    def _select(self, statement: str, **values: Any) -> Sequence[Any]:
        try:
            return _once_more(lambda: self._selected(statement, values))
        except SQLAlchemyError as error:
            raise unread(error) from error

    def _selected(self, statement: str, values: Mapping[str, Any]) -> Sequence[Any]:
        with self._by_statement.connect() as connection:
            return AlchemyConnection(connection).execute(statement, values).fetchall()

    def _said(self, bound: bytes, encrypted: bytes) -> str:
        try:
            said = self._cipher.decrypt_bytes(bound, bytes(encrypted))
        except UndecryptableError as error:
            raise StorageError("a note beside a table's log has been changed") from error
        return said.decode().rstrip(" ")

    def _holds(self, written: dict[str, Any]) -> bool:
        """Whether it was this very writing that made the version."""
        found = self._one(_WRITTEN, table=written["table_id"], version=written["version"])
        return found is not None and bytes(found) == written["data"]


def _once_more(work: Callable[[], Result]) -> Result:
    """Runs `work`, and again over a new connection if the first was cut. Only `append` must not run
    twice."""
    try:
        return work()
    except OperationalError as error:
        if is_silent(error):
            raise
        return work()


def _never_idle(connection: sqlalchemy.Connection) -> AlchemyConnection:
    """A connection whose transaction may be idle for any time: it may wait for somebody else's
    disk."""
    asked = AlchemyConnection(connection)
    asked.execute(_NEVER_IDLE).fetchall()
    return asked


def _bound(table_id: str, place: str, name: str) -> bytes:
    return json.dumps([table_id, place, name]).encode()
