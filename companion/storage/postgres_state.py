"""What is in a PostgreSQL database: how it stands with this version of the program, and how an
empty or an older one is prepared."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum, auto
from typing import Final

import sqlalchemy
from psycopg.errors import LockNotAvailable
from sqlalchemy import Engine
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from companion.storage import schema
from companion.storage.cipher import Cipher
from companion.storage.postgres_link import APPLICATION, AlchemyConnection, engine_of, unread
from companion.storage.schema import HEAD, REVISIONS
from companion.storage.sql import Connection
from companion.tables.log import StorageError
from companion.values import Value

PREPARING: Final = 0x636F6D70616E
"""The key of an advisory lock: this program's, among all that use the database."""

LOCK_MS: Final = 2000
"""For a table that others read or write, before it is changed: whoever asks for it later waits
behind, so it is given up soon and tried again."""

AGAIN_S: Final = 3.0
TRIES: Final = 5

HELD: Final = (
    "its tables are to be brought up to date, and somebody is using them: a backup may be reading; "
    "start again when it is over"
)

OURS: Final = {*schema.LOG, *schema.SHARED}
"""The tables of this program, by name."""

PROCESSES: Final = f"""
    SELECT count(DISTINCT application_name) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name LIKE '{APPLICATION} %'"""  # noqa: S608 - our own name
"""Those that serve: each has a name of its own."""

_CLOCK = "SELECT extract(epoch FROM clock_timestamp())"
_NAMES = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
_LOCK = "SELECT pg_advisory_xact_lock(:key)"


class Schema(Enum):
    """How the tables in a database are, seen from this version of the program."""

    EMPTY = auto()  # there are none
    CURRENT = auto()
    OLDER = auto()
    NEWER = auto()
    FOREIGN = auto()  # another program's


class Condition(Value, frozen=True):
    """What can be told of a database without changing it."""

    version: str
    schema: Schema
    key_fits: bool | None  # the secret key; None where nothing is encrypted yet
    ahead_s: float  # of its clock before this machine's
    processes: int  # that serve from it now


@contextmanager
def read_only(url: str) -> Iterator[Connection]:
    """A connection that only reads, all as it is at one moment; StorageError where there is nothing
    that could be read."""
    with _as_it_is(url) as asked:
        if "alembic_version" not in _names(asked):
            raise StorageError("there are no tables in the database")
        if asked.execute(schema.REVISION).fetchone() != (HEAD,):
            raise StorageError("the database is of another version: start the server once")
        yield asked


def examined(url: str, secret: bytes) -> Condition:
    """The database as it is, which stays so; StorageError where it does not answer."""
    with _as_it_is(url) as asked:
        ((version,),) = asked.execute("SHOW server_version")
        how, fits = _examined(asked, Cipher(secret))
        ahead_s, ((processes,),) = clock_ahead_s(asked), asked.execute(PROCESSES)
        return Condition(version.partition(" ")[0], how, fits, ahead_s, processes)


@contextmanager
def _as_it_is(url: str) -> Iterator[Connection]:
    """Only read, all at one moment; StorageError where it does not answer."""
    engine = engine_of(url, APPLICATION, poolclass=NullPool, isolation_level="REPEATABLE READ")
    try:
        with engine.execution_options(postgresql_readonly=True).connect() as connection:
            yield AlchemyConnection(connection)
    except SQLAlchemyError as error:
        raise unread(error) from error


def _examined(asked: Connection, cipher: Cipher) -> tuple[Schema, bool | None]:
    names = _names(asked)
    if "alembic_version" not in names:
        return Schema.FOREIGN if names & OURS else Schema.EMPTY, None
    found = asked.execute(schema.REVISION).fetchone()
    if found is None:
        raise StorageError("the database is damaged: it does not say of which version it is")
    if found[0] not in REVISIONS:
        return Schema.NEWER, None
    sealed = asked.execute("SELECT key_check FROM seal").fetchone()
    if sealed is None:
        raise StorageError("the database is damaged: it does not say with which key it is sealed")
    return Schema.CURRENT if found[0] == HEAD else Schema.OLDER, cipher.fits(bytes(sealed[0]))


def clock_ahead_s(asked: Connection) -> float:
    """Against the middle of the time that asking took."""
    before = time.time()
    ((there,),) = asked.execute(_CLOCK)
    return float(there) - (before + time.time()) / 2


def _names(asked: Connection) -> set[str]:
    """Of all tables that are there."""
    return {name for (name,) in asked.execute(_NAMES)}


def prepare(engine: Engine, cipher: Cipher) -> None:
    """Makes the tables in an empty database, or brings older ones up to date: all in one
    transaction, one process after the other. StorageError where the tables are another program's, a
    newer version's, or encrypted with another key."""
    for left in reversed(range(TRIES)):
        try:
            with engine.begin() as connection:
                _prepare(connection, cipher)
                return
        except OperationalError as error:
            if not isinstance(error.orig, LockNotAvailable):
                raise
            if not left:
                raise StorageError(f"the database cannot be used: {HELD}") from error
        time.sleep(AGAIN_S)


def _prepare(connection: sqlalchemy.Connection, cipher: Cipher) -> None:
    asked = AlchemyConnection(connection)
    asked.execute("SET LOCAL statement_timeout = 0")
    asked.execute(_LOCK, {"key": PREPARING})
    found, key_fits = _examined(asked, cipher)
    if found is Schema.FOREIGN:
        theirs = ", ".join(sorted(_names(asked) & OURS))
        raise StorageError(f"the database holds tables of others: {theirs}")
    if found is Schema.NEWER:
        raise StorageError("the database was written by a newer version of this program")
    if found is Schema.EMPTY:
        for statement in schema.statements({**schema.LOG, **schema.SHARED}):
            asked.execute(statement.replace("BLOB", "BYTEA"))
        for statement in schema.FIRST:
            asked.execute(statement, schema.first_rows(cipher.check))
    elif not key_fits:
        raise StorageError("the database was encrypted with another secret key")
    elif found is Schema.OLDER:
        from companion.storage.migrate import upgrade

        asked.execute(f"SET LOCAL lock_timeout = {LOCK_MS}")
        upgrade(connection, cipher)
