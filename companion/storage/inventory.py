"""What lies in the database, seen from outside: counts, sizes and times, and nobody's name.

Nothing is decrypted. The queries run beside a server that serves from the same database.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, and_, case, create_engine, func, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from companion.storage.log import FILE
from companion.storage.preflight import untouched
from companion.storage.schema import HEAD, alembic_version, devices, events, tables
from companion.tables.log import StorageError
from companion.values import Value

DAY_S: Final = 86400

_SEATED = (
    select(devices.c.table_id, func.count().label("phones"))
    .where(devices.c.seated)
    .group_by(devices.c.table_id)
    .subquery()
)
_TABLES = (
    select(
        tables.c.id,
        tables.c.version,
        tables.c.size,
        events.c.at,
        tables.c.used_at,
        func.coalesce(_SEATED.c.phones, 0),
    )
    .join(events, and_(events.c.table_id == tables.c.id, events.c.version == 1))
    .outerjoin(_SEATED, _SEATED.c.table_id == tables.c.id)
    .order_by(tables.c.used_at, tables.c.id)
)
_DAY = func.round(events.c.at / DAY_S - 0.5)
"""Whole days since the epoch; `floor` is not in every SQLite."""

_DAYS = (
    select(
        _DAY,
        func.sum(case((events.c.version == 1, 1), else_=0)),
        func.count(),
        func.sum(func.length(events.c.data)),
    )
    .group_by(_DAY)
    .order_by(_DAY)
)


class Listed(Value, frozen=True):
    """A table."""

    id: str
    events: int
    size: int  # bytes, about
    opened_at: float  # seconds since the epoch
    used_at: float
    phones: int  # that hold a seat


class Day(Value, frozen=True):
    """What there still is of a day, in UTC."""

    day: date
    opened: int  # tables
    events: int
    size: int  # bytes of what the events say


@contextmanager
def looking(folder: Path) -> Iterator[Connection]:
    """A connection that only reads; StorageError where there is nothing that could be read."""
    path = folder / FILE
    if not path.is_file():
        raise StorageError(f"there are no tables in {folder}")
    try:
        with untouched(path, alone=False) as opened:
            engine = create_engine("sqlite://", creator=lambda: opened, poolclass=StaticPool)
            with engine.connect() as connection:
                if connection.scalar(select(alembic_version.c.version_num)) != HEAD:
                    raise StorageError(f"{path} is of another version: start the server once")
                yield connection
    except (DBAPIError, sqlite3.Error) as error:
        why = error.orig if isinstance(error, DBAPIError) else error
        raise StorageError(f"{path} cannot be read: {why}") from error


def listed(connection: Connection) -> list[Listed]:
    """All tables, the longest unused first."""
    return [Listed(*row) for row in connection.execute(_TABLES)]


def by_day(connection: Connection) -> list[Day]:
    return [
        Day(datetime.fromtimestamp(int(day) * DAY_S, UTC).date(), *of)
        for day, *of in connection.execute(_DAYS)
    ]
