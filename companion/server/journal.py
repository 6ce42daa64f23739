"""What the log says of a process's life: how it began, what it found there, that it has ended.

Addresses of what processes share are told without the names and passwords that open them.
"""

from __future__ import annotations

import logging
from urllib.parse import urlsplit

from companion.build import build
from companion.settings import Settings

log = logging.getLogger("companion.server")


def began(settings: Settings, url: str, port: int, tables: int, processes: int) -> None:
    """`url`: where phones find it. `port`: that it listens on. `processes`: this one and those that
    serve from the same database."""
    if not log.isEnabledFor(logging.INFO):
        return  # without reading all files for the name of the build
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    log.info(
        "companion %s serves %s, listening on %s:%d, as %s, with %s from %s",
        build(),
        url,
        host,
        port,
        "the only process" if processes == 1 else f"one of {processes} processes",
        tables_in_words(tables),
        storage(settings),
    )


def recovered(tables: int) -> None:
    """The one that served from this folder before was killed, or its machine lost power."""
    log.info(
        "the server before this one did not end in order: %s found whole, to be read again when "
        "asked for",
        tables_in_words(tables),
    )


def ended(lived_s: float) -> None:
    log.info("companion %s has ended in order, after %d s", build(), lived_s)


def storage(settings: Settings) -> str:
    """Where tables are kept.

    >>> storage(Settings(database="postgresql://me:word@db.example/club", bus="redis://:word@bus"))
    'PostgreSQL at db.example/club and the bus at bus'
    """
    if not settings.database:
        return f"SQLite in {settings.data}"
    from sqlalchemy import make_url  # it is loaded already where there is such a database

    url = make_url(settings.database)
    port = f":{url.port}" if url.port else ""
    bus = urlsplit(settings.bus)
    bus_port = f":{bus.port}" if bus.port else ""
    return (
        f"PostgreSQL at {url.host or ''}{port}/{url.database or ''} "
        f"and the bus at {bus.hostname or ''}{bus_port}"
    )


def tables_in_words(tables: int) -> str:
    """
    >>> tables_in_words(1), tables_in_words(2)
    ('1 table', '2 tables')
    """
    return "1 table" if tables == 1 else f"{tables} tables"
