"""The tables of the database, and which of its versions this program can read.

A new database is made from here; the migrations bring an older one to the same (a test compares
them). The statements are SQLite's; PostgreSQL has another name for a BLOB, and knows all else.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Final

REVISIONS: Final = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008")
"""Oldest first; the last is what this program writes."""

HEAD: Final = REVISIONS[-1]

LOG: Final[Mapping[str, tuple[str, ...]]] = {
    "tables": (
        """
        CREATE TABLE tables (
            id VARCHAR(22) NOT NULL PRIMARY KEY,
            join_hash VARCHAR(64) NOT NULL,
            code VARCHAR(8) NOT NULL,
            version INTEGER NOT NULL,
            used_at FLOAT NOT NULL, -- seconds since the epoch
            size INTEGER, -- bytes that its events take, about; never null
            UNIQUE (join_hash),
            UNIQUE (code)
        )""",
        "CREATE INDEX tables_by_use ON tables (used_at)",
    ),
    "events": (
        """
        CREATE TABLE events (
            table_id VARCHAR(22) NOT NULL,
            version INTEGER NOT NULL,
            kind VARCHAR(32) NOT NULL,
            data BLOB NOT NULL, -- JSON, encrypted: see `cipher`
            request VARCHAR(64), -- of device and request key: see `tables.keys`
            device VARCHAR(64) NOT NULL,
            at FLOAT NOT NULL, -- seconds since the epoch
            PRIMARY KEY (table_id, version),
            CONSTRAINT request_once UNIQUE (table_id, request),
            FOREIGN KEY (table_id) REFERENCES tables (id) ON DELETE CASCADE
        )""",
    ),
    # Which device is at which table, for the way back there. Derived from the log.
    "devices": (
        """
        CREATE TABLE devices (
            device VARCHAR(64) NOT NULL,
            table_id VARCHAR(22) NOT NULL,
            hosts BOOLEAN NOT NULL,
            seated BOOLEAN NOT NULL,
            PRIMARY KEY (device, table_id),
            FOREIGN KEY (table_id) REFERENCES tables (id) ON DELETE CASCADE
        )""",
        "CREATE INDEX devices_by_table ON devices (table_id)",
    ),
    # One row: which key the events are encrypted with, and whether older plain text has been wiped.
    "seal": (
        """
        CREATE TABLE seal (
            id INTEGER NOT NULL PRIMARY KEY,
            key_check BLOB NOT NULL,
            swept BOOLEAN NOT NULL
        )""",
    ),
    # One row: when unused tables were last looked for, in seconds since the epoch.
    "purge": ("CREATE TABLE purge (id INTEGER NOT NULL PRIMARY KEY, at FLOAT NOT NULL)",),
    # What players have told of what is printed on their cards, and how often: of all tables, so no
    # table's deletion takes it away. It is no secret, and says nothing of anybody.
    "tellings": (
        """
        CREATE TABLE tellings (
            game VARCHAR(32) NOT NULL,
            card VARCHAR(32) NOT NULL,
            what VARCHAR(32) NOT NULL,
            times INTEGER NOT NULL,
            PRIMARY KEY (game, card, what)
        )""",
    ),
    # Tables of a café, whose codes last: at which of `tables` they play there, or played last.
    "standing": (
        """
        CREATE TABLE standing (
            number INTEGER NOT NULL PRIMARY KEY,
            key_hash VARCHAR(64) NOT NULL,
            code VARCHAR(8) NOT NULL,
            table_id VARCHAR(22),
            UNIQUE (key_hash),
            UNIQUE (code),
            FOREIGN KEY (table_id) REFERENCES tables (id) ON DELETE SET NULL
        )""",
    ),
    # One row, which the migrations keep: the revision.
    "alembic_version": (
        "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY)",
    ),
}

SHARED: Final[Mapping[str, tuple[str, ...]]] = {
    "notes": (
        """
        CREATE TABLE notes (
            table_id VARCHAR(22) NOT NULL,
            place VARCHAR(32) NOT NULL,
            name VARCHAR(64) NOT NULL,
            said BLOB NOT NULL, -- encrypted
            PRIMARY KEY (table_id, place, name),
            FOREIGN KEY (table_id) REFERENCES tables (id) ON DELETE CASCADE
        )""",
    ),
    "offers": (
        """
        CREATE TABLE offers (
            table_id VARCHAR(22) NOT NULL,
            seat INTEGER NOT NULL, -- see `tables.offers.as_number`
            key_hash VARCHAR(64) NOT NULL,
            code_hash VARCHAR(64) NOT NULL,
            device VARCHAR(64),
            expires_at FLOAT NOT NULL, -- seconds since the epoch
            taken_by VARCHAR(64),
            PRIMARY KEY (table_id, seat),
            UNIQUE (key_hash),
            UNIQUE (code_hash),
            FOREIGN KEY (table_id) REFERENCES tables (id) ON DELETE CASCADE
        )""",
    ),
}
"""What processes share beside the log, where there are several."""

REVISION: Final = "SELECT version_num FROM alembic_version"

FIRST: Final = (
    "INSERT INTO alembic_version VALUES (:revision)",
    "INSERT INTO seal VALUES (1, :key_check, :swept)",
)
"""Rows of a new database."""


def first_rows(key_check: bytes) -> dict[str, object]:
    """What `FIRST` needs to know: in a new database nothing has ever lain in plain text."""
    return {"revision": HEAD, "key_check": key_check, "swept": True}


def columns() -> dict[str, tuple[str, ...]]:
    """Of each table of the log, in their order."""
    with closing(sqlite3.connect(":memory:")) as empty:
        for statement in statements(LOG):
            empty.execute(statement)
        return {
            table: tuple(row[1] for row in empty.execute(f"PRAGMA table_info({table})"))
            for table in LOG
        }


def statements(tables: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    for making in tables.values():
        yield from making
