"""The collector of dead objects runs by the clock, not in the middle of an update."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import gevent
import pytest

from companion.server import memory

PATIENCE_S = 10.0


@contextmanager
def collecting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(memory, "COLLECT_EVERY_S", 0.01)
    by_the_clock = gevent.spawn(memory.collect)
    yield
    by_the_clock.kill()


def _until(there: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not there():
        assert time.monotonic() < end
        gevent.sleep(0.01)


class Circle:
    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def still() -> Iterator[None]:
    """Python's own collecting is off."""
    before = gc.get_threshold()
    gc.disable()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)
    gc.enable()


def test_what_is_dead_is_collected_by_the_clock_alone(
    still: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead = weakref.ref(Circle())
    assert dead() is not None
    with collecting(monkeypatch):
        _until(lambda: dead() is None)
        assert gc.get_threshold()[2] == memory.NEVER


def test_with_each_look_what_is_free_is_given_back(
    still: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As far as the C library can: it says whether it did, or has no such function."""
    assert memory.trimming()() in (0, 1, None)
    given_back: list[None] = []
    monkeypatch.setattr(memory, "trimming", lambda: lambda: given_back.append(None))
    with collecting(monkeypatch):
        _until(lambda: len(given_back) > 1)


def test_what_stays_is_looked_at_again_only_from_time_to_time(
    still: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    staying = Circle()
    with collecting(monkeypatch):
        before = gc.get_stats()[2]["collections"]
        _until(lambda: gc.get_stats()[2]["collections"] > before + 1)
        dead = weakref.ref(staying)
        del staying
        before = gc.get_stats()[2]["collections"]
        _until(lambda: gc.get_stats()[2]["collections"] > before + 1)
        assert dead() is not None
        monkeypatch.setattr(memory, "COLLECT_ALL_EVERY_S", 0.0)
        _until(lambda: dead() is None)
