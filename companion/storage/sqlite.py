"""Connections to a SQLite file: what holds for each of them, and transactions."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

BUSY_S: Final = 5.0


def connect(path: Path, synchronous: str) -> sqlite3.Connection:
    """To an existing file. No transaction is begun but by `transaction`."""
    connection = sqlite3.connect(
        path, timeout=BUSY_S, isolation_level=None, check_same_thread=False
    )
    for pragma in (
        "journal_mode=WAL",
        f"synchronous={synchronous}",
        "fullfsync=ON",  # macOS: else a disk says that it has written and has not
        "foreign_keys=ON",
        "secure_delete=ON",
        "trusted_schema=OFF",
        "cache_size=-256",  # KiB: a table that is played at is in memory, and is read from there
    ):
        connection.execute(f"PRAGMA {pragma}")
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection, how: str = "IMMEDIATE") -> Iterator[None]:
    """Committed in the end, or rolled back after an error. `how`: DEFERRED to read only."""
    connection.execute(f"BEGIN {how}")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


@contextmanager
def savepoint(connection: sqlite3.Connection) -> Iterator[None]:
    """A part of a transaction, which alone is rolled back after an error."""
    connection.execute("SAVEPOINT part")
    done = False
    try:
        yield
        done = True
    finally:
        if connection.in_transaction:  # else a full disk has ended it
            if not done:
                connection.execute("ROLLBACK TO part")
            connection.execute("RELEASE part")


@contextmanager
def unwaiting(connection: sqlite3.Connection) -> Iterator[None]:
    """Meanwhile what somebody else has locked is not waited for."""
    connection.execute("PRAGMA busy_timeout = 0")
    try:
        yield
    finally:
        connection.execute(f"PRAGMA busy_timeout = {BUSY_S * 1000:.0f}")


class Readers:
    """As many connections as there are readers at once; those that nobody uses are kept."""

    def __init__(self, path: Path, synchronous: str) -> None:
        self._how = path, synchronous
        self._idle: deque[sqlite3.Connection] = deque()
        self._closed = False

    @contextmanager
    def one(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = connect(*self._how)
        try:
            yield connection
        finally:
            self._idle.append(connection)
            if self._closed:
                self.close()

    def close(self) -> None:
        """What is read now is read to its end."""
        self._closed = True
        while self._idle:
            self._idle.pop().close()
