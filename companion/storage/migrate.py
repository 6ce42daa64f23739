"""Brings an older database up to date. Imported only when one is found: Alembic starts slowly."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from companion.storage.seal import Seal


def config(connection: Connection, seal: Seal) -> Config:
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    found.attributes["connection"] = connection
    found.attributes["seal"] = seal
    return found


def upgrade(connection: Connection, seal: Seal) -> None:
    """Within the connection's transaction, if it is in one; else in one of its own."""
    command.upgrade(config(connection, seal), "head")
