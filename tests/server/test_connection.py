"""What keeps the program going: connections that are slow, cut off, dead or too many; updates."""

from __future__ import annotations

import socket
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import gevent
import pytest
from flask import Flask, render_template
from gevent import socket as green
from gevent.event import Event

from companion.i18n import html_lang
from companion.languages import LOCALES
from companion.server.memory import load_templates
from companion.server.wsgi import Server
from companion.settings import Settings
from companion.web.answers.errors import TOO_SLOW
from companion.web.http.security import HEADERS
from companion.web.live.stream import ON_HANGUP
from tests.kit.circles import left_behind

Answer = list[bytes]


def until(there: Callable[[], bool]) -> None:
    with gevent.Timeout(5):
        while not there():
            gevent.sleep(0.01)


class Application:
    """Greets; reads what is sent; goes on for ever at /live."""

    def __init__(self) -> None:
        self.left = Event()
        self.waits = Event()
        self.broke = 0

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Any:
        if environ["PATH_INFO"] == "/live":
            environ[ON_HANGUP](self.left.set)
            start("200 OK", [("Content-Type", "text/event-stream")])
            return self.live() if environ["REQUEST_METHOD"] == "GET" else iter(())
        if environ["PATH_INFO"] == "/much":
            start("200 OK", [("Content-Type", "text/event-stream")])
            return iter(lambda: b"data: much\n\n" * 1000, b"")
        if environ["PATH_INFO"] == "/waits":
            self.waits.set()
            Event().wait()
        if environ["PATH_INFO"] == "/bug":
            raise ZeroDivisionError
        try:
            read = environ["wsgi.input"].read()
        except OSError:
            self.broke += 1
            start("408 Slow" if environ.get(TOO_SLOW) else "400 Cut", [("Content-Length", "0")])
            return [b""]
        start("200 OK", [("Content-Length", "5")])
        return [b"hello" if not read else read[:5]]

    def live(self) -> Iterator[bytes]:
        yield b"data: first\n\n"
        while not self.left.wait(60):
            yield b"data: beat\n\n"


@pytest.fixture
def application() -> Application:
    return Application()


@pytest.fixture
def servers(application: Application) -> Iterator[Callable[..., Server]]:
    made: list[Server] = []

    def make(**settings: Any) -> Server:
        listener = green.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        usual = {"streams_per_address": 1, "connections_per_address": 2}
        made.append(
            Server(listener, application, Settings(**usual | settings), connections_max=100)
        )
        made[-1].start()
        return made[-1]

    yield make
    application.left.set()
    for one in made:
        one.end(1)


@pytest.fixture
def server(servers) -> Server:
    return servers(head_s=1, body_s=1)


@pytest.fixture
def call(server: Server) -> Iterator[Callable[..., Any]]:
    lines = []

    def connect(said: bytes, to: Server = server, where: str = "127.0.0.1") -> Any:
        line = green.create_connection(to.address, timeout=5, source_address=(where, 0))
        lines.append(line)
        line.sendall(said)
        return line

    yield connect
    for line in lines:
        line.close()


def all_of(line: Any) -> bytes:
    """Until the other side closes."""
    text = b""
    with suppress(ConnectionError):
        while piece := line.recv(65536):
            text += piece
    return text


WHOLE = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nX: "
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: "


def test_what_the_end_does_not_wait_for_is_no_fault(
    server: Server, application: Application, call
) -> None:
    """As a deal that waits for numbers: the sender finds nobody, and asks again."""
    line = call(b"GET /waits HTTP/1.1\r\nHost: x\r\n\r\n")
    assert application.waits.wait(5)
    server.end(0)
    assert all_of(line) == b""


@pytest.mark.parametrize("said", [b"G", b"GET / HT", HALF])
def test_a_slow_head_is_no_fault(call, capfd, said: bytes) -> None:
    assert all_of(call(said)).startswith(b"HTTP/1.1 408 Request Timeout")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("head", [b"G" * 400, HALF + b"x" * 400])
def test_a_head_that_drips_has_its_time_as_a_whole(call, server, head: bytes) -> None:
    line = call(b"")

    def drip() -> None:
        with suppress(OSError):
            for byte in head:
                line.sendall(bytes([byte]))
                gevent.sleep(0.02)

    dripping = gevent.spawn(drip)
    gevent.sleep(0.1)
    (connection,) = server.connections
    assert line.recv(1000).startswith(b"HTTP/1.1 408")
    until(lambda: connection not in server.connections)
    dripping.kill()


def test_a_body_that_drips_has_its_time_as_a_whole(call, application) -> None:
    line = call(POST + b"1000\r\n\r\n")

    def drip() -> None:
        with suppress(OSError):
            for _ in range(400):
                line.sendall(b"x")
                gevent.sleep(0.02)

    dripping = gevent.spawn(drip)
    assert line.recv(1000).startswith(b"HTTP/1.1 408 Slow")
    dripping.kill()
    assert all_of(call(POST + b"2\r\n\r\nx")).startswith(b"HTTP/1.1 408 Slow")
    assert application.broke == 2
    assert call(POST + b"2\r\n\r\nok").recv(1000).endswith(b"ok")


def test_who_says_nothing_is_let_go(servers, call) -> None:
    quiet = servers(silent_s=1)
    assert all_of(call(b"", quiet)) == b""


def test_who_takes_nothing_is_let_go(servers, call) -> None:
    patient = servers(silent_s=1, unread_kib=16)
    line = call(b"GET /much HTTP/1.1\r\nHost: x\r\n\r\n", patient)
    gevent.sleep(0.2)
    assert len(patient.connections) == 1
    assert call(WHOLE, patient).recv(100).startswith(b"HTTP/1.1 200")  # nobody waits for it
    until(lambda: not patient.connections)
    assert line.recv(1)


def test_a_head_cut_off_is_no_fault(call, server, capfd) -> None:
    line = call(HALF)
    until(lambda: len(server.connections) == 1)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()  # resets it
    until(lambda: not server.connections)
    assert capfd.readouterr().err == ""


def test_one_address_has_so_many_connections(call, server) -> None:
    kept = [call(WHOLE) for _ in range(3)]
    assert all(line.recv(100).startswith(b"HTTP/1.1 200") for line in kept)
    refused = all_of(call(b""))
    assert refused.startswith(b"HTTP/1.1 429 Too Many Requests\r\n")
    assert b"\r\nRetry-After: 60\r\n" in refused
    assert call(WHOLE, where="127.0.0.2").recv(100).startswith(b"HTTP/1.1 200")
    kept[0].close()
    gevent.sleep(0.05)
    assert call(WHOLE).recv(100).startswith(b"HTTP/1.1 200")


def test_a_trusted_proxy_has_as_many_as_it_needs(servers, call) -> None:
    behind = servers(public_url="https://play.example.org", trusted_proxies="127.0.0.8/30")
    for where, most in (("127.0.0.9", 10), ("127.0.0.1", 3)):
        lines = [call(WHOLE, behind, where) for _ in range(10)]
        answers = [line.recv(12) for line in lines]
        assert answers == [b"HTTP/1.1 200"] * most + [b"HTTP/1.1 429"] * (10 - most)


@pytest.mark.parametrize(
    ("said", "status"),
    [
        (b"\x00\x01\xff\r\n\r\n", 400),
        (b"GET /\r\n\r\n", 400),  # HTTP/0.9
        (b"GET / HTTP/9.9\r\n\r\n", 400),
        (b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 500 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\nX: " + b"y" * 70_000 + b"\r\n\r\n", 431),
        (b"GET / HTTP/1.1\r\n" + b"X: %s\r\n" % (b"y" * 1000) * 17 + b"\r\n", 431),
        (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        (POST + b"-5\r\n\r\n", 400),
        (POST + b"+5\r\n\r\nhello", 400),
        (POST + b"0_5\r\n\r\nhello", 400),
        (POST + b"abc\r\n\r\n", 400),
        (POST + b"5\r\nContent-Length: 6\r\n\r\nhello", 400),
        (POST + b"5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        (POST + b"5\r\nTransfer-Encoding: x\r\n\r\nhello", 400),
    ],
)
def test_what_is_no_request_gets_a_page(call, said: bytes, status: int) -> None:
    answer = all_of(call(said))
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status)
    lines = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    assert HEADERS.items() <= lines.items()
    assert lines["Cache-Control"] == "no-store"
    assert lines["Connection"] == "close"
    assert len(body) == int(lines["Content-Length"])
    for locale in LOCALES:
        assert f'<p lang="{html_lang(locale)}">' in body.decode()


def test_a_bug_under_the_application_is_a_page(call, caplog) -> None:
    answer = all_of(call(b"GET /bug HTTP/1.1\r\nHost: x\r\n\r\n"))
    assert answer.startswith(b"HTTP/1.1 500 ")
    assert b"ZeroDivisionError" not in answer
    assert b'<p lang="fi">' in answer
    assert "an answer broke off" in caplog.text


@pytest.mark.parametrize("reset", [False, True])
def test_who_leaves_a_stream_is_not_waited_for(call, application, server, reset: bool) -> None:
    line = call(b"GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
    text = b""
    while b"first" not in text:
        text += line.recv(1000)
    assert not application.left.is_set()
    if reset:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()
    assert application.left.wait(2)
    until(lambda: not server.connections)


@pytest.mark.parametrize("path", [b"/", b"/live", b"/bug"])
def test_a_connection_that_has_ended_holds_nothing(call, server, path: bytes) -> None:
    with left_behind() as left:
        line = call(WHOLE.replace(b"/", path, 1))
        line.recv(1000)
        line.close()
        until(lambda: not server.connections)
    assert left == set()


def test_of_a_stream_the_request_is_forgotten_and_the_connection_goes_on(
    call, server, application
) -> None:
    line = call(b"GET /live HTTP/1.1\r\nHost: x\r\nCookie: device=secret\r\n\r\n")
    while b"first" not in line.recv(1000):
        pass
    (connection,) = server.connections
    forgotten = (connection.environ, connection.headers, connection.response_headers)
    assert not any(forgotten)
    application.left.set()
    while not line.recv(1000).endswith(b"0\r\n\r\n"):
        pass
    line.sendall(WHOLE)
    assert line.recv(1000).endswith(b"hello")


def test_after_the_head_of_a_stream_comes_the_next_answer(call) -> None:
    """And nothing between them, which a proxy would take for the beginning of that answer."""
    line = call(b"HEAD /live HTTP/1.1\r\nHost: x\r\n\r\n")
    said = line.recv(1000)
    assert said.startswith(b"HTTP/1.1 200")
    line.sendall(WHOLE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    said += all_of(line)
    _, answer = said.split(b"\r\n\r\n", 1)
    assert answer.startswith(b"HTTP/1.1 200")
    assert answer.endswith(b"hello")


def test_what_comes_while_a_stream_is_open_ends_nothing(call, application) -> None:
    line = call(b"GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
    line.recv(1000)
    line.sendall(WHOLE)
    gevent.sleep(0.1)
    assert not application.left.is_set()


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


# Who has come


def test_a_phone_that_asks_is_told_from_one_that_only_knocks(
    servers: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, ...]] = []
    server = servers()
    monkeypatch.setattr(server.addresses, "came", lambda *by: told.append(("came", *by)))
    monkeypatch.setattr(server.addresses, "knocked", lambda who: told.append(("knocked", who)))
    for said, from_ in ((b"", "127.0.0.5"), (b"GET / HTTP/1.0\r\n\r\n", "127.0.0.6")):
        line = green.create_connection(("127.0.0.1", server.server_port), source_address=(from_, 0))
        line.sendall(said)
        line.shutdown(socket.SHUT_WR)
        while line.recv(4096):
            pass
        line.close()
    until(lambda: not server.connections)
    assert told == [("knocked", "127.0.0.5"), ("came", "127.0.0.1", "127.0.0.6")]
