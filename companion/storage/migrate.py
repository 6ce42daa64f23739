"""Brings an older database up to date. Imported only when one is found: Alembic starts slowly."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from companion.storage.cipher import Cipher


def config(connection: Connection, cipher: Cipher) -> Config:
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    found.attributes["connection"] = connection
    found.attributes["cipher"] = cipher
    return found


def upgrade(connection: Connection, cipher: Cipher) -> None:
    """Within the connection's transaction, if it is in one; else in one of its own."""
    command.upgrade(config(connection, cipher), "head")


def upgrade_file(opened: sqlite3.Connection, cipher: Cipher) -> None:
    """In one transaction; sqlite3.Error where that fails."""
    engine = create_engine("sqlite://", creator=lambda: opened, poolclass=StaticPool)
    event.listen(engine, "begin", lambda begun: begun.exec_driver_sql("BEGIN IMMEDIATE"))
    try:
        with engine.connect() as connection:
            upgrade(connection, cipher)
    except DBAPIError as error:
        raise sqlite3.OperationalError(str(error.orig)) from error
