"""Brings an older database up to date. Imported only when one is found: Alembic starts slowly."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine


def config(engine: Engine) -> Config:
    found = Config()
    found.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    found.attributes["engine"] = engine
    return found


def upgrade(engine: Engine) -> None:
    command.upgrade(config(engine), "head")
