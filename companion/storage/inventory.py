"""What lies in the database, seen from outside: counts, sizes and times, and nobody's name.

Nothing is decrypted. The queries run beside a server that serves from the same database.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.storage import schema
from companion.storage.folder import refuse_closed
from companion.storage.preflight import untouched
from companion.storage.read_only_disk import is_read_only, readable_copy
from companion.storage.sql import Connection
from companion.storage.sqlite_log import FILE
from companion.tables.log import StorageError
from companion.values import Value

DAY_S: Final = 86400

_TABLES = """
    SELECT tables.id, tables.version, tables.size, events.at, tables.used_at,
        (SELECT count(*) FROM devices WHERE devices.table_id = tables.id AND devices.seated),
        (SELECT number FROM standing WHERE standing.table_id = tables.id)
    FROM tables JOIN events ON events.table_id = tables.id AND events.version = 1
    ORDER BY tables.used_at, tables.id"""

_DAYS = f"""
    SELECT round(at / {DAY_S} - 0.5), sum(CASE WHEN version = 1 THEN 1 ELSE 0 END), count(*),
        sum(length(data))
    FROM events GROUP BY 1 ORDER BY 1"""  # noqa: S608 - a number of ours
"""By whole days since the epoch; `floor` is not in every SQLite."""


class Listed(Value, frozen=True):
    """A table."""

    id: str
    events: int
    size: int  # bytes, about
    opened_at: float  # seconds since the epoch
    used_at: float
    phones: int  # that hold a seat
    standing: int | None  # number of a café's table, at whose tent this evening is


class Day(Value, frozen=True):
    """What there still is of a day, in UTC."""

    day: date
    opened: int  # tables
    events: int
    size: int  # bytes of what the events say


@contextmanager
def read_only(folder: Path) -> Iterator[Connection]:
    """A connection that only reads; StorageError where there is nothing that could be read."""
    path = folder / FILE
    refuse_closed(folder)
    if not path.is_file():
        raise StorageError(f"there are no tables in {folder}")
    try:
        with _readable(path) as source, untouched(source, alone=False) as opened:
            if opened.execute(schema.REVISION).fetchone() != (schema.HEAD,):
                raise StorageError(f"{path} is of another version: start the server once")
            yield opened
    except sqlite3.Error as error:
        raise StorageError(f"{path} cannot be read: {error}") from error


@contextmanager
def _readable(path: Path) -> Iterator[Path]:
    """Where SQLite can read it."""
    if not is_read_only(path.parent):
        yield path
        return
    try:
        made = TemporaryDirectory()
    except OSError as error:
        raise StorageError(f"{path} cannot be copied: {error.strerror}") from error
    with made as folder:
        yield readable_copy(path, Path(folder))


def listed(connection: Connection) -> list[Listed]:
    """All tables, the longest unused first."""
    return [Listed(*row) for row in connection.execute(_TABLES)]


def by_day(connection: Connection) -> list[Day]:
    return [
        Day(datetime.fromtimestamp(int(day) * DAY_S, UTC).date(), *of)
        for day, *of in connection.execute(_DAYS)
    ]
