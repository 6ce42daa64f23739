"""The event log in SQLite: WAL, every commit flushed to the disk, one writer.

Only their owner can read the database and its folder.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, Final

from companion.storage import schema
from companion.storage.cipher import Cipher
from companion.storage.folder import KEY_FILE
from companion.storage.preflight import refuse_unfit
from companion.storage.sql import Connection, Result, SqlEventLog
from companion.storage.sqlite import Readers, connect, transaction
from companion.storage.wal import log_of, refuse_damaged
from companion.storage.writer import Writer
from companion.tables.log import StorageError

FILE: Final = "tables.sqlite3"


class SqliteLog(SqlEventLog):
    """`tables.log.EventLog` in one SQLite file."""

    def __init__(
        self, folder: Path, secret: bytes, *, alone: bool = True, synchronous: str = "FULL"
    ) -> None:
        """Opens the database in this folder, makes it, or brings it up to date.

        `secret` is the program's secret key, without which nothing can be read again. `alone`:
        no other process has the folder.
        `synchronous` is SQLite's; anything less than FULL may lose what was accepted when the
        power fails.
        """
        cipher = Cipher(secret)
        path = folder / FILE
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if alone:  # else its log changes while it is read
                refuse_damaged(path)
            was_cut_off = cut_off(folder)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise StorageError(f"{path} cannot be written: {error.strerror}") from error
        refuse_unfit(path, cipher, alone=alone)
        try:
            with ExitStack() as until_ready:
                writing = until_ready.enter_context(closing(connect(path, synchronous)))
                _prepare(writing, cipher)
                self._writer = Writer(writing, wipe=was_cut_off)
                until_ready.pop_all()  # it is the writer's now
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise StorageError(f"{path} cannot be used: {error}") from error
        super().__init__(cipher)
        self._readers = Readers(path, synchronous)

    def ping(self) -> None:
        self._writer.ping()
        super().ping()

    def _select(self, statement: str, **values: Any) -> Sequence[Any]:
        try:
            with self._readers.one() as connection:
                return connection.execute(statement, values).fetchall()
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise _unread(error) from error

    def _write(
        self, work: Callable[[Connection], Result], *, purges: bool = False
    ) -> Result | None:
        return self._writer.run(work, purges=purges)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        try:
            with self._readers.one() as connection, transaction(connection, "DEFERRED"):
                yield connection
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise _unread(error) from error

    def used(self) -> int:
        return self._writer.used

    def close(self) -> None:
        self._writer.close()
        self._readers.close()


def _unread(error: Exception) -> StorageError:
    return StorageError(f"the database cannot be read: {error}")


def cut_off(folder: Path) -> bool:
    """Whether whoever wrote last in this folder was killed: else SQLite has put its log away. One
    that is empty is of somebody who has only read."""
    log = log_of(folder / FILE)
    return log.exists() and log.stat().st_size > 0


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


def _prepare(connection: sqlite3.Connection, cipher: Cipher) -> None:
    """Makes or migrates the database. Alembic is imported only where it is needed."""
    with transaction(connection):
        if not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            for statement in schema.statements(schema.LOG):
                connection.execute(statement)
            for statement in schema.FIRST:
                connection.execute(statement, schema.first_rows(cipher.check))
            return
    if connection.execute(schema.REVISION).fetchone() != (schema.HEAD,):
        from companion.storage.migrate import upgrade_file

        upgrade_file(connection, cipher)
    if connection.execute("SELECT swept FROM seal").fetchone() == (False,):
        _sweep(connection)


def _sweep(connection: sqlite3.Connection) -> None:
    """Wipes from the files what lay there in plain text before the events were encrypted."""
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.execute("UPDATE seal SET swept = 1")
