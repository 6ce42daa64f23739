"""The event log in SQLite: WAL, every commit flushed to the disk, one writer.

Only their owner can read the database and its folder.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, insert, inspect, select, update
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import QueuePool, StaticPool

from companion.storage.folder import KEY_FILE
from companion.storage.preflight import refuse_unfit
from companion.storage.schema import HEAD, alembic_version, metadata
from companion.storage.schema import seal as seal_
from companion.storage.seal import Seal
from companion.storage.sql import Result, SqlEventLog
from companion.storage.wal import log_of, refuse_damaged
from companion.storage.writer import Writer
from companion.tables.log import StorageError

FILE: Final = "tables.sqlite3"
BUSY_MS: Final = 5000


def _engine(path: Path, begin: str, synchronous: str, **kwargs: Any) -> Engine:
    """Transactions are begun by us: the driver's own way would begin them too late."""
    engine = create_engine(
        f"sqlite:///{path}",
        connect_args={"check_same_thread": False},
        hide_parameters=True,  # an error goes to the log, and what is secret does not
        **kwargs,
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None
        for pragma in (
            f"busy_timeout={BUSY_MS}",
            "journal_mode=WAL",
            f"synchronous={synchronous}",
            "fullfsync=ON",  # macOS: else a disk says that it has written and has not
            "foreign_keys=ON",
            "secure_delete=ON",
            "trusted_schema=OFF",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


class SqlLog(SqlEventLog):
    """`tables.log.EventLog` in one SQLite file."""

    def __init__(self, folder: Path, secret: bytes, *, synchronous: str = "FULL") -> None:
        """Opens the database in this folder, makes it, or brings it up to date.

        `secret` is the program's secret key, without which nothing can be read again.
        `synchronous` is SQLite's; anything less than FULL may lose what was accepted when the
        power fails.
        """
        seal = Seal(secret)
        path = folder / FILE
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            refuse_damaged(path)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise StorageError(f"{path} cannot be written: {error.strerror}") from error
        refuse_unfit(path, seal)
        writing = _engine(path, "BEGIN IMMEDIATE", synchronous, poolclass=StaticPool)
        try:
            _prepare(writing, seal)
        except (DatabaseError, sqlite3.Error, UnicodeDecodeError) as error:
            writing.dispose()
            why = error.orig if isinstance(error, DatabaseError) else error
            raise StorageError(f"{path} cannot be used: {why}") from error
        reading = _engine(path, "BEGIN", synchronous, poolclass=QueuePool)
        super().__init__(seal, reading, sqlite.insert)
        self._writer = Writer(writing)

    def _write(
        self, work: Callable[[Connection], Result], *, purges: bool = False
    ) -> Result | None:
        return self._writer.run(work, purges=purges)

    def used(self) -> int:
        return self._writer.used

    def close(self) -> None:
        self._writer.close()
        self._reading.dispose()


def refuse_keyless(folder: Path) -> None:
    """Raises `StorageError` where there are tables but no key: a new one could not read them."""
    here = (folder / FILE, log_of(folder / FILE))
    if (
        any(each.exists() and each.stat().st_size for each in here)
        and not (folder / KEY_FILE).exists()
    ):
        raise StorageError(
            f"{folder / KEY_FILE} is missing, and without it nobody can read the tables beside it: "
            "put it back (or set the secret key that was set), or move the tables away to begin "
            "anew"
        )


def _prepare(engine: Engine, seal: Seal) -> None:
    """Makes or migrates the database. Alembic is imported only where it is needed."""
    with engine.begin() as connection:
        names = set(inspect(connection).get_table_names())
        if not names:
            metadata.create_all(connection)
            connection.execute(insert(alembic_version).values(version_num=HEAD))
            connection.execute(insert(seal_).values(id=1, key_check=seal.check, swept=True))
            return
        revision = connection.scalar(select(alembic_version.c.version_num))
    if revision != HEAD:
        from companion.storage.migrate import upgrade

        with engine.connect() as connection:
            upgrade(connection, seal)
    with engine.begin() as connection:
        swept = connection.scalar(select(seal_.c.swept))
    if not swept:
        _sweep(engine)


def _sweep(engine: Engine) -> None:
    """Wipes from the files what lay there in plain text before the events were sealed."""
    with engine.connect() as connection:
        cursor = connection.connection.cursor()  # the driver's: in no transaction
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.close()
    with engine.begin() as connection:
        connection.execute(update(seal_).values(swept=True))
