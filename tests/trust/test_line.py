"""Who waits for long work: two at once, each address in its turn, no more than there is room."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from companion.web.http.line import AT_ONCE, WAITING_MAX, WAITING_OF_ONE, FullLineError, Line
from tests.kit.clock import Clock

PATIENCE_S = 20


class Work:
    """Some who want a place, and are told when to leave it."""

    def __init__(self, clock: Clock) -> None:
        self.line = Line(clock)
        self.began: list[str] = []
        self.ended: list[threading.Thread] = []
        self._leave = threading.Semaphore(0)
        self._changed = threading.Condition()

    def wants(self, who: str) -> None:
        """Returns when they have a place, or wait."""
        before = self._known
        thread = threading.Thread(target=self._work, args=(who,), daemon=True)
        self.ended.append(thread)
        thread.start()
        self._until(lambda: self._known == before + 1)

    def one_leaves(self) -> None:
        began = len(self.began)
        waits = self._waiting > 0
        self._leave.release()
        if waits:
            self._until(lambda: len(self.began) == began + 1)

    def end(self) -> None:
        self._leave.release(len(self.ended))
        for thread in self.ended:
            thread.join(PATIENCE_S)
            assert not thread.is_alive()

    @property
    def _waiting(self) -> int:
        return sum(map(len, self.line._waiting.values()))

    @property
    def _known(self) -> int:
        return len(self.began) + self._waiting

    def _work(self, who: str) -> None:
        with self.line.place(who):
            self.began.append(who)
            self._leave.acquire()

    def _until(self, is_so) -> None:
        until = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < until, (self.began, self._waiting)
            time.sleep(0.001)


@pytest.fixture
def clock() -> Clock:
    return Clock(0.0)


@pytest.fixture
def work(clock: Clock) -> Iterator[Work]:
    work = Work(clock)
    yield work
    work.end()


def test_two_at_once(work: Work) -> None:
    for _ in range(5):
        work.wants("a")
    assert work.began == ["a"] * AT_ONCE
    work.one_leaves()
    assert work.began == ["a"] * (AT_ONCE + 1)


def test_who_has_had_little_comes_before_all_that_somebody_else_has_sent(
    work: Work, clock: Clock
) -> None:
    for _ in range(8):
        work.wants("much")
    clock.now += 4
    work.one_leaves()
    work.wants("little")
    work.wants("little")
    work.one_leaves()
    assert work.began[-1] == "little"
    clock.now += 1
    work.one_leaves()
    work.one_leaves()
    assert "little" in work.began[-2:]


def test_so_many_wait_of_one_address_and_in_all(work: Work) -> None:
    for _ in range(AT_ONCE + WAITING_OF_ONE):
        work.wants("a")
    with pytest.raises(FullLineError), work.line.place("a"):
        pass
    for number in range(WAITING_MAX - WAITING_OF_ONE):
        work.wants(f"b{number}")
    with pytest.raises(FullLineError), work.line.place("c"):
        pass
    work.one_leaves()
    work.wants("c")


def test_who_is_cut_off_while_waiting_takes_nobodys_place(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    class CutError(BaseException):
        """As a greenlet ends whose connection is closed."""

    @contextmanager
    def cut() -> Iterator[None]:
        raise CutError
        yield

    for _ in range(AT_ONCE):
        work.wants("a")
    with monkeypatch.context() as patched:
        patched.setattr("companion.web.http.line.waiting", cut)
        with pytest.raises(CutError), work.line.place("b"):
            pass
    assert not work.line._waiting
    work.wants("c")
    work.one_leaves()
    assert work.began[-1] == "c"


def test_places_are_free_again_when_all_have_left(work: Work) -> None:
    for _ in range(6):
        work.wants("a")
    work.end()
    assert work.line._free == AT_ONCE
    assert not work.line._waiting
