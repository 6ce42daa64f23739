"""Several processes: what each hears, and what it finds out where nothing is heard."""

from __future__ import annotations

import random
from base64 import b64encode
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from companion.games import GAMES
from companion.games.saboteur.rules.cards import DWARVES
from companion.live.hub import Hub
from companion.live.listener import Listener
from companion.record.fair import drawn
from companion.server import together as module
from companion.server.together import Together
from companion.settings import Settings
from companion.storage.cipher import Cipher
from companion.tables import commands as ask
from companion.tables.codec import encode
from companion.tables.events import Dealt
from companion.tables.log import Head, Row, StorageError
from companion.tables.model import SeatId, Table
from companion.tables.offers import LentScreen, Offer, Offerable
from companion.tables.service import Tables
from companion.web import create_app
from companion.web.answers.services import Services
from companion.web.answers.shown_offers import ShownOffer
from companion.web.http.priority import step_aside, waiting
from tests.kit.clock import Clock
from tests.kit.limits import limits
from tests.kit.threads import Threads
from tests.live.memory_bus import Air, MemoryBus
from tests.storage.memory import MemoryLog
from tests.tables.evening import HOST, SECRET

HOST_GONE_S = 120


class Lossy(MemoryBus):
    """Loses, doubles and reorders what it is called."""

    rng = random.Random(7)

    def __init__(self, air: Air) -> None:
        super().__init__(air)
        self._held: list[tuple[str, tuple[Any, ...]]] = []

    def call(self, kind: str, *what: Any) -> None:
        self._held += [(kind, what)] * self.rng.choice((0, 0, 1, 1, 2))
        self.rng.shuffle(self._held)
        while self._held and self.rng.random() < 0.6:
            one, said = self._held.pop()
            super().call(one, *said)


class Process:
    """One process, at the clock and the bus of all."""

    def __init__(self, log: MemoryLog, clock: Clock, bus: MemoryBus, folder: Path) -> None:
        self.clock = clock
        self.tables = Tables(
            log,
            GAMES,
            limits(host_gone_s=HOST_GONE_S),
            secret=SECRET,
            clock=clock,
            timer=clock,
            draw=drawn,
            shared=log,
            waiting=waiting,
            breathe=step_aside,
        )
        self.hub = Hub(clock)
        settings = Settings(data=folder, host_gone_s=HOST_GONE_S, codes_per_minute=3)
        self.app = create_app(settings, self.tables, self.hub, Threads(), clock=clock)
        self.services: Services = self.app.extensions["companion"]
        self.bus = bus
        self.together = Together(bus, self.services, SECRET)
        self.together.listen()

    def done(self, table_id: str, device: str, command: ask.Command, key: str = "") -> Table:
        answer = self.tables.submit(
            table_id, device, command, version=None, request_key=key or f"{device} {command}"
        )
        assert isinstance(answer, Table), answer
        return answer

    def table(self, table_id: str) -> Table:
        table = self.tables.get(table_id)
        assert table is not None
        return table

    def sent(self, device: str, path: str, **form: str) -> TestResponse:
        """A form, by a phone that turns to this process."""
        client = self.app.test_client()
        client.set_cookie("device", device.ljust(22, "x"))
        return client.post(path, data=form)

    def follow(self, table_id: str, device: str) -> Listener:
        """As a page does that is opened here."""
        self.tables.fresh(table_id)
        listener = self.hub.subscribe(table_id, device)
        assert listener is not None
        listener.wait(0)
        return listener


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def air() -> Air:
    return Air()


Several = Callable[..., list[Process]]


@pytest.fixture
def several(clock: Clock, air: Air, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Several:
    """So many processes; what would have a thread of its own is done at once."""

    class AtOnce:
        def __init__(self, target: Callable[..., None], args: Any, daemon: bool) -> None:
            self._work = lambda: target(*args)

        def start(self) -> None:
            self._work()

    monkeypatch.setattr(module.threading, "Thread", AtOnce)
    log = MemoryLog()
    return lambda number=2, bus=MemoryBus: [
        Process(log, clock, bus(air), tmp_path) for _ in range(number)
    ]


def opened(process: Process, key: str = "open") -> str:
    table = process.tables.open(HOST, ask.Open("saboteur", "lv-2009", "roles", "lv"), key)
    assert isinstance(table, Table)
    return table.id


# Plays


@pytest.fixture
def looking(several: Several) -> tuple[list[Process], str]:
    """Two processes, and the path of a table at which three play."""
    one, two = several()
    path = one.sent("host", "/open", game="saboteur", key="open").location
    names = ("Anna", "Berta", "Carl")
    for name in names:
        key = one.tables.join_key(one.tables.get(path.split("/")[2]))
        assert one.sent(name, f"/j/{key}", name=name, key="join").status_code == 303
    one.sent("host", f"{path}/do/start", key="start")
    for seat, name in enumerate(names, 1):
        one.sent(name, f"{path}/role", seat=str(seat), key="look")
    assert two.tables.fresh(path.split("/")[2]) == one.table(path.split("/")[2])
    return [one, two], path


def test_a_play_asks_the_log_only_to_write_it(
    looking: tuple[list[Process], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (_, two), path = looking
    asked: list[str] = []
    monkeypatch.setattr(MemoryLog, "head", lambda log, table_id: asked.append(table_id))
    end = {"play": "result", "reached": "1", "finisher": "1"}
    assert two.sent("Anna", f"{path}/do/play", key="end", **end).location == path
    assert two.table(path.split("/")[2]).phase == "settled"
    assert not asked


def test_a_play_that_another_process_has_overtaken_is_decided_anew(
    looking: tuple[list[Process], str], air: Air
) -> None:
    (one, two), path = looking
    air.cut = True
    end = {"play": "result", "reached": "1", "finisher": "1"}
    one.sent("Anna", f"{path}/do/play", key="end", **end)
    refused = two.sent("Berta", f"{path}/do/play", key="end", **end)
    assert refused.status_code == 409
    assert two.table(path.split("/")[2]) == one.table(path.split("/")[2])


def test_who_may_play_is_known_though_nothing_was_heard(
    looking: tuple[list[Process], str], air: Air
) -> None:
    (one, two), path = looking
    one.sent("host", f"{path}/do/free-seat", seat="1", key="free")
    air.cut = True
    one.sent("host", f"{path}/do/claim-seat", seat="1", key="claim")
    one.sent("host", f"{path}/do/free-seat", seat="2", key="free too")
    end = {"play": "result", "reached": "1", "finisher": "1"}
    assert two.sent("Berta", f"{path}/do/play", key="end", **end).status_code == 403
    assert two.sent("host", f"{path}/do/play", key="end", seat="1", **end).location == path


# Wake-ups


def test_phones_of_all_processes_are_woken(several: Several) -> None:
    one, *others = several(3)
    table_id = opened(one)
    listeners = [each.follow(table_id, f"d{place}") for place, each in enumerate(others)]
    table = one.done(table_id, "anna", ask.Join("Anna"))
    for process, listener in zip(others, listeners, strict=True):
        listener.wait(0)
        assert listener.woken
        assert process.table(table_id) == table


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Versions from which the log was read on."""
    found: list[int] = []
    read = MemoryLog.read

    def reading(log: MemoryLog, table_id: str, *, up_to: int, after: int = 0) -> list[Row]:
        found.append(after)
        return read(log, table_id, up_to=up_to, after=after)

    monkeypatch.setattr(MemoryLog, "read", reading)
    return found


def carried_to(process: Process) -> list[tuple[Any, ...]]:
    """What it hears from now on."""
    said: list[tuple[Any, ...]] = []
    heard = process.bus.heard
    process.bus.heard = lambda *what: (said.append(what), heard(*what))
    return said


def held_back(process: Process) -> tuple[Callable[..., None], list[tuple[Any, ...]]]:
    """What would have heard it, and what is said to the process from now on, which it does not."""
    said: list[tuple[Any, ...]] = []
    heard, process.bus.heard = process.bus.heard, lambda *what: said.append(what)
    return heard, said


def followed_at(several: Several) -> tuple[Process, Process, str]:
    """Two processes, and a table that is opened at one and followed at the other."""
    one, other = several()
    table_id = opened(one)
    other.follow(table_id, "d")
    return one, other, table_id


def test_what_was_written_goes_along_and_need_not_be_read(
    several: Several, readings: list[int]
) -> None:
    one, other, table_id = followed_at(several)
    said = carried_to(other)
    readings.clear()
    table = one.done(table_id, "anna", ask.Join("Anna"), "the key")
    assert other.table(table_id) == table
    assert other.done(table_id, "anna", ask.Join("Anna"), "the key") == table
    assert readings == []
    assert [what[0] for what in said] == ["rows"]
    assert "Anna" not in str(said)


def test_the_size_of_what_goes_along_does_not_tell_who_is_left_over(several: Several) -> None:
    """At five players whose phones had all added a number it did."""
    one, other = several()
    said, lengths = carried_to(other), dict[tuple[int, int], set[int]]()
    for players, (saboteurs, miners) in DWARVES.items():
        for shares, left_over in product(range(players + 1), ("saboteur", "miner")):
            roles = ["saboteur"] * saboteurs + ["miner"] * miners
            roles.remove(left_over)
            numbers = ("0" * 32,) * shares + (None,) * (players - shares)
            seals = ("0" * 64,) * shares + (None,) * (players - shares)
            dealt = encode(Dealt(({"event": "Dealt", "roles": roles},), numbers, seals))
            row = Row(30, "Dealt", dealt, None, HOST, 1793491200.5)
            one.together._written("table", [row], Head(30, "ABCDEF", 5000))
            lengths.setdefault((players, shares), set()).add(len(said.pop()[3]))
    assert {len(each) for each in lengths.values()} == {1}


def test_what_goes_along_is_taken_only_where_it_follows(
    several: Several, readings: list[int]
) -> None:
    one, other, table_id = followed_at(several)
    heard, said = held_back(other)
    table = one.done(table_id, "anna", ask.Join("Anna"))
    one.done(table_id, "bruno", ask.Join("Bruno"))
    missed, last = said
    readings.clear()
    heard(*last)
    assert readings == [table.version - 1]
    assert other.table(table_id) == one.table(table_id)
    heard(*missed)
    heard(*last)
    assert other.table(table_id) == one.table(table_id)
    assert readings == [table.version - 1]


@pytest.mark.parametrize("what", ["another table's", "not ours", "a command is under way"])
def test_else_the_log_is_read(several: Several, readings: list[int], what: str) -> None:
    one, other, table_id = followed_at(several)
    heard, said = held_back(other)
    table = one.done(table_id, "anna", ask.Join("Anna"))
    ((kind, _, version, encrypted),) = said
    readings.clear()
    if what == "a command is under way":
        entry = other.tables._ledger.cache.peek(table_id)
        with entry.lock:
            assert not other.tables.read_along(table_id, (), Head(version, "", 0))
        encrypted = ""
    elif what == "not ours":
        encrypted = "bm90IG91cnM="
    else:
        encrypted = b64encode(
            Cipher(SECRET).encrypt_bytes(b"rows another", b"[[], [2, 0, 0]]")
        ).decode()
    heard(kind, table_id, version, encrypted)
    assert readings == [table.version - 1]
    assert other.table(table_id) == table


def test_what_is_long_is_read(
    several: Several, readings: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other, table_id = followed_at(several)
    said = carried_to(other)
    readings.clear()
    monkeypatch.setattr(module, "CARRIED_MAX", 10)
    table = one.done(table_id, "anna", ask.Join("Anna"))
    assert said == [("table", table_id, table.version)]
    assert readings == [table.version - 1]
    assert other.table(table_id) == table


@pytest.mark.parametrize("room", ["in memory", "made room"])
@pytest.mark.parametrize("way", ["heard", "found"])
def test_an_ended_table_ends_the_streams_of_all(
    several: Several, air: Air, room: str, way: str
) -> None:
    one, other = several()
    table_id = opened(one)
    listener = other.follow(table_id, "anna")
    other.services.shown_offers.heard(Offer(table_id, SeatId(1), "key", "code", 60.0))
    if room == "made room":
        other.tables._ledger.cache.forget(table_id)
    air.cut = way == "found"
    one.done(table_id, HOST, ask.End())
    other.together.look()
    assert listener.closed
    assert other.tables.get(table_id) is None
    assert not other.services.shown_offers._shown
    assert table_id not in other.hub.followed()


@pytest.mark.parametrize("seed", range(5))
def test_whatever_happens_to_wake_ups_all_show_the_present_state_when_they_look(
    several: Several, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lost, doubled, late: a second later at most, each looks."""
    assert module.LOOK_EVERY_S <= 1
    monkeypatch.setattr(Lossy, "rng", random.Random(seed))
    processes = several(3, Lossy)
    table_id = opened(processes[0])
    listeners = [each.follow(table_id, f"d{place}") for place, each in enumerate(processes)]
    shown = [each.table(table_id).version for each in processes]
    rng = random.Random(seed)
    for turn in range(40):
        device = f"anna{turn}"
        who = rng.choice(processes)
        table = who.done(table_id, device, ask.Join(f"Anna {turn}"))
        who.done(table_id, HOST, ask.RemoveSeat(table.seats[-1].id), f"out {turn}")
        if turn % 5:
            continue
        for process in processes:
            process.together.look()
        newest = max(each.table(table_id).version for each in processes)
        for place, (process, listener) in enumerate(zip(processes, listeners, strict=True)):
            listener.wait(0)
            assert listener.woken
            now = process.table(table_id).version
            assert now == newest
            assert now >= shown[place]
            shown[place] = now


def test_a_table_that_had_to_make_room_is_read_again(several: Several) -> None:
    one, other = several()
    table_id = opened(one)
    listener = other.follow(table_id, "anna")
    other.tables._ledger.cache.forget(table_id)
    table = one.done(table_id, "anna", ask.Join("Anna"))
    other.together.look()
    listener.wait(0)
    assert listener.woken
    assert other.table(table_id) == table


def test_a_look_that_fails_is_followed_by_another(
    several: Several, caplog: pytest.LogCaptureFixture
) -> None:
    class SixTimes:
        turns = iter((*[False] * 6, True))

        def wait(self, _: float) -> bool:
            return next(self.turns)

    (process,) = several(1)
    process.together._over = SixTimes()  # type: ignore[assignment]
    disk, unforeseen = StorageError("the disk"), ValueError("unforeseen")
    failures = [disk, unforeseen, unforeseen, disk, disk]
    looked = []

    def look() -> None:
        if failures:
            raise failures.pop()
        looked.append(True)

    process.together._repeat(0, look)
    assert looked == [True]
    assert "unforeseen" in caplog.text
    assert "are not known: the disk" in caplog.text
    levels = [record.levelname for record in caplog.records]
    assert levels == ["WARNING", "ERROR", "WARNING"]  # each said once, until it is another


# Who is there


def test_a_host_who_is_at_another_process_is_there(several: Several, clock: Clock) -> None:
    one, other = several()
    table_id = opened(one)
    listener = one.follow(table_id, HOST)
    other.follow(table_id, "anna")
    for _ in range(10):
        clock.now += HOST_GONE_S / 4
        one.together.tell_who_is_here()
        assert not other.services.arrivals.host_gone(other.table(table_id))
    one.hub.leave(listener)
    clock.now += HOST_GONE_S - 1
    assert not other.services.arrivals.host_gone(other.table(table_id))
    clock.now += 2
    assert other.services.arrivals.host_gone(other.table(table_id))
    assert one.services.arrivals.host_gone(one.table(table_id))


def all_tell(processes: list[Process], clock: Clock, for_s: float) -> None:
    """For so long, one after the other, as processes do."""
    until = clock.now + for_s
    while clock.now < until:
        for each in processes:
            clock.now += module.HERE_EVERY_S / len(processes)
            each.together.tell_who_is_here()


def test_what_was_heard_of_a_host_is_told_to_nobody(several: Several, clock: Clock) -> None:
    """Else processes would tell each other for ever that a host is there who has gone."""
    processes = several(3)
    one, other, _ = processes
    table_id = opened(one)
    listener = one.follow(table_id, HOST)
    other.follow(table_id, "anna")
    all_tell(processes, clock, HOST_GONE_S)
    assert not any(each.services.arrivals.host_gone(each.table(table_id)) for each in processes)
    one.hub.leave(listener)
    all_tell(processes, clock, HOST_GONE_S + module.LATELY_S)
    assert all(each.services.arrivals.host_gone(each.table(table_id)) for each in processes)


def test_a_host_who_was_heard_of_before_the_silence_counts_from_its_end(
    several: Several, clock: Clock, air: Air
) -> None:
    one, other = several()
    table_id = opened(one)
    stream = one.follow(table_id, HOST)
    other.follow(table_id, "anna")
    one.together.tell_who_is_here()
    one.hub.leave(stream)
    clock.now += HOST_GONE_S - 1
    air.break_off()
    air.mend()
    clock.now += HOST_GONE_S - 1
    assert not other.services.arrivals.host_gone(other.table(table_id))
    clock.now += 2
    assert other.services.arrivals.host_gone(other.table(table_id))


def test_a_host_who_comes_back_to_another_process_is_told_here(
    several: Several, clock: Clock
) -> None:
    one, other = several()
    table_id = opened(one)
    listener = other.follow(table_id, "anna")
    clock.now += HOST_GONE_S + 1
    assert other.services.arrivals.host_gone(other.table(table_id))
    one.follow(table_id, HOST)
    one.together.tell_who_is_here()
    assert not other.services.arrivals.host_gone(other.table(table_id))
    listener.wait(0)
    assert listener.woken


def test_a_phone_that_has_followed_to_another_process_is_awaited_no_more(
    several: Several,
) -> None:
    one, other = several()
    before, table_id = opened(one, "before"), opened(one, "after")
    for name in ("anna", "berta"):
        one.done(before, name, ask.Join(name.title()))
    one.done(table_id, HOST, ask.Gather(one.table(before)))
    listener = other.follow(table_id, HOST)
    anna, berta = (seat.id for seat in one.table(table_id).seats)
    for process in (one, other):
        awaited = process.services.arrivals.awaited_seats(process.table(table_id))
        assert awaited == {anna, berta}
    one.follow(table_id, "anna")
    one.together.tell_who_is_here()
    for process in (one, other):
        assert process.services.arrivals.awaited_seats(process.table(table_id)) == {berta}
    listener.wait(0)
    assert listener.woken


@pytest.mark.parametrize("heard", [True, False], ids=["heard", "looked for"])
def test_who_has_become_the_host_is_there_at_once(
    several: Several, clock: Clock, air: Air, monkeypatch: pytest.MonkeyPatch, heard: bool
) -> None:
    """Else others could take over the hosting in turn, until it is said who is where."""
    one, other = several()
    table_id = opened(one)
    one.done(table_id, "anna", ask.Join("Anna"))
    other.follow(table_id, "berta")
    clock.now += HOST_GONE_S + 1
    if not heard:
        air.break_off()
    shown: list[tuple[str, bool]] = []

    def show(table_id: str) -> None:
        table = other.table(table_id)
        shown.append((table.host, other.services.arrivals.host_gone(table)))

    monkeypatch.setattr(other.hub, "publish", show)
    one.done(table_id, "anna", ask.TakeHosting(HOST_GONE_S + 1, HOST))
    other.together.look()
    assert shown == [("anna", False)]


@pytest.mark.parametrize("there", [True, False])
def test_who_did_something_long_ago_is_there_only_if_that_is_said(
    several: Several, clock: Clock, there: bool
) -> None:
    one, other = several()
    table_id = opened(one)
    other.follow(table_id, "anna")
    one.done(table_id, HOST, ask.Configure(language="lt"))
    clock.now += HOST_GONE_S + 1
    if there:
        one.follow(table_id, HOST)
        one.together.tell_who_is_here()
    other.tables._ledger.cache.forget(table_id)  # it had to make room, and is read again
    other.together.look()
    assert other.services.arrivals.host_gone(other.table(table_id)) is not there


def test_a_host_who_asks_just_after_a_call_is_in_the_next(several: Several, clock: Clock) -> None:
    """However late that is: its period is a little longer than it should be."""
    one, other = several()
    table_id = opened(one)
    other.follow(table_id, "anna")
    clock.now += HOST_GONE_S - 1
    one.together.tell_who_is_here()
    one.hub.touch(table_id, HOST)
    clock.now += module.HERE_EVERY_S + 0.1
    one.together.tell_who_is_here()
    assert not other.services.arrivals.host_gone(other.table(table_id))


def test_while_nothing_is_heard_no_host_goes(several: Several, clock: Clock, air: Air) -> None:
    one, other = several()
    table_id = opened(one)
    one.follow(table_id, HOST)
    other.follow(table_id, "anna")
    air.break_off()
    clock.now += 10 * HOST_GONE_S
    assert not other.services.arrivals.host_gone(other.table(table_id))
    air.mend()
    assert not other.services.arrivals.host_gone(other.table(table_id))
    one.together.tell_who_is_here()
    clock.now += HOST_GONE_S / 2
    assert not other.services.arrivals.host_gone(other.table(table_id))


def test_what_somebody_follows_anywhere_is_not_purged(
    several: Several, clock: Clock, air: Air
) -> None:
    one, other = several()
    table_id = opened(one)
    one.follow(table_id, "anna")
    assert other.together.followed() is None  # not all have said yet what they know
    clock.now += module.LATELY_S + 1
    assert other.together.followed() == set()
    one.together.tell_who_is_here()
    assert other.together.followed() == {table_id}
    clock.now += module.LATELY_S + 1
    assert other.together.followed() == set()
    air.break_off()
    assert other.together.followed() is None


def test_when_all_have_gone_nobody_is_said_to_follow(several: Several, clock: Clock) -> None:
    processes = several()
    table_id = opened(processes[0])
    streams = [each.follow(table_id, HOST) for each in processes]
    all_tell(processes, clock, 2 * module.LATELY_S)
    for process, stream in zip(processes, streams, strict=True):
        process.hub.leave(stream)
    all_tell(processes, clock, 3 * module.LATELY_S)
    assert [each.together.followed() for each in processes] == [set(), set()]


# Limits, views, offers


def test_wrong_codes_count_at_all_processes_together(several: Several) -> None:
    processes = several(3)
    assert [each.services.limits.hit("code", "1.2.3.4") for each in processes] == [True] * 3
    assert not any(each.services.limits.may("code", "1.2.3.4") for each in processes)
    processes[0].services.limits.forgive("code", "1.2.3.4")
    assert all(each.services.limits.may("code", "1.2.3.4") for each in processes)
    assert processes[1].services.limits.may("code", "5.6.7.8")


def test_other_tries_count_soon(several: Several) -> None:
    one, other = several()
    said = carried_to(other)
    for _ in range(Settings().requests_per_minute - 1):
        one.services.limits.hit("request", "1.2.3.4")
    assert not said
    one.together.tell_hits()
    one.together.tell_hits()
    assert [other.services.limits.hit("request", "1.2.3.4") for _ in range(2)] == [True, False]


def test_who_plays_is_counted_by_device_at_all_processes(
    looking: tuple[list[Process], str],
) -> None:
    """A stranger behind the same router who asks another process shuts nobody out at this one."""
    (one, two), path = looking
    while one.services.limits.hit("request", "127.0.0.1"):
        pass
    one.together.tell_hits()
    two.services.arrivals.last_table.clear()
    look = {"seat": "1", "key": "again"}
    assert two.sent("stranger", f"{path}/role", **look).status_code == 429
    assert two.sent("Anna", f"{path}/role", **look).status_code == 200
    anna = two.table(path.split("/")[2]).seats[0].device or ""
    while one.services.limits.hit("playing", anna):
        pass
    one.together.tell_hits()
    assert two.sent("Anna", f"{path}/role", **look).status_code == 429
    assert two.sent("Berta", f"{path}/role", seat="2", key="again").status_code == 200


def test_a_turned_view_is_known_where_its_stream_is(several: Several) -> None:
    one, other = several()
    table_id = opened(one)
    listener = other.follow(table_id, "anna")
    for told in one.services.on_turned:
        told(table_id, "anna", 3)
    assert other.services.rotations.chosen("anna") == 3
    listener.wait(0)
    assert listener.woken


@pytest.mark.parametrize("what", [SeatId(1), LentScreen(SeatId(1)), LentScreen(None)])
def test_an_offer_is_shown_wherever_its_phone_asks_and_in_no_clear_text(
    several: Several, what: Offerable
) -> None:
    one, other = several()
    table_id = opened(one)
    other.tables.fresh(table_id)
    carried = carried_to(other)
    one.services.shown_offers.keep(Offer(table_id, what, "the key", "THECODE2", 300))
    shown = ShownOffer(what, "the key", "THECODE2", one.clock() + 300)
    assert other.services.shown_offers._shown == {(table_id, what): shown}
    assert carried
    assert "THECODE2" not in str(carried)
    one.bus.call("offer", "bm90IG91cnM=")
    assert other.services.shown_offers._shown == {(table_id, what): shown}


def test_what_a_newer_version_calls_is_passed_over(several: Several) -> None:
    one, other = several()
    one.bus.call("weather", "fine")
    assert other.services.shown_offers._shown == {}


def test_what_was_purged_is_forgotten_by_all(several: Several) -> None:
    """Its players' names too, which are promised to be gone."""
    one, other = several()
    table_id = opened(one)
    listener = other.follow(table_id, "anna")
    one.tables._ledger.log.delete_unused(one.clock() + 1, set())
    one.tables._ledger.cache.forget(table_id)
    one.together.forget(table_id)
    assert listener.closed
    assert other.tables.in_memory(table_id) is None
    assert one.tables.in_memory(table_id) is None
