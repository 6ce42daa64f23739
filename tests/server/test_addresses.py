"""The address that phones reach, and a port that is free."""

from __future__ import annotations

import socket

import pytest

from companion.server import addresses


def test_an_address_of_this_machine() -> None:
    found = addresses.lan_address()
    with socket.socket() as probe:
        probe.bind((found, 0))


def test_without_any_network(monkeypatch) -> None:
    def unreachable(*args: object) -> None:
        raise OSError("network is unreachable")

    class Dead(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError("network is unreachable")

    monkeypatch.setattr(addresses.socket, "socket", Dead)
    monkeypatch.setattr(addresses.socket, "getaddrinfo", unreachable)
    assert addresses.lan_address() == "127.0.0.1"


def test_only_the_name_helps(monkeypatch) -> None:
    class Dead(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError("network is unreachable")

    found = [(2, 1, 6, "", ("127.0.1.1", 0)), (2, 1, 6, "", ("192.168.7.7", 0))]
    monkeypatch.setattr(addresses.socket, "socket", Dead)
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda *args: found)
    assert addresses.lan_address() == "192.168.7.7"


@pytest.mark.parametrize(
    ("host", "url"),
    [("127.0.0.1", "http://127.0.0.1:80"), ("::1", "http://[::1]:80"), ("box", "http://box:80")],
)
def test_a_given_host_is_the_address(host: str, url: str) -> None:
    assert addresses.base_url(host, 80)() == url


def test_a_laptop_that_changes_networks(monkeypatch) -> None:
    found = iter(["192.168.1.2", "10.0.0.2"])
    now = [0.0]
    monkeypatch.setattr(addresses, "lan_address", lambda: next(found))
    monkeypatch.setattr(addresses.time, "monotonic", lambda: now[0])
    base = addresses.base_url("0.0.0.0", 8000)
    assert base() == base() == "http://192.168.1.2:8000"
    now[0] = 6.0
    assert base() == "http://10.0.0.2:8000"


def test_the_next_free_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with addresses.listen("127.0.0.1", port) as listener:
            assert port < listener.getsockname()[1] <= port + addresses.PORTS_TRIED
            assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_no_free_port(monkeypatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(addresses, "PORTS_TRIED", 0)
        with pytest.raises(OSError, match="in use"):
            addresses.listen("127.0.0.1", taken.getsockname()[1])
