"""The log that settings speak of, for commands beside the server: in a folder, or in a database
that processes share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress

from companion.settings import Settings, needs_shared
from companion.storage.backup import taken
from companion.storage.folder import InUseError, hand_over
from companion.storage.inventory import read_only
from companion.storage.secret_key import secret_key
from companion.storage.sql import Connection, SqlEventLog
from companion.storage.sqlite_log import SqliteLog, refuse_keyless
from companion.tables.log import StorageError


@contextmanager
def open_log(settings: Settings, *, held: bool = False) -> Iterator[SqlEventLog]:
    """StorageError where it cannot be used. `held`: whoever asks has taken the folder for itself;
    else a server may be using it, and where none is, none can begin to meanwhile."""
    if settings.database:
        _needs_shared()
        from companion.storage.postgres import PostgresLog

        with closing(PostgresLog(settings.database, secret_key(settings))) as shared:
            yield shared
        return
    with ExitStack() as until_closed:
        if not held:
            with suppress(InUseError):
                until_closed.enter_context(taken(settings.data))
                held = True
        if not settings.secret_key:
            refuse_keyless(settings.data)
        until_closed.callback(lambda: hand_over(settings.data, settings.data.iterdir()))
        log = SqliteLog(settings.data, secret_key(settings), alone=held)
        yield until_closed.enter_context(closing(log))


@contextmanager
def open_read_only(settings: Settings) -> Iterator[Connection]:
    """A connection that only reads; StorageError where there is nothing that could be read."""
    if settings.database:
        _needs_shared()
        from companion.storage.postgres_state import read_only as read_only_there

        with read_only_there(settings.database) as connection:
            yield connection
        return
    with read_only(settings.data) as connection:
        yield connection


def refuse_missing(settings: Settings) -> None:
    """StorageError where there is nothing: else it would be made."""
    with open_read_only(settings):
        pass


def _needs_shared() -> None:
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise StorageError(needs_shared(error)) from error
