"""The tables of the database, and which of its versions this program can read.

A new database is made from here; the migrations bring an older one to the same (a test compares
them).
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

REVISIONS: Final = ("0001", "0002", "0003", "0004", "0005", "0006", "0007")
"""Oldest first; the last is what this program writes."""

HEAD: Final = REVISIONS[-1]

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(22), primary_key=True),
    Column("join_hash", String(64), nullable=False, unique=True),
    Column("code", String(8), nullable=False, unique=True),
    Column("version", Integer, nullable=False),
    Column("used_at", Float, nullable=False),  # seconds since the epoch
    Column("size", Integer),  # bytes that its events take, about; never null
    Index("tables_by_use", "used_at"),
)

events = Table(
    "events",
    metadata,
    Column("table_id", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("kind", String(32), nullable=False),
    Column("data", LargeBinary, nullable=False),  # JSON, sealed: see `seal`
    Column("request", String(64)),  # SHA-256 of device and request key
    Column("device", String(64), nullable=False),
    Column("at", Float, nullable=False),  # seconds since the epoch
    UniqueConstraint("table_id", "request", name="request_once"),
)

devices = Table(
    "devices",
    metadata,
    Column("device", String(64), primary_key=True),
    Column("table_id", String(22), ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
    Column("hosts", Boolean(create_constraint=False), nullable=False),
    Column("seated", Boolean(create_constraint=False), nullable=False),
    Index("devices_by_table", "table_id"),
)
"""Which device is at which table, for the way back there. Derived from the log."""

seal = Table(
    "seal",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key_check", LargeBinary, nullable=False),
    Column("swept", Boolean(create_constraint=False), nullable=False),
)
"""One row: which key the events are sealed with, and whether older plain text has been wiped."""

purge = Table(
    "purge",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),  # seconds since the epoch
)
"""One row: when unused tables were last looked for."""

tellings = Table(
    "tellings",
    metadata,
    Column("game", String(32), primary_key=True),
    Column("card", String(32), primary_key=True),
    Column("what", String(32), primary_key=True),
    Column("times", Integer, nullable=False),
)
"""What players have told of what is printed on their cards, and how often: of all tables, so no
table's deletion takes it away. It is no secret, and says nothing of anybody."""

standing = Table(
    "standing",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("key_hash", String(64), nullable=False, unique=True),
    Column("code", String(8), nullable=False, unique=True),
    Column("table_id", String(22), ForeignKey("tables.id", ondelete="SET NULL")),
)
"""Tables of a café, whose codes last: at which of `tables` they play there, or played last."""
common = MetaData()
"""What processes share beside the log, where there are several."""

notes = Table(
    "notes",
    common,
    Column("table_id", String(22), ForeignKey(tables.c.id, ondelete="CASCADE"), primary_key=True),
    Column("place", String(32), primary_key=True),
    Column("name", String(64), primary_key=True),
    Column("said", LargeBinary, nullable=False),  # sealed
)

offers = Table(
    "offers",
    common,
    Column("table_id", String(22), ForeignKey(tables.c.id, ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("key_hash", String(64), nullable=False, unique=True),
    Column("code_hash", String(64), nullable=False, unique=True),
    Column("device", String(64)),
    Column("expires_at", Float, nullable=False),  # seconds since the epoch
    Column("taken_by", String(64)),
)

alembic_version = Table(
    "alembic_version", metadata, Column("version_num", String(32), primary_key=True)
)
