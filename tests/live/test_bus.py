"""Every bus keeps the same contract."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.live import bus as module
from companion.live.bus import Bus, RedisBus
from tests.kit.server import until
from tests.kit.services import Redis
from tests.live.memory_bus import Air, MemoryBus

WITHIN_S = 30.0


class Ear:
    """What one process has heard."""

    def __init__(self, bus: Bus) -> None:
        self.bus = bus
        self.heard: list[Any] = []
        self.cut = self.back = 0
        self._news = threading.Condition()
        bus.listen(self._hear, self._cut, self._back)
        self.wait(lambda: self.back == 1)

    def _hear(self, *what: Any) -> None:
        with self._news:
            self.heard.append(what)
            self._news.notify_all()

    def _cut(self) -> None:
        with self._news:
            self.cut += 1
            self._news.notify_all()

    def _back(self) -> None:
        with self._news:
            self.back += 1
            self._news.notify_all()

    def wait(self, until: Callable[[], bool]) -> None:
        with self._news:
            assert self._news.wait_for(until, WITHIN_S), (self.heard, self.cut, self.back)


class Contract:
    """Derived classes give the fixture `three`, of which each hears the others."""

    def test_the_others_hear_what_one_calls_in_its_order(self, three: list[Ear]) -> None:
        one, *others = three
        for number in range(50):
            one.bus.call("table", "id", number)
        one.bus.call("here", [["a", None], {"é": 1.5}])
        expected = [*(("table", "id", number) for number in range(50))]
        for each in others:
            each.wait(lambda each=each: len(each.heard) == 51)  # type: ignore[misc]
            assert each.heard == [*expected, ("here", [["a", None], {"é": 1.5}])]
        assert one.heard == []

    def test_all_call(self, three: list[Ear]) -> None:
        for number, each in enumerate(three):
            each.bus.call("it is", number)
        for number, each in enumerate(three):
            each.wait(lambda each=each: len(each.heard) == 2)  # type: ignore[misc]
            assert sorted(each.heard) == [("it is", one) for one in range(3) if one != number]

    def test_a_call_takes_no_time_to_speak_of(self, three: list[Ear]) -> None:
        assert all(0 <= each.bus.lag_s() < WITHIN_S for each in three)

    def test_who_is_closed_hears_nothing_and_keeps_nobody_from_calling(
        self, three: list[Ear]
    ) -> None:
        one, other, closed = three
        closed.bus.close()
        one.bus.call("still", "there")
        other.wait(lambda: bool(other.heard))
        assert closed.heard == []


class TestMemory(Contract):
    @pytest.fixture
    def three(self) -> list[Ear]:
        air = Air()
        return [Ear(MemoryBus(air)) for _ in range(3)]


class TestRedis(Contract):
    @pytest.fixture
    def three(self, redis: Redis) -> Iterator[list[Ear]]:
        channel = f"test {time.monotonic()}"
        stranger = Ear(RedisBus(redis.url, "another"))
        ears = [Ear(RedisBus(redis.url, channel)) for _ in range(3)]
        yield ears
        for each in ears:
            each.bus.close()
        stranger.bus.close()
        assert stranger.heard == []


# What only a server of its own can do


@pytest.fixture
def server() -> Iterator[Redis]:
    server = Redis()
    try:
        server.start()
        yield server
    finally:
        server.end()


def test_a_server_that_is_killed_and_comes_back(
    server: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    one, other = Ear(RedisBus(server.url, "test")), Ear(RedisBus(server.url, "test"))
    for outage in (1, 2):
        cut = other.cut
        server.kill(signal.SIGKILL)
        other.wait(lambda cut=cut: other.cut > cut)  # type: ignore[misc]
        one.bus.call("into", "the void")
        server.start()
        one.wait(lambda outage=outage: one.back == outage + 1)  # type: ignore[misc]
        other.wait(lambda outage=outage: other.back == outage + 1)  # type: ignore[misc]
        one.bus.call("here", outage)
        other.wait(lambda outage=outage: ("here", outage) in other.heard)  # type: ignore[misc]
        away = [each for each in caplog.records if "the bus is away" in each.message]
        back = [each for each in caplog.records if "the bus is back" in each.message]
        assert len(away) == len(back) == 2 * outage  # each of the two says so once, each time
    for each in (one, other):
        each.bus.close()


def test_what_was_called_before_the_end_goes_out(server: Redis) -> None:
    one, other = Ear(RedisBus(server.url, "test")), Ear(RedisBus(server.url, "test"))
    for number in range(3 * module.AT_ONCE):
        one.bus.call("number", number)
    one.bus.close()
    other.wait(lambda: len(other.heard) == 3 * module.AT_ONCE)
    other.bus.close()


def test_a_server_that_says_nothing_is_away(server: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SILENT_S", 1.5)
    bus = RedisBus(server.url, "test")
    ear = Ear(bus)
    until(lambda: bus._lag_s > 0)
    server.pause()
    ear.wait(lambda: ear.cut > 0)
    paused = bus._came_at
    until(lambda: bus.lag_s() > 3)  # it grows while nothing comes
    server.resume()
    ear.wait(lambda: ear.back == 2)
    until(lambda: bus._came_at > paused)
    until(lambda: bus.lag_s() < 3)
    ear.bus.close()


def test_the_end_does_not_wait_for_a_server_that_says_nothing(server: Redis) -> None:
    ear = Ear(RedisBus(server.url, "x"))
    server.pause()
    ear.bus.call("it is", "away")
    time.sleep(0.3)  # it is on its way
    began = time.monotonic()
    ear.bus.close()
    took_s = time.monotonic() - began
    server.resume()
    assert took_s < module.SILENT_S - 1


def test_a_call_that_is_not_understood_keeps_no_other_away(
    server: Redis, caplog: pytest.LogCaptureFixture
) -> None:
    one, other = RedisBus(server.url, "test"), Ear(RedisBus(server.url, "test"))
    assert isinstance(other.bus, RedisBus)
    heard = []

    def hear(kind: str, number: int) -> None:
        heard.append(number)

    back = threading.Event()
    one.listen(hear, lambda: None, back.set)
    assert back.wait(WITHIN_S)
    for malformed in ("", "{", "7", "[]", '["only who calls"]', "\udce9"):
        other.bus._redis.publish("test", malformed.encode(errors="surrogateescape"))
    other.bus.call("count", "too", "much")
    other.bus.call("count", 7)
    until(lambda: heard == [7])
    assert "not understood: count" in caplog.text
    for each in (one, other.bus):
        each.close()


def test_calls_that_nobody_carries_are_lost(server: Redis) -> None:
    bus = RedisBus(server.url, "test")
    for number in range(module.WAITING_MAX + 10):
        bus.call("number", number)
    assert bus._calls.qsize() == module.WAITING_MAX
    bus.close()
