"""The event log in PostgreSQL, for several processes on several machines.

Whoever moves a table from one version to the next holds its row until the commit, so of two that
decided on the same version the second finds another one. A commit whose connection was cut is not
guessed: it is made again, and waits for what is left of the first. What lies there then is known by
its content, which is sealed anew for every attempt to write and so is nobody else's.

What a killed or frozen process holds is given up by the database after seconds.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from secrets import token_urlsafe
from typing import Any, Final

from msgspec.structs import asdict
from sqlalchemy import (
    Connection,
    Engine,
    and_,
    bindparam,
    create_engine,
    delete,
    func,
    insert,
    inspect,
    make_url,
    or_,
    select,
    text,
    true,
    update,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from companion.storage.schema import (
    HEAD,
    REVISIONS,
    alembic_version,
    common,
    events,
    metadata,
    notes,
    offers,
)
from companion.storage.schema import seal as seal_
from companion.storage.schema import tables as tables_
from companion.storage.seal import Seal, UnsealableError
from companion.storage.sql import MOVE_ON, Result, SqlEventLog, moving
from companion.tables.log import Index, Row, StorageError
from companion.tables.offers import Offered

CONNECTIONS: Final = 10
"""Of one process, at most, for transactions, and as many for single statements. They are made when
they are needed first, and kept: to make one takes as long as several reports."""

WAIT_S: Final = 10
"""For one of these, and for an answer of the database."""

OPTIONS: Final = " ".join(
    f"-c {name}={value}"
    for name, value in {
        "synchronous_commit": "on",  # what is told to be accepted is on the disk
        "statement_timeout": f"{WAIT_S}s",
        "idle_in_transaction_session_timeout": "5s",  # of a process that is frozen
        "timezone": "UTC",
    }.items()
)

AGAIN_S: Final = (0.05, 0.2, 0.5, 1.0)
"""Between the attempts to commit what was cut off."""

NOTES_MAX: Final = 500
"""At one table: more than its seats have for all deals, since devices come and go."""

USED_EVERY_S: Final = 10.0

APPLICATION: Final = "companion"
PREPARING: Final = 0x636F6D70616E
OPENING: Final = 0x636F6D70
"""Keys of advisory locks: this program's, among all that use the database."""

_SIZE = select(func.coalesce(func.sum(tables_.c.size), 0))
_WRITTEN = select(events.c.data).where(
    events.c.table_id == bindparam("table"), events.c.version == bindparam("number")
)
_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND application_name LIKE :name AND application_name <> :own"
)
_VERSIONS = select(tables_.c.id, tables_.c.version).where(
    tables_.c.id.in_(bindparam("ids", expanding=True))
)
_HOLD = select(tables_.c.version).where(tables_.c.id == bindparam("id")).with_for_update()
_EACH = [each for each in events.c if each is not events.c.table_id]
_MOVED = MOVE_ON.returning(tables_.c.id).cte("moved")
_ADDED = (
    func.unnest(*(bindparam(each.name, type_=postgresql.ARRAY(each.type)) for each in _EACH))
    .table_valued(*(each.name for each in _EACH), name="added")
    .render_derived()
)
_GO_ON = (
    insert(events)
    .from_select(
        list(events.c), select(_MOVED.c.id, *_ADDED.c).select_from(_MOVED).join(_ADDED, true())
    )
    .execution_options(preserve_rowcount=True)
)
"""The table's row and those of its events in one statement, which is a transaction by itself."""
_NOTES = select(notes.c.place, notes.c.name, notes.c.said).where(
    notes.c.table_id == bindparam("id")
)
_NOTED = select(func.count()).select_from(notes).where(notes.c.table_id == bindparam("id"))
_NOTE = postgresql.insert(notes).on_conflict_do_nothing()
_OFFER = select(
    *(offers.c[name] for name in ("table_id", "seat", "device", "expires_at", "taken_by"))
).where(or_(offers.c.key_hash == bindparam("digest"), offers.c.code_hash == bindparam("digest")))


def _engine(url: str, name: str, **kwargs: Any) -> Engine:
    return create_engine(
        make_url(url).set(drivername="postgresql+psycopg"),
        connect_args={
            "options": OPTIONS,
            "connect_timeout": WAIT_S,
            "application_name": name,
            "keepalives_idle": WAIT_S,
            "tcp_user_timeout": WAIT_S * 1000,
        },
        hide_parameters=True,  # an error goes to the log, and what is secret does not
        **kwargs,
    )


class _OvertakenError(Exception):
    """More is noted at the table than the decision knew of."""


class PostgresLog(SqlEventLog):
    """`tables.log.EventLog` in a database that other processes use, too, and `tables.common.Common`
    beside it."""

    def __init__(self, url: str, secret: bytes, *, used_every_s: float = USED_EVERY_S) -> None:
        """Prepares an empty database, or brings an older one up to date; whoever comes first does.

        `secret`: the program's secret key, the same for all its processes. `used_every_s`: how long
        the room that all tables take is taken to be what it was.
        """
        seal = Seal(secret)
        self._name = f"{APPLICATION} {token_urlsafe(6)}"
        pool = {
            "pool_size": CONNECTIONS,
            "max_overflow": 0,
            "pool_timeout": WAIT_S,
        }
        self._engine = _engine(url, self._name, **pool)
        reading = _engine(url, self._name, isolation_level="AUTOCOMMIT", **pool)
        self._alone = _engine(url, self._name, poolclass=NullPool)
        super().__init__(seal, reading, postgresql.insert)
        try:
            with self._engine.begin() as connection:
                _prepare(connection, seal)
        except SQLAlchemyError as error:
            self.close()
            raise StorageError(f"the database cannot be used: {_why(error)}") from error
        except StorageError:
            self.close()
            raise
        self._used_every_s = used_every_s
        self._used = 0
        self._used_until = 0.0

    def append(
        self, table_id: str, rows: Sequence[Row], index: Index, rewritten: Sequence[Row] = ()
    ) -> bool:
        written = [self._written(table_id, row) for row in rows]
        anew = [self._written(table_id, row) for row in rewritten]
        at_once = index.unchanged and not anew and rows[0].version > 1
        for again_s in (*AGAIN_S, None):
            try:
                if self._run(
                    lambda connection: self._append(connection, written, index, anew),
                    at_once=at_once,
                ):
                    return True
            except OperationalError as error:
                if again_s is None:
                    raise _unwritten(error) from error
                time.sleep(again_s)
            except SQLAlchemyError as error:
                raise _unwritten(error) from error
            else:
                return again_s != AGAIN_S[0] and self._holds(written[0])
        raise AssertionError

    def used(self) -> int:
        now = time.monotonic()
        if now >= self._used_until:
            self._used = int(self._select(_SIZE)[0][0])
            self._used_until = now + self._used_every_s
        return self._used

    @contextmanager
    def alone(self, request: str) -> Iterator[None]:
        """Nobody else opens a table by this request meanwhile."""
        key = int(request[:7], 16)  # an integer of the database, however it is
        try:
            connection = self._alone.connect()
        except SQLAlchemyError as error:
            raise _unwritten(error) from error
        try:
            try:
                connection.execute(select(func.pg_advisory_xact_lock(OPENING, key)))
            except SQLAlchemyError as error:
                raise _unwritten(error) from error
            yield
        finally:
            with suppress(SQLAlchemyError):  # it was cut meanwhile, and the lock is free
                connection.close()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """All as it was at one moment."""
        at_one = self._engine.execution_options(isolation_level="REPEATABLE READ")
        with at_one.connect() as connection:
            yield connection

    def others(self) -> int:
        """How many connections other processes of this program have to the database."""
        return int(self._select(_OTHERS, name=f"{APPLICATION}%", own=self._name)[0][0])

    def versions(self, table_ids: Collection[str]) -> dict[str, int]:
        if not table_ids:
            return {}
        found = self._select(_VERSIONS, ids=list(table_ids))
        return {row.id: row.version for row in found}

    def note(
        self,
        table_id: str,
        version: int,
        said: Mapping[str, Mapping[str, str]],
        places: Collection[str] | None = None,
    ) -> dict[str, dict[str, str]] | None:
        fresh = [
            {
                "table_id": table_id,
                "place": place,
                "name": name,
                "said": self._seal.close_text(_bound(table_id, place, name), each.encode()),
            }
            for place, names in said.items()
            for name, each in names.items()
        ]

        def work(connection: Connection) -> bool | None:
            if connection.scalar(_HOLD, {"id": table_id}) != version:
                return None
            if places is not None:
                others = and_(notes.c.table_id == table_id, notes.c.place.not_in(places))
                connection.execute(delete(notes).where(others))
            if (connection.scalar(_NOTED, {"id": table_id}) or 0) < NOTES_MAX:
                connection.execute(_NOTE, fresh)
            return True

        if not self._write(work):
            return None
        found = self.notes(table_id)
        return {place: found.get(place, {}) for place in said}

    def notes(self, table_id: str) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for row in self._select(_NOTES, id=table_id):
            found.setdefault(row.place, {})[row.name] = self._said(table_id, row)
        return found

    def put_offer(self, digests: tuple[str, str], offered: Offered) -> bool:
        def work(connection: Connection) -> bool:
            seat = and_(
                offers.c.table_id == offered.table_id,
                or_(offers.c.seat == offered.seat, offers.c.expires_at < time.time()),
            )
            connection.execute(delete(offers).where(seat))
            key, code = digests
            connection.execute(
                insert(offers).values(key_hash=key, code_hash=code, **asdict(offered))
            )
            return True

        return bool(self._write(work))

    def find_offer(self, digest: str) -> Offered | None:
        rows = self._select(_OFFER, digest=digest)
        return Offered(*rows[0]) if rows else None

    def take_offer(self, offered: Offered) -> None:
        this = and_(
            offers.c.table_id == offered.table_id,
            offers.c.seat == offered.seat,
            offers.c.expires_at == offered.expires_at,
        )
        taken = update(offers).where(this).values(taken_by=offered.taken_by)
        self._write(lambda connection: connection.execute(taken))

    def withdraw_offers(self, table_id: str) -> None:
        theirs = delete(offers).where(offers.c.table_id == table_id)
        self._write(lambda connection: connection.execute(theirs))

    def close(self) -> None:
        self._reading.dispose()
        self._alone.dispose()
        self._engine.dispose()

    def _write(
        self, work: Callable[[Connection], Result], *, purges: bool = False
    ) -> Result | None:
        """The database itself wipes what was deleted, in its time."""
        try:
            try:
                return self._run(work)
            except OperationalError:  # cut off; nothing but `append` minds being done twice
                return self._run(work)
        except SQLAlchemyError as error:
            raise _unwritten(error) from error

    def _run(self, work: Callable[[Connection], Result], *, at_once: bool = False) -> Result | None:
        """`at_once`: it is one statement, and needs no other transaction."""
        try:
            with self._reading.connect() if at_once else self._engine.begin() as connection:
                return work(connection)
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
        if done and index.notes is not None:
            table_id = written[0]["table_id"]
            if connection.scalar(_NOTED, {"id": table_id}) != index.notes:
                raise _OvertakenError
        return done

    def _go_on(
        self, connection: Connection, written: Sequence[dict[str, Any]], index: Index
    ) -> bool:
        rows = {each.name: [row[each.name] for row in written] for each in _EACH}
        return connection.execute(_GO_ON, moving(written, index) | rows).rowcount > 0

    def _select(self, statement: Any, **params: Any) -> Sequence[Any]:
        try:
            return super()._select(statement, **params)
        except StorageError as error:
            if not isinstance(error.__cause__, OperationalError):
                raise
            return super()._select(statement, **params)  # the connection was cut: over a new one

    def _said(self, table_id: str, row: Any) -> str:
        try:
            said = self._seal.open_text(_bound(table_id, row.place, row.name), bytes(row.said))
        except UnsealableError as error:
            raise StorageError("a note beside a table's log has been changed") from error
        return said.decode().rstrip(" ")

    def _holds(self, written: dict[str, Any]) -> bool:
        """Whether it was this very writing that made the version."""
        rows = self._select(_WRITTEN, table=written["table_id"], number=written["version"])
        return bool(rows) and bytes(rows[0].data) == written["data"]


@contextmanager
def looking(url: str) -> Iterator[Connection]:
    """A connection that only reads, all as it is at one moment; StorageError where there is nothing
    that could be read."""
    try:
        engine = _engine(
            url, APPLICATION, poolclass=NullPool, isolation_level="REPEATABLE READ"
        ).execution_options(postgresql_readonly=True)
        with engine.connect() as connection:
            if not inspect(connection).has_table(alembic_version.name):
                raise StorageError("there are no tables in the database")
            if connection.scalar(select(alembic_version.c.version_num)) != HEAD:
                raise StorageError("the database is of another version: start the server once")
            yield connection
    except SQLAlchemyError as error:
        raise StorageError(f"the database cannot be read: {_why(error)}") from error


def _bound(table_id: str, place: str, name: str) -> bytes:
    return json.dumps([table_id, place, name]).encode()


def _why(error: SQLAlchemyError) -> object:
    return error.orig if isinstance(error, DBAPIError) else error


def _unwritten(error: SQLAlchemyError) -> StorageError:
    return StorageError(f"the database cannot be written: {_why(error)}")


def _prepare(connection: Connection, seal: Seal) -> None:
    """All in one transaction, one process after the other."""
    connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
    connection.execute(select(func.pg_advisory_xact_lock(PREPARING)))
    names = set(inspect(connection).get_table_names())
    if alembic_version.name not in names:
        foreign = names & {*metadata.tables, *common.tables}
        if foreign:
            raise StorageError(f"the database holds tables of others: {', '.join(sorted(foreign))}")
        metadata.create_all(connection)
        common.create_all(connection)
        connection.execute(insert(alembic_version).values(version_num=HEAD))
        connection.execute(insert(seal_).values(id=1, key_check=seal.check, swept=True))
        return
    revision = connection.scalar(select(alembic_version.c.version_num))
    if revision not in REVISIONS:
        raise StorageError("the database was written by a newer version of this program")
    if not seal.fits(connection.scalar(select(seal_.c.key_check)) or b""):
        raise StorageError("the database was encrypted with another secret key")
    if revision != HEAD:
        from companion.storage.migrate import upgrade

        upgrade(connection, seal)
