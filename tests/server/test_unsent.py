"""What waits for readers that take next to nothing is bounded, and gives way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gevent
import pytest
from gevent import socket as green

from companion.server import unsent
from companion.server.unsent import STUCK_S, Unsent
from companion.server.wsgi import Server
from companion.settings import Settings
from tests.server.test_connection import WHOLE, Application, until

KIB = 1024
LARGE = 4000 * KIB


class Reader:
    def __init__(self, who: str) -> None:
        self.who = who
        self.gone = False

    def hang_up(self) -> None:
        self.gone = True


def test_of_the_greediest_address_the_oldest_goes() -> None:
    held = Unsent(bytes_max=10)
    phone, *greedy = Reader("phone"), *(Reader("stranger") for _ in range(4))
    held.begin(phone, 2, now=0)
    for now, each in enumerate(greedy):
        held.begin(each, 3, now=now)
    assert [each.gone for each in greedy] == [True, True, False, False]
    assert not phone.gone


def test_what_was_taken_counts_no_more() -> None:
    held = Unsent(bytes_max=10)
    for _ in range(100):
        reader = Reader("phone")
        held.begin(reader, 6, now=0)
        held.end(reader)
        held.end(reader)
        assert not reader.gone


def test_who_has_waited_for_seconds_is_stuck() -> None:
    held, reader = Unsent(), Reader("phone")
    assert not held.is_stuck(reader, 100)
    held.begin(reader, 1, now=100)
    assert not held.is_stuck(reader, 100 + STUCK_S)
    assert held.is_stuck(reader, 100.1 + STUCK_S)
    held.end(reader)
    assert not held.is_stuck(reader, 200)


class Large(Application):
    def __call__(self, environ: dict[str, Any], start: Any) -> Any:
        if environ["PATH_INFO"] != "/large":
            return super().__call__(environ, start)
        start("200 OK", [("Content-Length", str(LARGE))])
        return [b"x" * LARGE]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    listener = green.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    settings = Settings(unread_kib=16, connections_per_address=100)
    one = Server(listener, Large(), settings, connections_max=20)
    one.unsent = Unsent(bytes_max=5 * LARGE)
    one.start()
    yield one
    one.end(1)


def call(server: Server, said: bytes, address: str) -> Any:
    line = green.create_connection(server.address, timeout=5, source_address=(address, 0))
    line.sendall(said)
    return line


ASKED = b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n"


def test_readers_that_take_nothing_have_so_much_and_no_more(server: Server) -> None:
    phone = call(server, ASKED, "127.0.0.9")
    lines = [call(server, ASKED, "127.0.0.5") for _ in range(12)]
    until(lambda: 1 < len(server.connections) < 7)
    got = 0
    with gevent.Timeout(10):
        while got < LARGE:  # who has fewer is served
            got += len(phone.recv(1 << 20))
    for line in (phone, *lines):
        line.close()
    until(lambda: not server.connections)
    assert server.unsent._by_address.total() == 0


def test_readers_that_take_nothing_give_way_to_who_comes(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unsent, "STUCK_S", 0.0)
    server.unsent = Unsent(bytes_max=100 * LARGE)
    waits = call(server, b"", "127.0.0.9")
    until(lambda: len(server.connections) == 1)
    lines = [call(server, ASKED, "127.0.0.5") for _ in range(14)]
    until(lambda: len(server.unsent._of) == 14)
    gevent.sleep(0.01)
    for _ in range(10):
        lines.append(call(server, WHOLE, "127.0.0.7"))
        assert lines[-1].recv(100).startswith(b"HTTP/1.1 200")
    until(lambda: len(server.connections) < 20)
    waits.sendall(WHOLE)  # nor has the one that waits had to go
    assert waits.recv(100).startswith(b"HTTP/1.1 200")
    for line in (waits, *lines):
        line.close()
