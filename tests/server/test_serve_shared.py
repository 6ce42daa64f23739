"""The program as one of several processes: how it begins and ends."""

from __future__ import annotations

import errno
import math
import re
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from companion.server import process as module
from companion.server.process import NotServing
from companion.settings import Settings
from companion.storage.postgres import PostgresLog
from tests.kit.phone import Phone
from tests.kit.server import SOON_S, Server, free_port
from tests.kit.services import Postgres, Redis
from tests.server.test_metrics import figures, played

SECRET = "a secret of the tests"


@pytest.fixture
def process(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    started: list[Server] = []

    def launch(**settings: str) -> Server:
        server = Server(tmp_path / "data", secret_key=SECRET, **settings)
        started.append(server)
        server.launch()
        return server

    yield launch
    for each in started:
        each.stop()


def test_it_needs_no_folder_and_ends_soon(
    process: Callable[..., Server], postgres: Postgres, redis: Redis
) -> None:
    server = process(database=postgres.fresh(), bus=redis.url)
    server.wait_for("Ctrl-C")
    assert not server.data.exists()
    assert server.end() < SOON_S
    assert server.errors() == ""


def test_the_log_tells_what_it_shares_and_no_password(
    process: Callable[..., Server], postgres: Postgres, redis: Redis
) -> None:
    database = urlsplit(postgres.fresh())
    passwords = database.password, urlsplit(redis.url).password
    assert all(passwords)
    kept = f"PostgreSQL at 127.0.0.1:{database.port}{database.path}"
    kept += f" and the bus at 127.0.0.1:{redis.port}"
    for which in ("the only process", "one of 2 processes"):
        server = process(database=database.geturl(), bus=redis.url, log_format="json")
        said = f"as {which}, with 0 tables from {kept}"
        server.until(lambda: said in server.errors(), "not said")  # noqa: B023 - called at once
    for password in passwords:
        assert password not in server.errors()


def test_it_listens_when_it_has_loaded_what_pages_need(
    postgres: Postgres, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From then on a proxy sends it phones, and those of another process at once."""
    done = []

    def listen(*_: object, **more: object) -> None:
        done.append("listens")
        raise OSError(errno.EADDRINUSE, "taken")

    monkeypatch.setattr(module, "load_templates", lambda _: done.append("loads"))
    monkeypatch.setattr(module, "listen", listen)
    shared = {"database": postgres.fresh(), "bus": redis.url, "secret_key": SECRET}
    with pytest.raises(NotServing, match="taken"):
        module.run(Settings(**shared), lambda _: None)
    assert done == ["loads", "listens"]


def test_a_clock_that_differs_from_the_database_s_is_said(
    postgres: Postgres,
    redis: Redis,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def taken(*_: object, **__: object) -> None:
        raise OSError(errno.EADDRINUSE, "taken")

    monkeypatch.setattr(module, "listen", taken)
    shared = {"database": postgres.fresh(), "bus": redis.url, "secret_key": SECRET}
    for ahead_s, said in ((None, 0), (0.5, 0), (-90.0, 1)):
        if ahead_s is not None:
            monkeypatch.setattr(PostgresLog, "ahead_s", lambda _, much=ahead_s: much)
        with pytest.raises(NotServing):
            module.run(Settings(**shared), lambda _: None)
        assert caplog.text.count("seconds behind that of this machine") == said


def test_without_a_bus_it_does_not_start(process: Callable[..., Server]) -> None:
    server = process(database=f"postgresql://127.0.0.1:{free_port()}/none")
    assert server.ended() == 2
    assert "needs a bus too" in server.errors()


def test_a_database_that_is_away_is_said(process: Callable[..., Server], redis: Redis) -> None:
    server = process(database=f"postgresql://127.0.0.1:{free_port()}/none", bus=redis.url)
    assert server.ended() == 1
    (said,) = server.errors().splitlines()
    assert said.startswith("companion: the database cannot be used: connection failed")
    assert not re.search(r"\W\.$|\s{2}", said), said


def test_a_bus_that_is_away_is_said_and_waited_for(
    process: Callable[..., Server], postgres: Postgres
) -> None:
    server = process(database=postgres.fresh(), bus=f"redis://127.0.0.1:{free_port()}")
    server.wait_for("Ctrl-C")
    server.until(lambda: "the bus is away" in server.errors(), "not said")
    assert server.end() < SOON_S


@pytest.fixture
def own() -> Iterator[tuple[Postgres, Redis]]:
    """That may be killed."""
    services = Postgres(), Redis()
    try:
        for each in services:
            each.start()
        yield services
    finally:
        for each in services:
            each.end()


def test_what_it_needs_is_watched(
    process: Callable[..., Server], own: tuple[Postgres, Redis]
) -> None:
    """While the bus is away, or the database, it is not ready and says which, and its figures are
    there all the same."""
    database, bus = own
    port = free_port()
    server = process(database=database.fresh(), bus=bus.url, metrics_port=str(port))
    server.wait_for("Ctrl-C")

    def is_ready(*, bus: bool, database: bool) -> bool:
        said = "" if database else "the database does not answer\n"
        said += "" if bus else "the bus does not answer\n"
        answer = Phone(server.port).get("/readyz")
        return (answer.status_code, answer.text) == ((503, said) if said else (200, "ready\n"))

    server.until(lambda: is_ready(bus=True, database=True), "it is not ready")
    played(server)
    of = figures(port)[1]
    assert of["companion_log_write_seconds_count", ""] >= 8
    assert of["companion_tables", ""] == 1
    server.until(
        lambda: 0 < figures(port)[1]["companion_bus_lag_seconds", ""] < 60, "nothing comes back"
    )
    database.pause()
    began = time.monotonic()
    assert math.isnan(figures(port)[1]["companion_tables", ""])
    assert time.monotonic() - began < 8, "Prometheus waits ten seconds"
    database.resume()
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(b"GET /t/a-key x y z HTTP/9.9\r\n\r\n")
        line.recv(1000)
    assert "a-key" not in server.errors()
    bus.kill()
    server.until(lambda: is_ready(bus=False, database=True), "the bus seems to answer")
    database.kill()
    server.until(lambda: is_ready(bus=False, database=False), "the database seems to answer")
    assert Phone(server.port).get("/healthz").status_code == 200
    of = figures(port)[1]
    assert math.isnan(of["companion_tables", ""])
    assert of["companion_reports_total", "start"] == 1
    for each in own:
        each.start()
    server.until(lambda: is_ready(bus=True, database=True), "it does not come back")


def test_a_database_that_hangs_keeps_back_only_who_needs_it(
    process: Callable[..., Server], own: tuple[Postgres, Redis]
) -> None:
    """Not one page that waits for it holds up all others; when it goes on, so do they."""
    database, bus = own
    server = process(database=database.fresh(), bus=bus.url)
    server.wait_for("Ctrl-C")
    evening = played(server)
    phones = [Phone(server.port) for _ in range(3)]
    database.pause()
    with ThreadPoolExecutor(5) as pool:
        waiting = [pool.submit(each.get, evening.path) for each in evening.phones[:3]]
        waiting += [pool.submit(each.get, "/readyz") for each in phones[:2]]
        time.sleep(0.5)
        assert not any(each.done() for each in waiting)
        assert phones[2].get("/healthz").status_code == 200
        assert phones[2].get("/privacy").status_code == 200
        assert not any(each.done() for each in waiting)
        database.resume()
        assert [each.result(SOON_S).status_code for each in waiting] == [200] * 5


@pytest.mark.parametrize(
    ("which", "address"),
    [
        ("bus", "redis://host:port"),
        ("bus", "redis://[::1"),
        ("bus", "redis://:secret/word@host:6379"),
        ("database", "postgresql://user:secret@host:secret/name"),
        ("database", "postgresql://user:pass@secret@127.0.0.1:1/name"),
        ("bus", "redis://127.0.0.1:1?secret=secret"),
        ("bus", "redis://127.0.0.1:1?cache_config=secret"),
        ("bus", "redis://127.0.0.1:1?maint_notifications_config=secret"),
        ("bus", "redis://127.0.0.1:1?socket_type=secret"),
    ],
)
def test_an_address_that_is_none(
    process: Callable[..., Server], which: str, address: str, redis: Redis
) -> None:
    """What stands in it may be a part of a password."""
    given = {"database": "postgresql://127.0.0.1:1/none", "bus": redis.url} | {which: address}
    server = process(**given)
    assert server.ended() == 1
    assert f"address of the {which} cannot be used" in server.errors()
    assert "percent-encoded" in server.errors()
    assert "secret" not in server.errors()
    assert "Traceback" not in server.errors()
