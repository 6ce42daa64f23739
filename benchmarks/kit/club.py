"""Many tables of ten phones that play at once, and how long their reports take.

One thread does all phones' work, as sparingly as it can: of what comes on a stream it looks at the
version alone.
"""

from __future__ import annotations

import heapq
import math
import selectors
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from urllib.parse import urlencode

from benchmarks.kit.evening import EDITION, Command, commands
from benchmarks.kit.processes import cpu_s
from benchmarks.kit.streams import Line
from benchmarks.kit.tables import PHONES, Phone, Table, table_of

NAMES = ("Õnne", "Jānis", "Rūta", "Väinö", "Bo", "Charlotte", "Ģirts", "Ärni", "Žydrė", "Mo")

FEW_CARDS = 30

EARLIER_MAX = 70
"""Commands before the streams are opened: tables are at different places of their games."""

STALLED_S = 60.0


class Sender:
    """A connection for a table's forms, kept open as browsers keep it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._base = f"http://127.0.0.1:{table.port}"
        self._answer = b""
        self.socket = socket.create_connection(("127.0.0.1", table.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, phone: Phone, command: str, form: dict[str, str]) -> None:
        body = urlencode(form).encode()
        headers = phone.headers() | {
            "Host": f"127.0.0.1:{self._table.port}",
            "Origin": self._base,
            "X-Requested-With": "fetch",
            "X-Stream": "open",
            "Content-Type": "application/x-www-form-urlencoded;charset=UTF-8",
            "Content-Length": str(len(body)),
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        start = f"POST {self._table.path}/do/{command} HTTP/1.1\r\n"
        self.socket.sendall(f"{start}{lines}\r\n".encode() + body)

    def read(self) -> int | None:
        """The size of the answer that says "accepted", when all of it has come."""
        data = self.socket.recv(1 << 16)
        self._answer += data
        head, found, body = self._answer.partition(b"\r\n\r\n")
        if not data or (found and not head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 204"))):
            raise SystemExit(f"a report was not accepted: {self._answer[:400]!r}")
        if not found or len(body) < _length(head):
            return None
        size = len(self._answer)
        self._answer = b""
        return size


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0


@dataclass(eq=False)
class Room:
    """A table, what is done there, and what has come to its phones."""

    number: int
    table: Table
    plan: Iterator[Command]
    coming: Command
    version: int
    lines: dict[Line, int] = field(default_factory=dict)
    """The version that each phone shows."""
    sender: Sender | None = None
    command: Command | None = None
    """What is under way; and when it was to be sent, was accepted, came to each phone."""
    due: float = 0.0
    answered: float | None = None
    arrivals: list[float] = field(default_factory=list)

    def phone(self, command: Command) -> Phone:
        return self.table.host if command.by is None else self.table.phones[command.by]

    def next(self) -> tuple[Command, dict[str, str]]:
        """The next command, with all the fields of its form."""
        command, self.coming = self.coming, next(self.plan)
        origin = {"version": str(self.version), "page": self.table.path}
        form = {**origin, "key": str(time.perf_counter()), **command.form}
        self.version += command.events
        return command, form

    def do_next(self) -> None:
        """The next command, by the form of a page without script, while nobody looks."""
        command, form = self.next()
        self.phone(command).post(f"{self.table.path}/do/{command.name}", **form)

    @property
    def shown(self) -> bool:
        """Whether the last command is accepted and has come to all phones."""
        return self.answered is not None and all(
            version >= self.version for version in self.lines.values()
        )


@dataclass
class Measured:
    """What came of a stretch of play. Times are in seconds, sizes in bytes."""

    end: float = 0.0
    """When it ends, by the performance counter; what is under way then is only timed."""
    seconds: float = 0.0
    server_cpu_s: float = 0.0
    client_cpu_s: float = 0.0
    due: int = 0
    """Commands that should have been sent."""
    commands: int = 0
    """Accepted, and shown on all phones, within the time."""
    reports: int = 0
    """Those of them that report a play."""
    to_phone: list[float] = field(default_factory=list)
    """From accepted to shown, of each report on each phone."""
    to_all: list[float] = field(default_factory=list)
    """From when a report was to be sent until all ten phones had it."""
    updates: list[tuple[int, int]] = field(default_factory=list)
    """Cards in the maze, and bytes of what a report brings to a phone."""
    answers: list[int] = field(default_factory=list)
    cards: list[int] = field(default_factory=list)
    """In the maze when a play was reported."""

    @property
    def reports_per_s(self) -> float:
        return self.reports / self.seconds

    @property
    def cpu_ms_per_report(self) -> float:
        """What looks, deals and new games cost is counted to the reports."""
        return 1000 * self.server_cpu_s / max(1, self.reports)

    @property
    def commands_per_s(self) -> float:
        return self.commands / self.seconds

    @property
    def cpu_ms_per_command(self) -> float:
        return 1000 * self.server_cpu_s / max(1, self.commands)


def _few(command: Command) -> bool:
    return command.name == "play" and command.cards <= FEW_CARDS


class Club:
    """Tables on one server, or on several that share all."""

    def __init__(self, port: int, pid: int, *others: tuple[int, int], spread: bool = True) -> None:
        """`others`: ports and processes; each table's phones are `spread` over all by chance, as
        many at each; or each table is at one."""
        self._spread = spread
        self._ports = (port, *(each for each, _ in others))
        self._pids = (pid, *(each for _, each in others))
        self._selector = selectors.DefaultSelector()
        self.rooms: list[Room] = []

    def open(self, tables: int) -> None:
        """So many tables in all, each somewhere in its first game, on all its phones."""
        fresh = [self._room(number) for number in range(len(self.rooms), tables)]
        for room in fresh:
            self._listen(room)
        self.rooms += fresh
        self._await(fresh, Measured())

    def _room(self, number: int) -> Room:
        port = self._ports[number % len(self._ports)]
        table = table_of(port, PHONES, [f"{name} {number}" for name in NAMES])
        table.do(table.host, "configure", way="referee", edition=EDITION)
        plan = commands(number)
        room = Room(number, table, plan, next(plan), int(table.version))
        for _ in range(2 + Random(number).randrange(EARLIER_MAX)):
            room.do_next()
        return room

    def _listen(self, room: Room) -> None:
        for phone, port in zip(room.table.phones, self._ports_of(room), strict=True):
            line = Line(replace(room.table, port=port), phone)
            room.lines[line] = 0
            self._selector.register(line.socket, selectors.EVENT_READ, (room, line))
        room.answered = 0.0

    def _ports_of(self, room: Room) -> list[int]:
        """For each of its phones."""
        if not self._spread:
            return [room.table.port] * PHONES
        ports = [self._ports[place % len(self._ports)] for place in range(PHONES)]
        Random(room.number).shuffle(ports)
        return ports

    def _await(self, rooms: list[Room], measured: Measured) -> None:
        end = time.perf_counter() + STALLED_S
        while not all(room.shown for room in rooms):
            self._read(1.0, measured)
            if time.perf_counter() > end:
                raise SystemExit("a table's state did not come to all its phones")

    def play(self, seconds: float, every_s: float = 0.0) -> Measured:
        """Plays at all tables: the next command when all phones show the last one, and not before
        `every_s` have passed since that one was due. Deals and the like are done too, and are not
        reports."""
        began = time.perf_counter()
        measured = Measured(end=began + seconds)
        server_cpu_s, client_cpu_s = sum(map(cpu_s, self._pids)), time.process_time()
        waiting = [
            (began + every_s * room.number / len(self.rooms), room.number, room)
            for room in self.rooms
        ]  # a heap: sorted already
        while (now := time.perf_counter()) < measured.end:
            while waiting and waiting[0][0] <= now:
                due, _, room = heapq.heappop(waiting)
                self._send(room, due)
            until = min(waiting[0][0] if waiting else measured.end, measured.end)
            for room in self._read(max(0.0, until - now), measured):
                due = room.due + every_s if every_s else time.perf_counter()
                heapq.heappush(waiting, (due, room.number, room))
        measured.seconds = time.perf_counter() - began
        measured.server_cpu_s = sum(map(cpu_s, self._pids)) - server_cpu_s
        measured.client_cpu_s = time.process_time() - client_cpu_s
        measured.due = int(seconds / every_s * len(self.rooms)) if every_s else measured.commands
        self._await(self.rooms, measured)
        return measured

    def play_only_reports(self, seconds: float) -> Measured:
        """Stretches in which all that happens is that plays are reported, with up to `FEW_CARDS` in
        the maze: what else is done between rounds is done between them, and not counted."""
        found, end = Measured(end=math.inf), time.perf_counter() + seconds
        while time.perf_counter() < end:
            self._while(lambda coming: not _few(coming), 0, Measured())
            began, server_cpu_s = time.perf_counter(), sum(map(cpu_s, self._pids))
            self._while(_few, len(self.rooms) // 2, found)
            found.seconds += time.perf_counter() - began
            found.server_cpu_s += sum(map(cpu_s, self._pids)) - server_cpu_s
        return found

    def _while(self, so: Callable[[Command], bool], least: int, measured: Measured) -> None:
        """Each table goes on while what comes there is `so`, as long as more than `least` do."""
        going = [room for room in self.rooms if so(room.coming)]
        busy = len(going)
        for room in going:
            self._send(room, time.perf_counter())
        while busy:
            for room in self._read(STALLED_S, measured):
                if busy > least and so(room.coming):
                    self._send(room, time.perf_counter())
                else:
                    busy -= 1

    def _send(self, room: Room, due: float) -> None:
        room.command, form = room.next()
        room.due, room.answered = due, None
        room.arrivals.clear()
        if room.sender is None:
            room.sender = Sender(room.table)
            self._selector.register(room.sender.socket, selectors.EVENT_READ, (room, room.sender))
        room.sender.send(room.phone(room.command), room.command.name, form)

    def _read(self, wait_s: float, measured: Measured) -> list[Room]:
        """What has come; the tables whose last command is now shown everywhere."""
        done = []
        for ready, _ in self._selector.select(wait_s):
            room, source = ready.data
            before = room.shown
            self._take(room, source, measured)
            if room.shown and not before:
                self._count(room, measured)
                done.append(room)
        return done

    def _take(self, room: Room, source: Line | Sender, measured: Measured) -> None:
        report = room.command if room.command and room.command.name == "play" else None
        if isinstance(source, Sender):
            size = source.read()
            if size is not None:
                room.answered = time.perf_counter()
                if report:
                    measured.answers.append(size)
            return
        messages = source.read()
        if messages is None:
            raise SystemExit("a stream has ended")
        for version, size in messages:
            if room.lines[source] < room.version <= version:
                room.arrivals.append(time.perf_counter())
            room.lines[source] = version
            if report:
                measured.updates.append((report.cards, size))

    def _count(self, room: Room, measured: Measured) -> None:
        if room.command is None or room.answered is None:
            return
        now = time.perf_counter()
        in_time = now <= measured.end
        measured.commands += in_time
        if room.command.name != "play":
            return
        measured.reports += in_time
        measured.cards.append(room.command.cards)
        measured.to_all.append(now - room.due)
        measured.to_phone += [max(0.0, at - room.answered) for at in room.arrivals]
