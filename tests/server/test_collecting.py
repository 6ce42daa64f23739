"""The collector of dead objects runs by the clock, not in the middle of an update."""

from __future__ import annotations

import gc
import time
import weakref
from collections.abc import Iterator

import gevent
import pytest

from companion.server import process

PATIENCE_S = 10.0


class Circle:
    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def still() -> Iterator[None]:
    """Python's own collecting is off."""
    before = gc.get_threshold()
    gc.disable()
    yield
    gc.set_threshold(*before)
    gc.enable()


def test_it_rests_the_longer_the_longer_it_takes(
    still: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: list[float] = []

    def sleep(seconds: float) -> None:
        rests.append(seconds)
        if len(rests) == 3:
            raise gevent.GreenletExit

    monkeypatch.setattr(gevent, "sleep", sleep)
    monkeypatch.setattr(gc, "collect", lambda: time.sleep(0.1))
    with pytest.raises(gevent.GreenletExit):
        process._collect()
    assert rests[0] == process.COLLECT_EVERY_S
    assert all(rest >= 0.1 * process.COLLECT_REST for rest in rests[1:])


def test_what_is_dead_is_collected_by_the_clock_alone(
    still: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "COLLECT_EVERY_S", 0.01)
    dead = weakref.ref(Circle())
    assert dead() is not None
    collecting = gevent.spawn(process._collect)
    end = time.monotonic() + PATIENCE_S
    while dead() is not None and time.monotonic() < end:
        gevent.sleep(0.01)
    collecting.kill()
    assert dead() is None
    assert gc.get_threshold()[2] == process.NEVER
