"""Limits forget who is gone, go by a clock of their own, and cost the same however many come."""

from __future__ import annotations

import time

import pytest

from companion.settings import Settings
from companion.web.http.limits import Limits, Rate, Windows, rates
from tests.kit.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock(0.0)


def test_so_many_in_a_window(clock: Clock) -> None:
    limits = Limits({"code": (Rate(2, 60), Rate(3, 3600))}, clock)
    assert [limits.hit("code", "a") for _ in range(3)] == [True, True, False]
    assert not limits.may("code", "a")
    assert limits.may("code", "b")
    clock.now = 20
    assert limits.wait_s("code", "a") == 40
    clock.now = 60
    assert [limits.hit("code", "a") for _ in range(2)] == [True, False]
    assert limits.wait_s("code", "a") == 3540
    limits.forgive("code", "a")
    assert limits.hit("code", "a")
    clock.now = 3600
    assert limits.may("code", "a")
    assert limits.wait_s("code", "a") == 1


def test_who_is_gone_is_forgotten(clock: Clock) -> None:
    windows = Windows(Rate(5, 60), clock)
    for number in range(1000):
        clock.now = number
        windows.add(f"device {number}")
    assert len(windows) == 60


def test_so_many_are_kept_and_no_more(clock: Clock) -> None:
    windows = Windows(Rate(1, 60), clock, keys_max=100)
    for number in range(1000):
        windows.add(f"device {number}")
    assert len(windows) == 100
    assert not windows.may("device 999")


def test_tries_at_two_processes_at_once_are_counted_and_taken_back_alike(clock: Clock) -> None:
    """Each lets the last one through before it has heard of the other's; both are refunded."""
    two = [Limits({"join": (Rate(30, 60),)}, clock) for _ in range(2)]
    said: list[tuple[Limits, str, str, int]] = []
    for one, other in (two, reversed(two)):
        one.on_hit.append(lambda *tried, other=other: said.append((other, *tried)))

    def deliver() -> None:
        while said:
            process, *tried = said.pop()
            process.heard(*tried)

    for _ in range(29):
        assert two[0].hit("join", "a")
    deliver()
    for _ in range(5):
        assert all(process.hit("join", "a") for process in two)
        deliver()
        assert not any(process.may("join", "a") for process in two)
        for process in two:
            process.forgive("join", "a")
        deliver()
    for process in two:
        assert process.hit("join", "a")
        assert not process.may("join", "a")
        process.forgive("join", "a")


def test_strangers_take_no_more_room_than_there_is() -> None:
    """How little they slow others down is measured in benchmarks/strangers.py."""
    limits = Limits(rates(Settings()))
    for number in range(250_000):
        limits.hit("device", f"{number:064x}")
        limits.hit("request", f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}")
    assert sum(len(each) for kind in limits._windows.values() for each in kind) <= 200_000


def test_the_clock_of_the_wall_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = Limits({"code": (Rate(1, 60),)})
    limits.hit("code", "a")
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert limits.wait_s("code", "a") <= 60
