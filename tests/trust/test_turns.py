"""Turns go by address and by work: nobody is shut out by somebody who asks a lot."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from types import SimpleNamespace
from typing import Any

import greenlet
import pytest

from companion.web.http import runners, security
from companion.web.http.priority import (
    MEMORY_S,
    OWED_S,
    RECENT_S,
    SHARE,
    FairQueue,
    Ticket,
    Work,
    step_aside,
    waiting,
)
from companion.web.http.runners import Greenlets
from tests.kit.threads import Threads

KEY = "k" * 22
PLAYS = hashlib.sha256(KEY.encode()).hexdigest()


class Set:
    """A stopwatch that says what it is told; a clock that stands."""

    spent_s = 0.01
    now = 1000.0

    def start(self) -> None: ...

    def stop(self) -> float:
        return self.spent_s

    def after_others(self, then: Any) -> None:
        then()

    def __call__(self) -> float:
        return self.now


class House:
    """An application behind the queue, that answers when it may."""

    def __init__(self) -> None:
        self.time = Set()
        device_of = partial(security.device_of, public_url="")
        self.queue = FairQueue(
            self.answer, device_of, {PLAYS}.__contains__, 1000, self.time, self.time
        )
        self.inside: list[str] = []
        self.entered = threading.Semaphore(0)
        self.may: dict[str, threading.Event] = {}
        self.pool = ThreadPoolExecutor(60)
        self.do: Any = None

    def answer(self, environ: dict[str, Any], _start: Any) -> list[bytes]:
        who = environ["who"]
        self.inside.append(who)
        self.entered.release()
        if self.do is not None:
            self.do(who)
        assert self.may.setdefault(who, threading.Event()).wait(10)
        return [b""]

    def ask(self, who: str, address: str, cookie: str = "") -> Future[Any]:
        before = self.waiting_or_inside()
        environ = {"who": who, "REMOTE_ADDR": address, "HTTP_COOKIE": cookie}
        asked = self.pool.submit(self.queue, environ, None)
        until = time.monotonic() + 5
        while self.waiting_or_inside() == before and time.monotonic() < until:
            time.sleep(0.001)
        return asked

    def waiting_or_inside(self) -> int:
        return len(self.inside) + sum(map(len, self.queue._turns._waiting.values()))

    def let(self, who: str) -> None:
        self.may.setdefault(who, threading.Event()).set()

    def spent(self, seconds: float, address: str, device: str | None = None) -> None:
        """By who asks there, before; at least what is counted at once."""
        was, self.time.spent_s = self.time.spent_s, seconds
        self.queue.charge(Ticket(self.queue, address, device, device is not None), iter([b""]))
        self.time.spent_s = was

    def next(self) -> str:
        assert self.entered.acquire(timeout=10)
        return self.inside[-1]


@pytest.fixture
def house() -> Iterator[House]:
    made = House()
    yield made
    for number in range(60):
        made.let(f"{number}")
    made.pool.shutdown(cancel_futures=True)


def test_a_guest_waits_for_one_page_not_for_a_crowd(house: House) -> None:
    for number in range(30):
        house.ask(f"{number}", "198.51.100.1")
    assert house.next() == "0"
    house.ask("30", "198.51.100.2")
    house.let("0")
    assert house.next() == "30"
    house.ask("31", "198.51.100.3")
    house.let("30")
    assert house.next() == "31"
    house.let("31")
    assert house.next() == "1"


def test_who_has_cost_much_is_behind_who_has_cost_little(house: House) -> None:
    house.time.spent_s = 0.5
    for number, address in enumerate(("10.0.0.1", "10.0.0.1", "10.0.0.2")):
        house.let(f"{number}")
        house.ask(f"{number}", address).result(10)
        house.next()
    house.ask("3", "10.0.0.9")
    assert house.next() == "3"
    for number, address in ((4, "10.0.0.1"), (5, "10.0.0.2"), (6, "10.0.0.3")):
        house.ask(f"{number}", address)
    served = []
    for _ in range(3):
        house.let(house.inside[-1])
        served.append(house.next())
    assert served == ["6", "5", "4"]
    house.let("4")


def test_what_was_long_ago_is_forgotten() -> None:
    clock = Set()
    work = Work[str](clock)
    work.add("10.0.0.1", 1.0)
    assert work.of("10.0.0.1") == 1.0
    clock.now += MEMORY_S
    assert 0.3 < work.of("10.0.0.1") < 0.4
    assert work.others_than("10.0.0.2")
    clock.now += RECENT_S
    assert not work.others_than("10.0.0.2")


def test_players_come_first_when_others_ask(house: House) -> None:
    cookie = f"device={KEY}"
    house.ask("0", "10.0.0.1", cookie)
    house.ask("1", "10.0.0.1", cookie)
    assert house.inside == ["0", "1"]  # nobody else is there
    for number in range(2, 5):
        house.ask(f"{number}", "10.0.0.2")
    assert house.inside == ["0", "1", "2"]
    house.spent(OWED_S, "10.0.0.2")  # somebody else is there
    house.ask("5", "10.0.0.1", cookie)
    assert house.inside == ["0", "1", "2"]
    for _ in range(3):
        house.next()
    house.let("2")
    assert house.next() == "5"


def test_who_has_had_its_share_comes_after_others(house: House) -> None:
    cookie = f"device={KEY}"
    house.spent(SHARE * MEMORY_S * 5, "10.0.0.1", PLAYS)
    house.spent(OWED_S, "10.0.0.2")
    for number, address in enumerate(("10.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.2")):
        house.ask(f"{number}", address, cookie if address.endswith("1") else "")
    served = [house.next()]
    for _ in range(3):
        house.let(served[-1])
        served.append(house.next())
    assert served == ["0", "2", "3", "1"]


def test_who_does_not_play_is_not_shut_out_by_who_does(house: House) -> None:
    """Behind one router, with more to do than can be done: guests wait longer, but not for ever."""
    cookie = f"device={KEY}"
    house.spent(SHARE * MEMORY_S * 5, "10.0.0.1", PLAYS)
    house.spent(OWED_S, "10.0.0.2")  # others ask, too
    house.time.spent_s = SHARE * MEMORY_S
    for number in range(40):
        house.ask(f"{number}", "10.0.0.1", "" if number % 4 == 3 else cookie)
    guests = 0
    for _ in range(20):
        now = house.next()
        guests += int(now) % 4 == 3
        house.let(now)
    assert 2 <= guests <= 6


def test_one_name_for_the_cookie() -> None:
    """On plain HTTP nobody rides in the quick lane by a cookie that the application does not
    read."""
    forms = {
        f"device={KEY}": True,
        f"a=b; device={KEY}; c=d": True,
        f'device="{KEY}"': True,
        f"__Host-device={KEY}; device={'x' * 23}": False,
        f"__Host-device={KEY}": False,
        f"xdevice={KEY}": False,
        f"x device={KEY}": False,
        f"device={KEY}x": False,
    }
    for cookie, known in forms.items():
        plain = {"HTTP_COOKIE": cookie, "HTTP_HOST": "10.0.0.1"}
        assert (security.device_of(plain, "") == PLAYS) is known, cookie
        assert (security.device_of(plain, "https://play.example") == PLAYS) is known, cookie
    secure = {"HTTP_COOKIE": f"__Host-device={KEY}", "HTTP_HOST": "Play.Example"}
    assert security.device_of(secure, "https://play.example") == PLAYS
    assert security.device_of(secure, "http://play.example") is None
    plain = {"HTTP_COOKIE": f"device={KEY}", "HTTP_HOST": "play.example"}
    assert security.device_of(plain, "https://play.example") is None


def test_the_application_reads_the_same_cookie(club) -> None:
    host = club.phone()
    path = club.open(host)
    key = host.client.get_cookie("device").value
    stranger = club.app.test_client(use_cookies=False)
    for cookie in (f"device={key}", f"__Host-device={'x' * 22}; device={key}"):
        assert stranger.get(path, headers={"Cookie": cookie}).status_code == 200
    for cookie in (f"__Host-device={key}", f"device={key}x", f"device={key}; device={'x' * 22}x"):
        first = cookie.startswith(f"device={key};")
        assert stranger.get(path, headers={"Cookie": cookie}).status_code == (200 if first else 403)


def test_what_takes_long_steps_aside(house: House) -> None:
    aside = threading.Event()

    def do(who: str) -> None:
        if who == "0":
            assert aside.wait(10)
            for _ in range(3):
                step_aside()

    house.do = do
    house.ask("0", "10.0.0.1")
    house.ask("1", "10.0.0.2")
    assert house.inside == ["0"]
    aside.set()
    house.next()
    assert house.next() == "1"
    house.let("0")
    house.let("1")


def test_who_waits_for_the_disk_lets_the_next_go_on(house: House) -> None:
    written = threading.Event()

    def do(who: str) -> None:
        if who == "0":
            with waiting():
                assert written.wait(10)
            house.inside.append("0 again")
            house.entered.release()

    house.do = do
    first = house.ask("0", "10.0.0.1")
    house.next()
    second = house.ask("1", "10.0.0.2")
    assert house.next() == "1"
    written.set()
    time.sleep(0.05)
    assert "0 again" not in house.inside  # it is the other's turn
    house.let("1")
    assert house.next() == "0 again"
    house.let("0")
    assert first.result(10) == second.result(10) == [b""]


def test_a_fault_while_waiting_gives_the_turn_on(house: House) -> None:
    def do(who: str) -> None:
        if who == "0":
            with waiting():
                raise ZeroDivisionError

    house.do = do
    with pytest.raises(ZeroDivisionError):
        house.ask("0", "10.0.0.1").result(10)
    house.let("1")
    assert house.ask("1", "10.0.0.1").result(10) == [b""]


def test_work_is_told_apart_between_greenlets(monkeypatch: pytest.MonkeyPatch) -> None:
    import gevent

    now = [0.0]
    monkeypatch.setattr(runners, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    clock = Greenlets()
    try:
        spent = {}

        def work(name: str, times: int) -> None:
            clock.start()
            for _ in range(times):
                now[0] += 0.01
                gevent.sleep(0)
            spent[name] = clock.stop()

        gevent.joinall([gevent.spawn(work, "little", 2), gevent.spawn(work, "much", 10)])
    finally:
        greenlet.settrace(None)
    assert spent == pytest.approx({"little": 0.02, "much": 0.1})
    assert not clock._spent


def test_a_stream_s_work_counts(club, monkeypatch) -> None:
    host = club.phone()
    path = club.open(host)
    work, added = club.app.wsgi_app._work, []
    monkeypatch.setattr(Threads, "stop", lambda self: OWED_S * 0.4)
    answer = host.client.get(f"{path}/live", buffered=False)
    pieces = iter(answer.response)
    monkeypatch.setattr(work, "add", lambda who, spent_s: added.append((who, spent_s)))
    for already in (0, 0, 1, 1, 1, 2):
        assert next(pieces)
        assert added == [("127.0.0.1", pytest.approx(OWED_S * 1.2))] * already
    answer.close()
    assert club.hub.listening() == 0
