"""Processes behind nginx, brought up to date one after the other while phones play. The longer run,
which also says for how long phones are out of touch, is `make rolling`."""

from pathlib import Path

import psycopg
import pytest

from tests.durability.rolling import played
from tests.durability.server import END_WAIT_S
from tests.kit import newer
from tests.kit.nginx import behind_nginx
from tests.kit.services import Postgres, Redis


@pytest.mark.slow
def test_while_all_processes_become_newer_nothing_is_refused(
    tmp_path: Path, postgres: Postgres, redis: Redis
) -> None:
    """The first that is new changes the database; the old one beside it plays on."""
    with behind_nginx(tmp_path, postgres, redis, end_wait_s=str(END_WAIT_S)) as behind:
        for server in behind.servers:
            server.command = newer.COMMAND
        found = played(behind, times=1, seed=5)
    assert found.restarts == 2
    assert found.refused == []
    assert found.plays > 0
    assert found.moves >= 7  # the host's page and six phones'; all went from one process at least
    with psycopg.connect(behind.database) as connection:
        assert connection.execute("SELECT colour FROM tables").fetchall() == [("green",)]
