"""What strangers can do to those who play, and to a guest who has just come.

    python benchmarks/strangers.py [--seconds 8] [seen] [record] [worst] [floods] [idle] [streams]

Each part starts a server with its usual limits for strangers, who come from other addresses of the
loopback interface and keep within those limits. Times are of whole requests, on connections of
their own:

- seen: the start page of a server after 24,000 devices have sent a form (--devices), and of one
  beside it that has seen nobody;
- record: another table's page while a phone downloads a very long record on four connections
  (--plays, each taken back, as events are bounded);
- worst: a seated phone while strangers with a table of their own ask for what is dearest;
- floods: a new guest while strangers ask on 350 connections each;
- idle: a seated phone while ten addresses hold all connections that they can get;
- streams: a seated phone's stream while ten addresses hold all streams that they can get.
"""

from __future__ import annotations

import argparse
import http.client
import json
import random
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

if __name__ == "__main__" and "--strangers" in sys.argv:  # before anything else is loaded
    from gevent import monkey

    monkey.patch_all()

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks.kit.server import Server
from benchmarks.kit.tables import Phone, Table, table_of

FORM = "application/x-www-form-urlencoded"
LETTERS = "eaionrtsludkmgvpbhj"
RETRY_S = 2.0
"""Until a connection that was closed is opened again."""


def address(number: int) -> str:
    """Of a stranger; those who play come from 127.0.0.1 and beyond 127.0.1.0."""
    return f"127.0.0.{10 + number}"


class Line:
    """One connection from an address, kept open."""

    def __init__(self, port: int, source: str, cookie: str = "") -> None:
        self._to, self._from = ("127.0.0.1", port), source
        self._headers = {"Accept-Encoding": "gzip", "Accept-Language": "en"}
        if cookie:
            self._headers["Cookie"] = cookie
        self._open: http.client.HTTPConnection | None = None

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> int:
        """The answer's status; 0 where there is none."""
        try:
            if self._open is None:
                self._open = http.client.HTTPConnection(
                    *self._to, timeout=60, source_address=(self._from, 0)
                )
            headers = dict(self._headers)
            body = urlencode(form) if form is not None else None
            if body is not None:
                headers |= {"Content-Type": FORM, "Origin": f"http://127.0.0.1:{self._to[1]}"}
            self._open.request(method, path, body, headers)
            answer = self._open.getresponse()
            answer.read()
            if answer.will_close:
                self.close()
        except (OSError, http.client.HTTPException):
            self.close()
            return 0
        return answer.status

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
        self._open = None


# The strangers' side: a process of its own, that goes on until it is ended


def worst(line: Line, path: str, paced_s: float) -> None:
    """Whatever is dearest: searches for every letter, the start page, the table's own pages."""
    chance = random.Random()
    while True:
        letters = "+".join(chance.sample(LETTERS, 8))
        back = chance.randrange(10**9)
        for page in (f"/rules/saboteur?q={letters}&back=/{back}", "/", path, f"{path}/host"):
            began = time.monotonic()
            line.ask("GET", page)
            time.sleep(max(0.0, paced_s - (time.monotonic() - began)))


def flood(line: Line, path: str, paced_s: float) -> None:
    while True:
        for page in ("/", "/rules/saboteur?q=a+b+c", "/j/" + "x" * 22, path):
            if line.ask("GET", page) == 429:
                time.sleep(0.2)


def idle(port: int, source: str) -> None:
    """Connections that say nothing; whichever is closed is opened again."""
    import gevent

    def one() -> None:
        while True:
            try:
                with socket.create_connection(
                    ("127.0.0.1", port), source_address=(source, 0)
                ) as it:
                    while it.recv(100):
                        pass
            except OSError:
                pass
            time.sleep(RETRY_S)

    for _ in range(450):
        gevent.spawn(one)
        gevent.sleep(0.001)


def stream(port: int, source: str, path: str, cookie: str) -> None:
    """One stream that is kept open."""
    while True:
        try:
            line = socket.create_connection(("127.0.0.1", port), source_address=(source, 0))
            with line:
                head = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n"
                line.sendall(head.encode())
                while line.recv(65536):
                    pass
        except OSError:
            pass
        time.sleep(RETRY_S)


def strangers(
    port: int, kind: str, addresses: int, connections: int, keys: list[list[str]]
) -> None:
    """`keys`: of each address the path of its table, its join key and its devices' cookies."""
    import gevent

    for number in range(addresses):
        source, (path, key, *cookies) = address(number), keys[number]
        for place in range(connections):
            cookie = cookies[place % len(cookies)]
            if kind == "idle":
                gevent.spawn(idle, port, source)
                break
            if kind == "streams":
                where = f"/j/{key}/live" if place % 2 else f"{path}/live"
                gevent.spawn(stream, port, source, where, cookie)
            else:
                do = {"worst": worst, "floods": flood}[kind]
                line = Line(port, source, cookie if kind == "worst" else "")
                gevent.spawn(do, line, path, 0.05 * connections)  # 1,200 a minute
        gevent.sleep(0.01)
    while True:
        gevent.sleep(1)


@contextmanager
def besieged(port: int, kind: str, addresses: int, connections: int) -> Iterator[None]:
    keys = []
    for _ in range(addresses):
        table = table_of(port, 3)
        table.do(table.host, "start")
        phones = (table.host, *table.phones)
        keys.append([table.path, table.key, *(cookie_of(phone) for phone in phones)])
    given = [json.dumps(each) for each in (kind, addresses, connections, keys)]
    process = subprocess.Popen([sys.executable, __file__, "--strangers", str(port), *given])
    try:
        time.sleep(4)
        yield
    finally:
        process.terminate()
        process.wait()


def cookie_of(phone: Phone) -> str:
    return "; ".join(f"{name}={value}" for name, value in phone.cookies.items())


# Those who play, and the guest


def timed(ask: Callable[[], int], seconds: float, every_s: float = 0.1) -> dict[str, object]:
    return in_turn([ask], seconds, every_s)[0]


def in_turn(
    asks: Sequence[Callable[[], int]], seconds: float, every_s: float = 0.1
) -> list[dict[str, object]]:
    """One after the other, again and again: what else the machine does meets all of them."""
    spent: list[list[float]] = [[] for _ in asks]
    answers = [Counter[int]() for _ in asks]
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for ask, times, statuses in zip(asks, spent, answers, strict=True):
            began = time.perf_counter()
            statuses[ask()] += 1
            times.append(1000 * (time.perf_counter() - began))
            time.sleep(every_s)
    return [figures(*each) for each in zip(spent, answers, strict=True)]


def figures(spent: list[float], answers: Counter[int]) -> dict[str, object]:
    spent.sort()
    return {
        "median_ms": round(statistics.median(spent), 1),
        "p95_ms": round(spent[int(0.95 * (len(spent) - 1))], 1),
        "worst_ms": round(spent[-1], 1),
        "answers": dict(answers),
    }


@contextmanager
def server(**settings: str) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as data:
        made = Server(data, strict=True, **settings)
        try:
            yield made
        finally:
            made.stop()


def playing(port: int) -> tuple[Table, Callable[[], int]]:
    """A table under way, and a phone of it that asks for its page anew each time."""
    table = table_of(port, 5)
    table.do(table.host, "start")
    table.do(table.host, "begin")
    cookie = cookie_of(table.phones[0])

    def ask() -> int:
        line = Line(port, "127.0.1.1", cookie)  # all tables were set up from 127.0.0.1
        try:
            return line.ask("GET", table.path)
        finally:
            line.close()

    return table, ask


def told(what: str, found: object) -> None:
    print(f"{what}: {found}", flush=True)


def part_seen(seconds: float, devices: int) -> None:
    with server() as running, server() as fresh:
        lines = [
            Line(running.port, f"127.0.{2 + number // 200}.{1 + number % 200}")
            for number in range(40)
        ]
        answers = Counter[int]()
        for number in range(devices):
            line = lines[number % len(lines)]
            line._headers["Cookie"] = f"device={number:022}"
            answers[line.ask("POST", "/code", {"code": "x"})] += 1
        pages = [
            lambda port=each.port: Line(port, "127.0.1.1").ask("GET", "/")
            for each in (fresh, running)
        ]
        for _ in range(2):  # the first time for what is loaded then
            found = in_turn(pages, seconds)
        told("start page of a server that has seen nobody", found[0])
        told(f"start page after {devices} devices ({dict(answers)})", found[1])
        told("memory, MB", round(running.memory_mb(), 1))


def part_record(seconds: float, _devices: int, plays: int = 9_000) -> None:
    more = {"forms_per_minute": "1000000", "requests_per_minute": "1000000"}
    with server(**more) as running:
        port = running.port
        _, ask = playing(port)
        long = table_of(port, 3)
        line = Line(port, "127.0.0.1", cookie_of(long.host))

        def do(name: str, **form: str) -> None:
            line.ask("POST", f"{long.path}/do/{name}", {"key": random.randbytes(8).hex(), **form})

        do("start")
        do("begin")
        for _ in range(plays):
            do("play", play="result", reached="1", finisher="1")
            do("take-back")
        for round_ in range(3):
            do("play", play="result", reached="0", last="1")
            if round_ < 2:
                do("deal")
                do("begin")
        told("another table's page in peace", timed(ask, seconds))
        source = (
            "import http.client, sys\n"
            "port, path, cookie = sys.argv[1:]\n"
            "while True:\n"
            "    line = http.client.HTTPConnection('127.0.0.1', int(port), timeout=60,"
            " source_address=('127.0.0.10', 0))\n"
            "    line.request('GET', path, headers={'Cookie': cookie})\n"
            "    line.getresponse().read()\n"
            "    line.close()\n"
        )
        where = f"{long.path}/record.jsonl"
        command = [sys.executable, "-c", source, str(port), where, cookie_of(long.host)]
        loading = [subprocess.Popen(command) for _ in range(4)]
        try:
            told("while a record is downloaded on four connections", timed(ask, seconds))
        finally:
            for each in loading:
                each.terminate()
                each.wait()


def part_worst(seconds: float, _devices: int) -> None:
    for addresses in (1, 10):
        with server() as running:
            _, ask = playing(running.port)
            peace = timed(ask, seconds / 2)
            with besieged(running.port, "worst", addresses, 4):
                told(f"a seated phone, {addresses} at their worst", timed(ask, seconds))
        told("in peace", peace)


def part_floods(seconds: float, _devices: int) -> None:
    for addresses, connections in ((1, 40), (1, 350), (10, 100)):
        with server() as running:
            table, ask = playing(running.port)
            with besieged(running.port, "floods", addresses, connections):
                guest = lambda: Line(running.port, "127.0.1.9").ask("GET", f"/j/{table.key}")  # noqa: B023, E731
                told(f"a guest, {addresses} × {connections} connections", timed(guest, seconds))
                told("a seated phone", timed(ask, seconds))


def part_idle(seconds: float, _devices: int) -> None:
    with server() as running:
        _, ask = playing(running.port)
        with besieged(running.port, "idle", 10, 1):
            time.sleep(5)
            told("a seated phone, 10 × 450 idle connections", timed(ask, seconds, 0.5))


def part_streams(seconds: float, _devices: int) -> None:
    with server() as running:
        table, _ = playing(running.port)

        def follow() -> int:
            line = socket.create_connection(("127.0.0.1", running.port), timeout=30)
            with line:
                head = f"GET {table.path}/live HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\n"
                line.sendall(f"{head}Cookie: {cookie_of(table.phones[0])}\r\n\r\n".encode())
                return int(line.recv(65536)[9:12] or 0)

        with besieged(running.port, "streams", 10, 220):
            time.sleep(5)
            told("a seated phone's stream, 10 × 220 streams", timed(follow, seconds, 0.5))


PARTS: dict[str, Callable[..., None]] = {
    "seen": part_seen,
    "record": part_record,
    "worst": part_worst,
    "floods": part_floods,
    "idle": part_idle,
    "streams": part_streams,
}


def main() -> None:
    if "--strangers" in sys.argv:
        at = sys.argv.index("--strangers") + 1
        strangers(int(sys.argv[at]), *map(json.loads, sys.argv[at + 1 :]))
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PART")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--plays", type=int, default=9_000)
    parser.add_argument("--devices", type=int, default=24_000)
    given, _ = parser.parse_known_args()
    for name in given.parts or PARTS:
        more = (given.plays,) if name == "record" else ()
        PARTS[name](given.seconds, given.devices, *more)


if __name__ == "__main__":
    main()
