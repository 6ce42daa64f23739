"""The event log in PostgreSQL, for several processes on several machines.

Whoever moves a table from one version to the next holds its row until the commit, so of two that
decided on the same version the second finds another one. A commit whose connection was cut is not
guessed: it is made again, and waits for what is left of the first. What lies there then is known by
its content, which is sealed anew for every attempt to write and so is nobody else's.

What a killed or frozen process holds is given up by the database after seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import (
    Connection,
    Engine,
    bindparam,
    create_engine,
    func,
    insert,
    inspect,
    make_url,
    select,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from companion.storage.schema import HEAD, REVISIONS, alembic_version, events, metadata
from companion.storage.schema import seal as seal_
from companion.storage.schema import tables as tables_
from companion.storage.seal import Seal
from companion.storage.sql import Result, SqlEventLog
from companion.tables.log import Index, Row, StorageError

CONNECTIONS: Final = 5
CONNECTIONS_MORE: Final = 15
"""Of one process, at times."""

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

USED_EVERY_S: Final = 10.0

PREPARING: Final = 0x636F6D70616E
OPENING: Final = 0x636F6D70
"""Keys of advisory locks: this program's, among all that use the database."""

_SIZE = select(func.coalesce(func.sum(tables_.c.size), 0))
_WRITTEN = select(events.c.data).where(
    events.c.table_id == bindparam("table"), events.c.version == bindparam("number")
)


def _engine(url: str, **kwargs: Any) -> Engine:
    return create_engine(
        make_url(url).set(drivername="postgresql+psycopg"),
        connect_args={
            "options": OPTIONS,
            "connect_timeout": WAIT_S,
            "application_name": "companion",
            "keepalives_idle": WAIT_S,
            "tcp_user_timeout": WAIT_S * 1000,
        },
        hide_parameters=True,  # an error goes to the log, and what is secret does not
        **kwargs,
    )


class PostgresLog(SqlEventLog):
    """`tables.log.EventLog` in a database that other processes use, too."""

    shared = True

    def __init__(self, url: str, secret: bytes, *, used_every_s: float = USED_EVERY_S) -> None:
        """Prepares an empty database, or brings an older one up to date; whoever comes first does.

        `secret`: the program's secret key, the same for all its processes. `used_every_s`: how long
        the room that all tables take is taken to be what it was.
        """
        seal = Seal(secret)
        self._engine = _engine(
            url, pool_size=CONNECTIONS, max_overflow=CONNECTIONS_MORE, pool_timeout=WAIT_S
        )
        self._alone = _engine(url, poolclass=NullPool)
        try:
            with self._engine.begin() as connection:
                _prepare(connection, seal)
        except SQLAlchemyError as error:
            self.close()
            raise StorageError(f"the database cannot be used: {_why(error)}") from error
        except StorageError:
            self.close()
            raise
        reading = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        super().__init__(seal, reading, postgresql.insert)
        self._used_every_s = used_every_s
        self._used = 0
        self._used_until = 0.0

    def append(self, table_id: str, rows: Sequence[Row], index: Index) -> bool:
        written = [self._written(table_id, row) for row in rows]
        for again_s in (*AGAIN_S, None):
            try:
                if self._run(lambda connection: self._append(connection, written, index)):
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
        key = int(request[:8], 16) - 2**31
        try:
            connection = self._alone.connect()
        except SQLAlchemyError as error:
            raise _unwritten(error) from error
        with connection:
            try:
                connection.execute(select(func.pg_advisory_xact_lock(OPENING, key)))
            except SQLAlchemyError as error:
                raise _unwritten(error) from error
            yield

    def close(self) -> None:
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

    def _run(self, work: Callable[[Connection], Result]) -> Result | None:
        try:
            with self._engine.begin() as connection:
                return work(connection)
        except IntegrityError:
            return None

    def _select(self, statement: Any, **params: Any) -> Sequence[Any]:
        try:
            return super()._select(statement, **params)
        except StorageError as error:
            if not isinstance(error.__cause__, OperationalError):
                raise
            return super()._select(statement, **params)  # the connection was cut: over a new one

    def _holds(self, written: dict[str, Any]) -> bool:
        """Whether it was this very writing that made the version."""
        rows = self._select(_WRITTEN, table=written["table_id"], number=written["version"])
        return bool(rows) and bytes(rows[0].data) == written["data"]


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
        foreign = names & set(metadata.tables)
        if foreign:
            raise StorageError(f"the database holds tables of others: {', '.join(sorted(foreign))}")
        metadata.create_all(connection)
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
