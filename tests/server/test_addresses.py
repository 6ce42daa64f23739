"""The addresses that phones reach, and a port that is free."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest

from companion.server import addresses, interfaces, surroundings
from companion.server.addresses import Addresses
from companion.server.interfaces import Interface
from companion.web.view.network import Kind, Sign
from tests.server.machines import MACHINES

PORT = 8000


class Machine:
    """One whose interfaces change."""

    def __init__(self, *present: tuple[str, ...], out: str = "") -> None:
        self.now, self.out = present, out
        self.addresses = Addresses("::", PORT, present=self._present, ways_out=self._ways_out)

    def _present(self) -> tuple[Interface, ...]:
        return tuple(Interface(*each) for each in self.now)

    def _ways_out(self) -> tuple[str, ...]:
        return (self.out,) if self.out else ()

    @property
    def shown(self) -> list[str]:
        """Hosts, best first."""
        return [way.address.removesuffix(f":{PORT}") for way in self.addresses.network.ways]

    @property
    def signs(self) -> set[Sign]:
        return set(self.addresses.network.signs)


WIFI, VPN, DOCKER = ("wlan0", "192.168.1.2"), ("tun0", "10.8.0.2"), ("docker0", "172.17.0.1")


def test_the_first_address_is_one_that_phones_reach() -> None:
    wrong = []
    for name, present, out, reached in MACHINES:
        machine = Machine(*present, out=out)
        if machine.shown[0].strip("[]") != reached:
            wrong.append((name, machine.shown))
    assert len(MACHINES) >= 20
    assert not wrong


def test_the_others_are_named() -> None:
    machine = Machine(DOCKER, VPN, WIFI, ("wlan0", "fe80::2"), ("lo", "127.0.0.1"), out="10.8.0.2")
    assert [way.kind for way in machine.addresses.network.ways] == [
        Kind.WIFI,
        Kind.VIRTUAL,
        Kind.VPN,
    ]
    assert machine.signs == {Sign.VPN}


def test_an_address_by_which_a_phone_has_come_stays() -> None:
    machine = Machine(WIFI, ("eth0", "10.0.0.2"), out="192.168.1.2")
    machine.addresses.came("::ffff:10.0.0.2", "::ffff:10.0.0.77")
    assert machine.addresses.look()
    assert machine.shown == ["10.0.0.2", "192.168.1.2"]
    machine.addresses.came("192.168.1.2", "192.168.1.99")
    machine.addresses.look()
    assert machine.shown == ["10.0.0.2", "192.168.1.2"]
    assert all(way.proved for way in machine.addresses.network.ways)
    machine.now = (WIFI,)
    assert machine.addresses.look()
    assert machine.shown == ["192.168.1.2"]


@pytest.mark.parametrize("other", [VPN, DOCKER, ("wlan0", "fd00::2")])
def test_one_who_comes_by_another_way_does_not_lead_all_others_there(
    other: tuple[str, str],
) -> None:
    """Such as a program that watches over this one, or a phone with IPv6 where others have none."""
    machine = Machine(WIFI, other)
    machine.addresses.came(other[1], "fd00::99" if ":" in other[1] else "172.17.0.9")
    machine.addresses.look()
    assert machine.shown[0] == "192.168.1.2"


def test_most_phones_prove_most() -> None:
    machine = Machine(WIFI, ("eth0", "10.0.0.2"))
    machine.addresses.came("10.0.0.2", "10.0.0.77")
    for phone in (50, 51):
        machine.addresses.came("192.168.1.2", f"192.168.1.{phone}")
    machine.addresses.look()
    assert machine.shown[0] == "192.168.1.2"


@pytest.mark.parametrize("remote", ["192.168.1.2", "127.0.0.1", "::1", "172.17.0.1"])
def test_this_machine_itself_proves_nothing(remote: str) -> None:
    machine = Machine(WIFI, DOCKER)
    machine.addresses.came("172.17.0.1", remote)
    assert not machine.addresses.look()


def test_a_laptop_that_changes_networks() -> None:
    machine = Machine(WIFI)
    assert not machine.addresses.look()
    machine.now = (("wlan0", "10.0.0.2"),)
    assert machine.addresses.look()
    assert machine.shown == ["10.0.0.2"]
    machine.now = ()
    assert machine.addresses.look()
    assert machine.shown == ["127.0.0.1"]
    assert machine.signs == {Sign.NO_NETWORK}


def test_a_phone_that_opens_a_connection_and_sends_nothing() -> None:
    machine = Machine(WIFI)
    machine.addresses.knocked("192.168.1.50")
    machine.addresses.look()
    assert machine.signs == {Sign.HALF}
    machine.addresses.came("192.168.1.2", "192.168.1.50")
    machine.addresses.look()
    assert machine.signs == set()
    machine.addresses.knocked("192.168.1.50")  # a browser opens some in advance
    machine.addresses.look()
    assert machine.signs == set()


def test_what_only_knocks_is_forgotten_once_any_phone_comes() -> None:
    """Such as what looks for open ports: it never comes back."""
    machine = Machine(WIFI)
    machine.addresses.knocked("192.168.1.99")
    machine.addresses.came("192.168.1.2", "192.168.1.50")
    machine.addresses.look()
    assert machine.signs == set()


def test_a_public_address() -> None:
    assert Machine(("eth0", "8.8.4.4")).signs == {Sign.PUBLIC}


def test_a_name_stands_behind_the_best_address() -> None:
    machine = Machine(WIFI, VPN)
    machine.addresses.names = ("companion.local",)
    machine.addresses.look()
    assert machine.shown == ["192.168.1.2", "companion.local", "10.8.0.2"]


@pytest.mark.parametrize(
    ("host", "url"),
    [("127.0.0.1", "http://127.0.0.1:80"), ("::1", "http://[::1]:80"), ("box", "http://box:80")],
)
def test_a_given_host_is_the_address(host: str, url: str) -> None:
    network = Addresses(host, 80).network
    assert [way.url for way in network.ways] == [url]
    assert (Sign.ONLY_HERE in network.signs) == (host != "box")


def test_the_addresses_of_this_machine() -> None:
    found = interfaces.present()
    assert "127.0.0.1" in [each.address for each in found]
    for each in found:
        if each.ip.version == 4:
            with socket.socket() as probe:
                probe.bind((each.address, 0))
    assert set(interfaces.ways_out()) <= {each.address for each in found}


def test_a_system_that_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> Any:
        raise OSError("not permitted")

    class Dead(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError("network is unreachable")

    monkeypatch.setattr(interfaces.ifaddr, "get_adapters", refused)
    monkeypatch.setattr(interfaces.socket, "socket", Dead)
    assert (interfaces.present(), interfaces.ways_out()) == ((), ())


def test_what_ifaddr_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    import ifaddr

    ips = [ifaddr.IP("192.168.1.2", 24, "Wi-Fi"), ifaddr.IP(("fe80::2%4", 0, 4), 64, "Wi-Fi")]
    told = [ifaddr.Adapter(b"{1}", "Wi-Fi", ips)]
    monkeypatch.setattr(interfaces.ifaddr, "get_adapters", lambda: told)
    assert interfaces.present() == (
        Interface("{1}", "192.168.1.2", "Wi-Fi", 24),
        Interface("{1}", "fe80::2", "Wi-Fi", 64),
    )


# What keeps phones away


def says(**answers: str) -> Callable[..., str]:
    """Commands that print so."""
    return lambda *command: answers.get(command[0].rpartition("/")[2].replace("-", "_"), "")


@pytest.mark.parametrize(
    ("system", "answers", "filters"),
    [
        ("windows", {"reg": "    EnableFirewall    REG_DWORD    0x1\r\n"}, "netsh"),
        ("windows", {"reg": "    EnableFirewall    REG_DWORD    0x0\r\n"}, ""),
        ("macos", {"socketfilterfw": "Firewall is enabled. (State = 1)"}, "socketfilterfw"),
        ("macos", {"socketfilterfw": "Firewall is disabled. (State = 0)"}, ""),
        ("linux", {"firewall_cmd": "running\n"}, "firewalld"),
        ("linux", {}, ""),
        ("android", {}, ""),
    ],
)
def test_firewalls(tmp_path: Any, system: str, answers: dict[str, str], filters: str) -> None:
    assert surroundings.firewall(system, says(**answers), tmp_path) == filters


def test_ufw(tmp_path: Any) -> None:
    (tmp_path / "etc/ufw").mkdir(parents=True)
    for enabled, filters in (("yes", "ufw"), ("no", "")):
        (tmp_path / "etc/ufw/ufw.conf").write_text(f"# /etc\nENABLED={enabled}\nLOGLEVEL=low\n")
        assert surroundings.firewall("linux", says(), tmp_path) == filters


@pytest.mark.parametrize(
    ("system", "answers"),
    [
        ("windows", {"netsh": "    State  : connected\n    SSID   : Hotel Guest\n    BSSID  : 00"}),
        ("macos", {"networksetup": "Current Wi-Fi Network: Hotel Guest\n"}),
        ("linux", {"nmcli": "no:Home\nyes:Hotel Guest\n"}),
        ("linux", {"iwgetid": "Hotel Guest\n"}),
    ],
)
def test_the_name_of_the_wifi(system: str, answers: dict[str, str]) -> None:
    name = surroundings.wifi_name(system, says(**answers))
    assert name == "Hotel Guest"
    assert surroundings.GUEST.search(name)


def test_a_command_that_is_missing_or_fails() -> None:
    assert surroundings.run("no-such-command-here") == ""
    assert surroundings.run("false") == ""


def test_inside_a_container(tmp_path: Any) -> None:
    assert not surroundings.inside(tmp_path, {})
    assert surroundings.inside(tmp_path, {"WSL_DISTRO_NAME": "Debian"})
    (tmp_path / ".dockerenv").touch()
    assert surroundings.inside(tmp_path, {})


# The port


def test_the_next_free_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with addresses.listen("127.0.0.1", port) as listener:
            assert port < listener.getsockname()[1] <= port + addresses.PORTS_TRIED
            assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_no_free_port(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        monkeypatch.setattr(addresses, "PORTS_TRIED", 0)
        with pytest.raises(OSError, match="in use"):
            addresses.listen("127.0.0.1", taken.getsockname()[1])


@pytest.mark.parametrize("both", [True, False])
def test_everywhere(monkeypatch: pytest.MonkeyPatch, both: bool) -> None:
    """Of IPv4 and IPv6, or of IPv4 where the system has no other."""
    both = both and socket.has_dualstack_ipv6()
    monkeypatch.setattr(addresses.socket, "has_dualstack_ipv6", lambda: both)
    with addresses.listen("::", 0) as listener:
        assert (listener.family == socket.AF_INET6) == both
        port = listener.getsockname()[1]
        for host in ("127.0.0.1", "::1") if both else ("127.0.0.1",):
            socket.create_connection((host, port)).close()
