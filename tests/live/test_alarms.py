"""What wakes the streams of a table that nobody calls."""

from __future__ import annotations

import queue
from collections.abc import Iterator

import pytest

from companion.live.alarms import Alarms
from companion.live.hub import Hub

SOON_S = 0.05
LATE_S = 3600.0
PATIENCE_S = 30.0
"""However busy the computer is."""


class Rung:
    """What has rung, in order."""

    def __init__(self) -> None:
        self._tables: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.alarms = Alarms(self._tables.put)

    def next(self) -> str:
        return self._tables.get(timeout=PATIENCE_S)

    def nothing(self) -> bool:
        return self._tables.empty()


@pytest.fixture
def rung() -> Iterator[Rung]:
    rung = Rung()
    yield rung
    rung.alarms.close()


def test_each_rings_once_and_may_be_set_again(rung: Rung) -> None:
    for _ in range(3):
        rung.alarms.within("a", SOON_S)
        assert rung.next() == "a"
    assert rung.nothing()


def test_what_is_set_later_for_sooner_comes_first(rung: Rung) -> None:
    """Also while the sleeper sleeps for long already."""
    rung.alarms.within("late", LATE_S)
    rung.alarms.within("b", 2 * SOON_S)
    rung.alarms.within("a", SOON_S)
    assert [rung.next(), rung.next()] == ["a", "b"]


def test_what_was_set_for_sooner_stays_and_rings_no_second_time(rung: Rung) -> None:
    rung.alarms.within("a", LATE_S)
    rung.alarms.within("a", SOON_S)
    rung.alarms.within("a", LATE_S)
    assert rung.next() == "a"
    rung.alarms.within("b", SOON_S)
    assert rung.next() == "b"
    assert rung.nothing()


def test_closed_it_rings_no_more(rung: Rung) -> None:
    rung.alarms.within("a", SOON_S)
    assert rung.next() == "a"
    rung.alarms.within("b", LATE_S)
    rung.alarms.close()
    rung.alarms.within("c", 0)
    assert rung.alarms._sleeper is not None
    rung.alarms._sleeper.join(PATIENCE_S)
    assert not rung.alarms._sleeper.is_alive()
    assert rung.nothing()


def test_a_hub_s_alarm_is_no_news_and_for_its_table_alone() -> None:
    hub = Hub()
    mine, another = hub.subscribe("mine", "d"), hub.subscribe("another", "d")
    assert mine is not None
    assert another is not None
    hub.alarms.within("mine", SOON_S)
    hub.alarms.within("nobody follows it", 0)
    mine.wait()
    assert not mine.woken
    assert mine.call is None
    another.wait(0)
    assert not another.woken
    hub.publish("mine")
    hub.alarms.within("mine", SOON_S)
    mine.wait()
    assert mine.woken
    assert mine.call is not None
    hub.close()
