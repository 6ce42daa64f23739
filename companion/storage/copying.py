"""All tables copied between a data folder and a shared database, which nobody may be serving from.

Rows are copied as they lie there: what is encrypted stays so, under the same secret key. Then every
event is read where it lies now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from companion.setting_checks import POSTGRESQL, path
from companion.storage.backup import taken
from companion.storage.folder import KEY_FILE, refuse_closed
from companion.storage.postgres import PostgresLog
from companion.storage.schema import columns
from companion.storage.secret_key import as_bytes
from companion.storage.sql import Connection, SqlEventLog
from companion.storage.sqlite_log import FILE, SqliteLog
from companion.tables.log import StorageError
from companion.values import Value

COPIED: Final = ("tables", "events", "devices", "tellings", "purge", "standing")
"""The tables of the database, each after those to whose rows its own refer."""

FLAGS: Final = frozenset({"hosts", "seated"})
"""Columns that are true or false; SQLite has numbers for these."""

ROWS_AT_ONCE: Final = 500
SAME: Final = "the tables are already where they are to be copied to: --from and --to are one place"


class Copied(Value, frozen=True):
    tables: int
    events: int


def copy_all(source: str, target: str, secret_key: str = "") -> Copied:
    """From one place to the other, where there must be no tables: each an address of a database, or
    a folder.

    `secret_key`: the setting; where there is none, that of the folder which is copied.
    """
    origin, goal = _place(source), _place(target)
    if isinstance(origin, Path):
        refuse_closed(origin)
        if not (origin / FILE).is_file():
            raise StorageError(f"there are no tables in {origin}")
        if isinstance(goal, Path) and _is_one(origin, goal):
            raise StorageError(SAME)
    secret = as_bytes(secret_key) if secret_key else _key_of(origin)
    with ExitStack() as opened:
        there = opened.enter_context(_alone(origin, secret))
        here = opened.enter_context(_alone(goal, secret, there))
        if here.ids():
            raise StorageError("there are tables already where they are to be copied to")
        if _has_more(here):
            raise StorageError(
                "there are standing tables, or abilities that were told, where they are to be "
                "copied to: it takes an empty folder or database"
            )
        _copy(there, here)
        return _checked(there, here)


def _place(given: str) -> str | Path:
    """An address of a database, or a folder."""
    return given if given.startswith(POSTGRESQL) else path(given)


def _is_one(origin: Path, goal: Path) -> bool:
    try:
        return origin.samefile(goal)
    except OSError:  # one is still to be made
        return False


def _key_of(origin: str | Path) -> bytes:
    """The key in a folder; beside a database there is none."""
    if isinstance(origin, Path):
        with suppress(OSError):
            return (origin / KEY_FILE).read_bytes()
    raise StorageError("the secret key is needed, as the server has it: --secret-key-file")


@contextmanager
def _alone(
    place: str | Path, secret: bytes, source: SqlEventLog | None = None
) -> Iterator[SqlEventLog]:
    """The log there, which no other process uses; nor is it the source."""
    with ExitStack() as opened:
        log: SqlEventLog
        if isinstance(place, str):
            log = opened.enter_context(closing(PostgresLog(place, secret)))
            if isinstance(source, PostgresLog) and log.is_beside(source):
                raise StorageError(SAME)
            if log.others():
                raise StorageError("the database is in use: end all processes that serve from it")
        else:
            opened.enter_context(taken(place))
            log = opened.enter_context(closing(SqliteLog(place, secret)))
        yield log


def _has_more(target: SqlEventLog) -> bool:
    """Whether there is something that outlasts tables."""
    with target.reading() as reading:
        return any(
            reading.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchall()  # noqa: S608
            for table in ("standing", "tellings")
        )


def _copy(source: SqlEventLog, target: SqlEventLog) -> None:
    """In one transaction: all, or nothing."""
    columns_of = columns()

    def work(connection: Connection) -> bool:
        connection.execute("DELETE FROM purge", {})  # of a server that was tried there
        for table in COPIED:
            names = columns_of[table]
            listed, values = ", ".join(names), ", ".join(f":{name}" for name in names)
            rows = reading.execute(f"SELECT {listed} FROM {table}")  # noqa: S608 - names of ours
            insert = f"INSERT INTO {table} ({listed}) VALUES ({values})"  # noqa: S608
            while some := rows.fetchmany(ROWS_AT_ONCE):
                connection.executemany(insert, [_values(names, row) for row in some])
        return True

    with source.reading() as reading:
        copied = target.write_once(work)
    if not copied:
        raise StorageError("what was to be copied does not fit together")


def _values(names: Sequence[str], row: Sequence[Any]) -> dict[str, Any]:
    return {
        name: bool(value) if name in FLAGS else value
        for name, value in zip(names, row, strict=True)
    }


def _checked(source: SqlEventLog, target: SqlEventLog) -> Copied:
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
