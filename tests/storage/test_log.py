"""Every store keeps the same contract."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.storage.log import SqlLog
from companion.storage.postgres import PostgresLog
from companion.tables.common import Common
from companion.tables.log import EventLog
from tests.kit.services import Postgres
from tests.storage.common_contract import CommonContract
from tests.storage.contract import SECRET, Contract
from tests.storage.memory import MemoryLog


class TestSql(Contract):
    @pytest.fixture
    def log(self, tmp_path: Path) -> Iterator[EventLog]:
        log = SqlLog(tmp_path, SECRET)
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


class TestCommonInPostgres(CommonContract):
    @pytest.fixture
    def common(self, postgres: Postgres) -> Iterator[Common]:
        log = PostgresLog(postgres.fresh(), SECRET)
        yield log
        log.close()


class TestCommonInMemory(CommonContract):
    @pytest.fixture
    def common(self) -> Common:
        return MemoryLog()
