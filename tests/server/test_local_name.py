"""companion.local: told by multicast DNS on the loopback, and looked up again."""

from __future__ import annotations

import io
import json
import secrets
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import gevent
import pytest

from companion.server import mdns
from companion.server.local_name import AGAIN_S, LocalName, reached_at
from companion.web.view.network import Kind, Network, WayIn
from tests.kit.clock import Clock

HERE = ["127.0.0.1"]


def line(name: str, addresses: list[str]) -> str:
    return json.dumps({"name": name, "port": 8000, "addresses": addresses})


@pytest.fixture
def name() -> str:
    """That no other test tells at the same time."""
    return f"companion-{secrets.token_hex(4)}"


@pytest.fixture
def tell() -> Iterator[Callable[[str, list[str]], str]]:
    """What a process beside this one says that it is found by."""
    told: list[mdns.Announced] = []
    elsewhere = ThreadPoolExecutor(1)

    def tell(name: str, addresses: list[str]) -> str:
        # Another test's browser may have an event loop running in this thread.
        one = elsewhere.submit(mdns.announced, line(name, addresses)).result()
        if one is None:
            return ""
        told.append(one)
        return one.name

    yield tell
    for each in told:
        elsewhere.submit(each.end).result()
    elsewhere.shutdown()


@pytest.mark.slow
def test_a_name_is_told_and_found_and_a_second_instance_gets_another(
    tell: Callable[[str, list[str]], str], name: str
) -> None:
    assert tell(name, HERE) == f"{name}.local"
    assert tell(name, HERE) == f"{name}-2.local"


def test_a_network_that_does_not_carry_it(
    tell: Callable[[str, list[str]], str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**_: object) -> None:
        raise OSError("no such device")

    monkeypatch.setattr(mdns, "Zeroconf", refused)
    assert tell(name, HERE) == tell(name, []) == ""
    assert mdns.resolve(name, HERE) == set()


def test_what_cannot_be_told_leaves_nothing_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that goes while the name is asked for."""
    left = []

    class Gone:
        def __init__(self, **_: object) -> None:
            left.append(self)

        def close(self) -> None:
            left.remove(self)

    def unreachable(*_: object) -> None:
        raise OSError("network is unreachable")

    monkeypatch.setattr(mdns, "Zeroconf", Gone)
    monkeypatch.setattr(mdns, "addresses_of", unreachable)
    assert mdns.announced(line("box", HERE)) is None
    assert left == []


def test_a_name_that_does_not_resolve_is_not_shown(
    tell: Callable[[str, list[str]], str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mdns, "resolve", lambda *_: set())
    assert tell(name, HERE) == ""


def test_line_by_line_until_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []

    class Quick:
        def __init__(self, name: str, _: int, __: list[str]) -> None:
            self.name = f"{name}.local"

        def end(self) -> None:
            ended.append(self.name)

    monkeypatch.setattr(mdns, "Announced", Quick)
    out = io.StringIO()
    mdns.main(io.StringIO("\n".join((line("a", HERE), line("b", []), line("c", HERE)))), out)
    assert out.getvalue() == "a.local\n\nc.local\n"
    assert ended == ["a.local", "c.local"]


# The process that serves


ECHO = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    print(asked["name"] + ".local" if asked["addresses"] else "", flush=True)
"""


def network(*ways: tuple[str, Kind]) -> Network:
    return Network(tuple(WayIn(f"http://{host}:8000", kind) for host, kind in ways))


def shows(name: LocalName, wanted: str) -> bool:
    with gevent.Timeout(20, False):
        while name.name != wanted:
            gevent.sleep(0.01)
    return name.name == wanted


def test_it_is_told_for_addresses_that_phones_can_be_in() -> None:
    found = network(("192.168.1.2", Kind.WIFI), ("[fd00::2]", Kind.WIFI), ("10.8.0.2", Kind.VPN))
    assert reached_at(found) == ["192.168.1.2"]
    assert reached_at(network(("127.0.0.1", Kind.LOOPBACK))) == []


def test_it_follows_the_network() -> None:
    name = LocalName("box", 8000, (sys.executable, "-c", ECHO))
    name.tell(network(("127.0.0.1", Kind.LOOPBACK)))
    assert not name.awaits  # nothing to tell, and nothing is started for it
    name.tell(network(("192.168.1.2", Kind.WIFI)))
    assert shows(name, "box.local")
    name.tell(network(("127.0.0.1", Kind.LOOPBACK)))
    assert shows(name, "")
    name.tell(network(("10.0.0.2", Kind.WIFI)))
    assert shows(name, "box.local")
    name.end()
    assert shows(name, "")


SECOND_TRY = """
import sys
for number, line in enumerate(sys.stdin):
    print("box.local" if number == 1 else "", flush=True)
"""


def answers(name: LocalName) -> bool:
    """Or has ended without an answer."""
    with gevent.Timeout(20, False):
        while name.awaits:
            gevent.sleep(0.01)
    return not name.awaits


def test_it_is_told_again_where_nobody_has_found_it() -> None:
    """The network may carry it a moment later."""
    clock = Clock()
    name = LocalName("box", 8000, (sys.executable, "-c", SECOND_TRY), clock)
    wifi = network(("192.168.1.2", Kind.WIFI))
    for _ in range(3):
        name.tell(wifi)
        assert answers(name)
    clock.now += AGAIN_S
    name.tell(wifi)
    assert shows(name, "box.local")
    clock.now += AGAIN_S
    name.tell(wifi)  # it is told already
    gevent.sleep(0.1)
    assert name.name == "box.local"
    name.end()


def test_what_tells_it_is_started_again_where_it_has_ended() -> None:
    clock = Clock()
    command = [sys.executable, "-c", ""]
    name = LocalName("box", 8000, command, clock)
    wifi = network(("192.168.1.2", Kind.WIFI))
    name.tell(wifi)
    assert answers(name)
    name._process.wait(20)  # its end is known a moment after that of its answers
    command[-1] = ECHO
    name.tell(wifi)  # not at once
    assert name._process.poll() is not None
    clock.now += AGAIN_S
    name.tell(wifi)
    assert shows(name, "box.local")
    name.end()


ON_A_SIGN = """
import json, pathlib, sys, time
for line in sys.stdin:
    (address,) = json.loads(line)["addresses"]
    while not pathlib.Path(sys.argv[1], address).exists():
        time.sleep(0.01)
    print(f"box-{address}.local", flush=True)
"""


def test_an_answer_for_the_addresses_before_is_none_for_those_of_now(tmp_path: Path) -> None:
    """A name may be found in the network that the machine has just left."""
    name = LocalName("box", 8000, (sys.executable, "-c", ON_A_SIGN, str(tmp_path)))
    heard: list[tuple[str, bool]] = []
    for address in ("192.168.1.2", "192.168.7.7"):
        name.tell(network((address, Kind.WIFI)))
    (tmp_path / "192.168.1.2").touch()
    with gevent.Timeout(0.5, False):
        while True:
            heard.append((name.name, name.awaits))
            gevent.sleep(0.01)
    assert set(heard) == {("", True)}
    (tmp_path / "192.168.7.7").touch()
    assert shows(name, "box-192.168.7.7.local")
    assert not name.awaits
    name.end()


@pytest.mark.parametrize("command", [("no-such-command-here",), (sys.executable, "-c", "")])
def test_without_it_there_is_no_error(command: tuple[str, ...]) -> None:
    name = LocalName("box", 8000, command)
    name.tell(network(("192.168.1.2", Kind.WIFI)))
    name.tell(network(("192.168.1.3", Kind.WIFI)))
    assert name.name == ""
    name.end()
