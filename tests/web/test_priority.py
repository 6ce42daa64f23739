"""Strangers wait for each other; who plays does not wait for them."""

from __future__ import annotations

import hashlib
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from companion.web.http import security
from companion.web.http.priority import AT_ONCE, FairQueue
from tests.kit.threads import Threads

KEY = "k" * 22

device_of = partial(security.device_of, public_url="")
DEVICE = hashlib.sha256(KEY.encode()).hexdigest()


class Gate:
    """An application that answers when it may."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self.inside: list[str] = []
        self.entered = threading.Semaphore(0)

    def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        self.inside.append(environ.get("HTTP_COOKIE", ""))
        self.entered.release()
        assert self.open.wait(10)
        return [b""]


@pytest.fixture
def gate() -> Gate:
    return Gate()


def ask(pool: ThreadPoolExecutor, queue: FairQueue, cookie: str, times: int) -> list[Any]:
    return [pool.submit(queue, {"HTTP_COOKIE": cookie}, None) for _ in range(times)]


@pytest.mark.parametrize("cookie", ["", "device=x", f"device={'s' * 22}", f"xdevice={KEY}"])
def test_who_plays_is_served_before_strangers(gate: Gate, cookie: str) -> None:
    queue = FairQueue(gate, device_of, {DEVICE}.__contains__, 1000, Threads())
    with ThreadPoolExecutor(20) as pool:
        asked = ask(pool, queue, cookie, 5)
        assert gate.entered.acquire(timeout=10)
        asked += ask(pool, queue, f"a=b; device={KEY}", 1)
        asked += ask(pool, queue, f"device={KEY}; a=b", 1)
        assert gate.entered.acquire(timeout=10)
        assert gate.entered.acquire(timeout=10)
        assert not gate.entered.acquire(timeout=0.1)
        assert gate.inside.count(cookie) == 1
        gate.open.set()
        assert [each.result(10) for each in asked] == [[b""]] * 7


def test_one_device_has_only_so_much_of_it(gate: Gate) -> None:
    queue = FairQueue(gate, device_of, {DEVICE}.__contains__, 1000, Threads())
    with ThreadPoolExecutor(20) as pool:
        asked = ask(pool, queue, f"device={KEY}", AT_ONCE + 5)
        for _ in range(AT_ONCE + 1):  # and one as a stranger
            assert gate.entered.acquire(timeout=10)
        assert not gate.entered.acquire(timeout=0.1)
        gate.open.set()
        assert [each.result(10) for each in asked] == [[b""]] * (AT_ONCE + 5)


class Slow:
    """A body that does not come."""

    def __init__(self) -> None:
        self.come = threading.Event()

    def read(self, length: int) -> bytes:
        assert self.come.wait(10)
        raise TimeoutError


def test_a_form_that_does_not_come_keeps_nobody_waiting(gate: Gate) -> None:
    queue, slow = FairQueue(gate, device_of, {DEVICE}.__contains__, 1000, Threads()), Slow()
    gate.open.set()
    with ThreadPoolExecutor(20) as pool:
        environ = {"CONTENT_LENGTH": "5", "wsgi.input": slow}
        waiting = pool.submit(queue, environ, None)
        assert all(each.result(5) == [b""] for each in ask(pool, queue, "", 3))
        assert not waiting.done()
        slow.come.set()
        assert waiting.result(5) == [b""]
        assert environ["wsgi.input"] is slow


def test_a_fault_gives_the_turn_on() -> None:
    def fails(environ: dict[str, Any], start_response: Any) -> None:
        raise ZeroDivisionError

    queue = FairQueue(fails, device_of, {DEVICE}.__contains__, 1000, Threads())
    for cookie in ("", "", f"device={KEY}", f"device={KEY}"):
        with pytest.raises(ZeroDivisionError):
            queue({"HTTP_COOKIE": cookie}, None)


def test_a_phone_is_quick_at_a_table_that_plays(seated) -> None:
    club, host, path, phones = seated
    plays = club.app.extensions["companion"].arrivals.plays

    def quick() -> list[bool]:
        found = []
        for phone in (host, *phones, club.phone()):
            phone.get(path)
            cookie = phone.client.get_cookie("device")
            found.append(plays(hashlib.sha256(cookie.value.encode()).hexdigest()))
        return found

    assert quick() == [False] * 7  # nothing is played yet
    club.done(host, path, "start")
    assert quick() == [True] * 6 + [False]
    club.done(host, path, "free-seat", seat=1)
    assert quick() == [True, False, True, True, True, True, False]
