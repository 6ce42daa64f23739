"""Connections to PostgreSQL that are cut, or given up, when the database says nothing.

What a killed or frozen process holds is given up by the database after seconds. A database that
is there and says nothing, since it is frozen itself or its disk hangs, is given up here: what was
sent to it may still be done when it goes on, and is found then by its request key.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final

import psycopg
import sqlalchemy
from psycopg.pq import PipelineStatus
from sqlalchemy import CursorResult, Engine, ExceptionContext, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, OperationalError, SQLAlchemyError

from companion.tables.log import StorageError

APPLICATION: Final = "companion"
"""How the database knows who is connected: so, or so and a process's own name."""

WAIT_S: Final = 10
"""For a connection, and for an answer of the database."""

NO_ADDRESS: Final = (
    "the address of the database cannot be used: it is postgresql://user:password@host/name, and "
    "of the password all but letters and digits is percent-encoded"
)

SILENT_S: Final = WAIT_S + 2.0
"""For an answer that the database has not even refused, which it does after `WAIT_S`."""

OPTIONS: Final = " ".join(
    f"-c {name}={value}"
    for name, value in {
        "synchronous_commit": "on",  # what is told to be accepted is on the disk
        "statement_timeout": f"{WAIT_S}s",
        "idle_in_transaction_session_timeout": "5s",  # of a process that is frozen
        "timezone": "UTC",
    }.items()
)


class AlchemyConnection:
    """A connection of SQLAlchemy's as a `storage.sql.Connection`."""

    def __init__(self, connection: sqlalchemy.Connection) -> None:
        self._connection = connection

    def execute(self, statement: str, values: Mapping[str, Any] = {}, /) -> CursorResult[Any]:
        return self._connection.execute(_text(statement), values)

    def executemany(
        self, statement: str, values: Iterable[Mapping[str, Any]], /
    ) -> CursorResult[Any]:
        return self._connection.execute(_text(statement), list(values))


_text = lru_cache(sqlalchemy.text)


class SilentError(psycopg.OperationalError):
    """The database has not answered in `SILENT_S`."""


class Impatient(psycopg.Connection[Any]):
    """A connection that is closed when the database says nothing."""

    until = math.inf
    """When what is under way is to be done, by `time.monotonic`."""

    def wait(self, gen: Any, interval: float = 0.1, timeout: float | None = None) -> Any:
        began = time.monotonic()
        timeout = min(SILENT_S if timeout is None else timeout, max(0.0, self.until - began))
        try:
            return super().wait(gen, interval, timeout)
        except psycopg.OperationalError as error:
            if self.closed or time.monotonic() - began < timeout:
                raise
            self.pgconn.finish()
            raise SilentError("it does not answer") from error


@contextmanager
def at_most(connection: sqlalchemy.Connection) -> Iterator[None]:
    """All that is asked meanwhile takes no longer together than one answer may: each statement has
    its own time with the database."""
    driver = connection.connection.driver_connection
    assert isinstance(driver, Impatient)
    driver.until = time.monotonic() + SILENT_S
    try:
        yield
    finally:
        driver.until = math.inf


def engine_of(url: str, name: str, *, patient: bool = False, **kwargs: Any) -> Engine:
    """`patient`: an answer may take any time. StorageError where `url` is no address."""
    try:
        address = make_url(url).set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError):  # which may name a part of the password
        raise StorageError(NO_ADDRESS) from None
    if "@" in (address.host or ""):  # what stands before it is a part of the password
        raise StorageError(NO_ADDRESS)
    engine = create_engine(
        address,
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
    if not patient:
        event.listen(engine, "do_connect", lambda _, __, at, how: Impatient.connect(*at, **how))
    event.listen(engine, "handle_error", _give_up_if_stuck)
    return engine


def _give_up_if_stuck(context: ExceptionContext) -> None:
    """psycopg does not call a connection broken that broke amid several rows: it stays in pipeline
    mode, and takes nothing more."""
    if context.connection is not None:
        driver = context.connection.connection.driver_connection
        if driver is not None and driver.info.pipeline_status is not PipelineStatus.OFF:
            context.is_disconnect = True
            context.invalidate_pool_on_disconnect = False


def is_silent(error: OperationalError) -> bool:
    """Whether it was waited for as long as may be, by us or by the database itself, and not cut."""
    given_up = SilentError | psycopg.errors.ConnectionTimeout | psycopg.errors.QueryCanceled
    return isinstance(error.orig, given_up)


def why(error: SQLAlchemyError) -> str:
    """On one line, to go on from; what the libraries say has several."""
    said = error.orig if isinstance(error, DBAPIError) else error
    return " ".join(str(said).split()).rstrip(".?")


def unread(error: SQLAlchemyError) -> StorageError:
    return StorageError(f"the database cannot be read: {why(error)}")


def unwritten(error: SQLAlchemyError) -> StorageError:
    return StorageError(f"the database cannot be written: {why(error)}")
