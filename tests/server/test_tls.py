"""HTTPS without a proxy: the certificate, its change, secure cookies, and who comes without."""

from __future__ import annotations

import http.client
import logging
import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import gevent
import pytest
from gevent import socket as green
from gevent import ssl as green_ssl

from companion.server import addresses as on
from companion.server.addresses import Addresses
from companion.server.interfaces import Interface
from companion.server.tls import Tls
from companion.server.wsgi import Server
from companion.settings import Settings, SettingsError, read
from tests.kit.certificate import trusting, write
from tests.kit.server import SOON_S
from tests.kit.server import Server as Program
from tests.server.test_connection import Application

# The process as it is started


def test_a_server_with_a_certificate(tmp_path: Path) -> None:
    certificate, key = write(tmp_path)
    one = Program(tmp_path / "data", "--tls", str(certificate), str(key), public_url=None)
    one.launch()
    try:
        said = one.wait_for("Ctrl-C")
        assert f"Phones open https://127.0.0.1:{one.port}" in said
        line = http.client.HTTPSConnection(
            "127.0.0.1", one.port, timeout=20, context=trusting(certificate)
        )
        line.request("GET", "/")
        answer = line.getresponse()
        assert answer.status == 200
        cookie = answer.headers["Set-Cookie"]
        assert cookie.startswith("__Host-device=")
        assert "Secure" in cookie
        assert "Strict-Transport-Security" not in answer.headers  # this name may do without again
        line.close()
        plain = http.client.HTTPConnection("127.0.0.1", one.port, timeout=20)
        plain.request("GET", "/t/a-table?seat=2")
        led = plain.getresponse()
        assert (led.status, led.headers["Location"]) == (
            307,
            f"https://127.0.0.1:{one.port}/t/a-table?seat=2",
        )
        plain.close()
        assert one.end() < SOON_S
        assert one.errors() == ""
    finally:
        one.stop()


def test_a_pair_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "bad.pem").write_text("nothing")
    one = Program(tmp_path / "data", "--tls", str(tmp_path / "bad.pem"), str(tmp_path / "none.pem"))
    one.launch()
    assert one.ended() == 2
    assert one.errors().strip().count("\n") == 0
    assert "none.pem cannot be used" in one.errors()


# The files


def test_they_are_read_again_when_they_change(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    pair = write(tmp_path, "one.example", "*.example")
    tls = Tls(*pair)
    assert tls.names == ("one.example",)
    assert not tls.renew()
    write(tmp_path, "two.example")
    assert tls.renew()
    assert tls.names == ("two.example",)
    trusted = trusting(pair[0])
    with caplog.at_level(logging.WARNING):
        write(tmp_path, "three.example", key_too=False)
        assert not tls.renew()
    assert "stays as it was" in caplog.text
    shake_hands(tls, trusted)
    pair[0].unlink()
    assert not tls.renew()
    assert tls.names == ("two.example",)


def shake_hands(tls: Tls, trusted: ssl.SSLContext) -> None:
    ours, theirs = green.socketpair()
    served = gevent.spawn(tls.wrapped, ours)
    client = green_ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    client.load_verify_locations(cadata=ssl.DER_cert_to_PEM_cert(trusted.get_ca_certs(True)[0]))
    with client.wrap_socket(theirs, server_hostname="two.example") as line:
        assert line.version()
    served.get(timeout=SOON_S).close()


def test_a_key_of_another_certificate(tmp_path: Path) -> None:
    pair = write(tmp_path)
    write(tmp_path, key_too=False)
    with pytest.raises(SettingsError, match="do not belong together"):
        Tls(*pair)


def test_a_certificate_that_says_something_twice(tmp_path: Path) -> None:
    pair = write(tmp_path, "one.example")
    tls = Tls(*pair)
    write(tmp_path, "two.example", twice=True)
    assert not tls.renew()
    assert tls.names == ("one.example",)
    with pytest.raises(SettingsError, match="the certificate is not in order"):
        Tls(*pair)


def test_the_setting() -> None:
    assert read({}).tls_files is None
    assert read({"COMPANION_TLS": "/a.pem, /b.pem"}).tls_files == (Path("/a.pem"), Path("/b.pem"))
    with pytest.raises(SettingsError, match="COMPANION_TLS must be two files"):
        read({"COMPANION_TLS": "/a.pem"})


def test_names_of_the_certificate_that_lead_here_come_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = {"table.example": "192.168.1.2", "else.example": "192.0.2.9"}

    def resolved(name: str, _: None) -> list[tuple[int, int, int, str, tuple[str, int]]]:
        if name == "a..b":
            name.encode("idna")  # as Python does it
        if name not in known:
            raise socket.gaierror
        return [(2, 1, 6, "", (known[name], 0))]

    monkeypatch.setattr(on.socket, "getaddrinfo", resolved)
    here = Addresses(
        "::", 8443, "https", present=lambda: (Interface("wlan0", "192.168.1.2"),), ways_out=tuple
    )
    assert here.local == "https://127.0.0.1:8443"
    here.certify(("else.example", "table.example", "unknown.example", "a..b"))
    assert [way.url for way in here.network.ways] == [
        "https://table.example:8443",
        "https://192.168.1.2:8443",
    ]
    assert here.local == "https://table.example:8443"


# Connections


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Callable[..., tuple[Server, Path, Application]]]:
    made: list[Server] = []

    def make(**settings: int) -> tuple[Server, Path, Application]:
        pair, application = write(tmp_path), Application()
        listener = green.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        made.append(
            Server(listener, application, Settings(**settings), connections_max=100, tls=Tls(*pair))
        )
        made[-1].start()
        return made[-1], pair[0], application

    yield make
    for each in made:
        each.stop(timeout=1)


def connect(server: Server, certificate: Path) -> green_ssl.SSLSocket:
    plain = green.create_connection(("127.0.0.1", server.server_port))
    return trusting(certificate, green_ssl.SSLContext).wrap_socket(
        plain, server_hostname="127.0.0.1"
    )


@pytest.mark.parametrize("says_farewell", [True, False])
def test_who_leaves_a_stream_is_not_waited_for(server, says_farewell: bool) -> None:
    one, certificate, application = server()
    line = connect(one, certificate)
    line.sendall(b"GET /live HTTP/1.1\r\nHost: x\r\n\r\n")
    said = b""
    while b"data: first" not in said:
        said += line.recv(4096)
    if says_farewell:
        leaving = gevent.spawn(line.unwrap)
        assert application.left.wait(5)
        leaving.kill()
    line.close()
    assert application.left.wait(5)


def test_who_shakes_no_hands_shuts_nobody_out(server) -> None:
    """Where there are as many as there may be, one of them goes for each that comes."""
    one, certificate, _ = server()
    silent = []
    for number in range(120):
        where = (f"127.0.0.{2 + number % 4}", 0)
        silent.append(green.create_connection(("127.0.0.1", one.server_port), 5, where))
    with gevent.Timeout(5):
        while len(one.connections) < 80:
            gevent.sleep(0.01)
        line = connect(one, certificate)
        line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert line.recv(100).startswith(b"HTTP/1.1 200")
    for each in (line, *silent):
        each.close()


def test_who_shakes_no_hands_is_let_go(server) -> None:
    one, _, _ = server(unasked_s=1)
    for said in (b"", b"\x16\x03\x01", b"\x16" + b"x" * 100, b"no request at all\r\n\r\n"):
        line = green.create_connection(("127.0.0.1", one.server_port))
        line.sendall(said)
        with gevent.Timeout(10), suppress(ConnectionResetError):
            while line.recv(4096):
                pass
        line.close()
    assert one.connections == set()
