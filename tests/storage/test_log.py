"""Every store keeps the same contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.storage.postgres import PostgresLog
from companion.storage.sqlite_log import SqliteLog
from companion.tables.log import EventLog
from companion.tables.shared_store import SharedStore
from tests.kit.services import Postgres
from tests.storage.contract import SECRET, Contract
from tests.storage.memory import MemoryLog
from tests.storage.shared_contract import SharedContract


class TestSql(Contract):
    @pytest.fixture
    def log(self, tmp_path: Path) -> Iterator[EventLog]:
        log = SqliteLog(tmp_path, SECRET)
        yield log
        log.close()


class TestPostgres(Contract):
    @pytest.fixture
    def log(self, postgres: Postgres) -> Iterator[EventLog]:
        log = PostgresLog(postgres.fresh(), SECRET, used_every_s=0)
        yield log
        log.close()


class TestMemory(Contract):
    @pytest.fixture
    def log(self) -> EventLog:
        return MemoryLog()


class TestSharedInPostgres(SharedContract):
    @pytest.fixture
    def shared(self, postgres: Postgres) -> Iterator[SharedStore]:
        log = PostgresLog(postgres.fresh(), SECRET)
        yield log
        log.close()


class TestSharedInMemory(SharedContract):
    @pytest.fixture
    def shared(self) -> SharedStore:
        return MemoryLog()
