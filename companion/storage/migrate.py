"""Brings an older database up to date. Imported only when one is found: Alembic starts slowly."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

from companion.storage.seal import Seal


def config(engine: Engine, seal: Seal) -> Config:
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    found.attributes["engine"] = engine
    found.attributes["seal"] = seal
    return found


def upgrade(engine: Engine, seal: Seal) -> None:
    command.upgrade(config(engine, seal), "head")
