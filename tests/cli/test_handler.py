"""What keeps the program going: connections that are slow, cut off, dead or too many; updates."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gevent
import pytest
from flask import Flask, render_template
from gevent import socket as green

from companion.cli import handler
from companion.cli.handler import Server
from companion.cli.server import load_templates


def hello(environ: dict[str, Any], start: Callable[..., Any]) -> list[bytes]:
    start("200 OK", [("Content-Length", "5")])
    return [b"hello"]


@pytest.fixture
def server() -> Iterator[Server]:
    listener = green.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    one = Server(listener, hello, connections_max=100, connections_per_address=3)
    one.start()
    yield one
    one.end(1)


@pytest.fixture
def call(server: Server) -> Iterator[Callable[[bytes], Any]]:
    lines = []

    def connect(said: bytes) -> Any:
        line = green.create_connection(server.address, timeout=5)
        lines.append(line)
        line.sendall(said)
        return line

    yield connect
    for line in lines:
        line.close()


WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nX: "


def test_a_slow_head_is_no_fault(call, monkeypatch, capfd) -> None:
    monkeypatch.setattr(handler, "HEAD_S", 0.1)
    assert call(HALF).recv(100).startswith(b"HTTP/1.1 400")
    assert capfd.readouterr().err == ""


def test_a_head_cut_off_is_no_fault(call, server, capfd) -> None:
    line = call(HALF)
    gevent.sleep(0.05)
    assert len(server.connections) == 1
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()  # resets it
    gevent.sleep(0.05)
    assert not server.connections
    assert capfd.readouterr().err == ""


def test_one_address_has_so_many_connections(call, server) -> None:
    kept = [call(WHOLE) for _ in range(3)]
    assert all(line.recv(100).startswith(b"HTTP/1.1 200") for line in kept)
    assert call(b"").recv(100) == b""
    kept[0].close()
    gevent.sleep(0.05)
    assert call(WHOLE).recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Linux has it")
def test_a_dead_line_is_noticed_soon(call, server) -> None:
    call(WHOLE).recv(100)
    (connection,) = server.connections
    waits_ms = connection.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
    assert waits_ms == 30_000
    assert connection.socket.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


def test_an_update_of_the_files_does_not_change_what_runs(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("old")
    app = Flask("x", template_folder=str(tmp_path))
    load_templates(app)
    page.write_text("{{ new() }}")
    with app.app_context():
        assert render_template("page.html") == "old"
