"""All tables copied between a data folder and a shared database, which nobody may be serving from.

Rows are copied as they lie there: what is encrypted stays so, under the same secret key. Then every
event is read where it lies now.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, insert, select

from companion.storage.folder import KEY_FILE, exclusive
from companion.storage.log import FILE, SqlLog
from companion.storage.postgres import PostgresLog
from companion.storage.schema import devices, events, purge, standing, tables, tellings
from companion.storage.secret_key import as_bytes
from companion.tables.log import StorageError
from companion.values import Value

WHAT: Final = (tables, events, devices, tellings, purge, standing)
"""In an order in which each refers to what is there already."""

ROWS_AT_ONCE: Final = 500
DATABASE: Final = "postgresql"
"""How the address of a shared database begins; all else is a folder."""


class Copied(Value, frozen=True):
    tables: int
    events: int


def copy_all(source: str, target: str, secret_key: str = "") -> Copied:
    """From one place to the other, where there must be no tables: each an address of a database, or
    a folder.

    `secret_key`: the setting; where there is none, that of the folder which is copied.
    """
    if not source.startswith(DATABASE) and not (Path(source) / FILE).is_file():
        raise StorageError(f"there are no tables in {source}")
    secret = as_bytes(secret_key) if secret_key else _key_of(source)
    with ExitStack() as opened:
        there = opened.enter_context(_alone(source, secret))
        here = opened.enter_context(_alone(target, secret))
        if here.ids():
            raise StorageError("there are tables already where they are to be copied to")
        _copy(there, here)
        return _checked(there, here)


def _key_of(source: str) -> bytes:
    try:
        return (Path(source) / KEY_FILE).read_bytes()
    except OSError as error:
        raise StorageError(
            "the secret key is needed, as the server has it: --secret-key-file"
        ) from error


@contextmanager
def _alone(place: str, secret: bytes) -> Iterator[SqlLog | PostgresLog]:
    """The log there, which no other process uses."""
    with ExitStack() as opened:
        log: SqlLog | PostgresLog
        if place.startswith(DATABASE):
            log = PostgresLog(place, secret)
            opened.callback(log.close)
            if log.others():
                raise StorageError("the database is in use: end all processes that serve from it")
        else:
            folder = Path(place).expanduser().absolute()
            opened.enter_context(exclusive(folder))
            log = SqlLog(folder, secret)
            opened.callback(log.close)
        yield log


def _copy(source: SqlLog | PostgresLog, target: SqlLog | PostgresLog) -> None:
    """In one transaction: all, or nothing."""

    def work(connection: Connection) -> bool:
        for table in WHAT:
            rows = reading.execution_options(yield_per=ROWS_AT_ONCE).execute(select(table))
            for some in rows.mappings().partitions():
                connection.execute(insert(table), [dict(row) for row in some])
        return True

    with source.reading() as reading:
        copied = target.write(work)
    if not copied:
        raise StorageError("what was to be copied does not fit together")


def _checked(source: SqlLog | PostgresLog, target: SqlLog | PostgresLog) -> Copied:
    ids = source.ids()
    number = 0
    for table_id in ids:
        head = source.head(table_id)
        assert head is not None
        if target.head(table_id) != head:
            raise StorageError("not all tables have arrived")
        rows = target.read(table_id, up_to=head.version)
        if rows != source.read(table_id, up_to=head.version):
            raise StorageError("not all events have arrived as they were")
        number += len(rows)
    if len(target.ids()) != len(ids):
        raise StorageError("not all tables have arrived")
    return Copied(len(ids), number)
