"""The figures of the web: start, bytes over the wire, reports to all phones, memory.

    python benchmarks/web.py [--tables 50] [--reports 4]

The server runs as its users start it, on the loopback interface; the phones are in this process.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import json
import os
import re
import selectors
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlencode

PHONES = 10
LANGUAGES = ("et", "lt", "lv", "fi", "en")
NAMES = tuple(f"Player {number}" for number in range(PHONES))
ROOT = Path(__file__).resolve().parents[1]

AS_USERS_HAVE_IT = """
import runpy, sys
sys.modules["PIL"] = None
runpy.run_module("companion", run_name="__main__", alter_sys=True)
"""
"""Without Pillow, which only the tests need: `qrcode` loads it wherever it is, and takes 2 MB."""

SETTLED_S = 3.0
"""By then the server has loaded what its first page did not need; nobody scans a code sooner."""


def memory_mb(pid: int) -> float:
    """What the process holds in memory now."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found
    return int(found[1]) / 1024


class Server:
    def __init__(
        self,
        data: str,
        *,
        strict: bool = False,
        core: int | None = None,
        environ: Mapping[str, str] = {},
    ) -> None:
        """`strict`: with the usual limits, but for what the bench itself needs. `core`: of this
        machine, the only one that the server may use. `environ`: more settings."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        environment = os.environ | {
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "",  # what is compiled is kept, as with most users
            "COMPANION_HOST": "127.0.0.1",
            "COMPANION_DATA": data,
            "COMPANION_PORT": str(self.port),
            "COMPANION_TABLES_PER_HOUR": "100000",
            "COMPANION_JOINS_PER_MINUTE": "100000",
            "COMPANION_END_WAIT_S": "0",
        }
        if not strict:
            environment |= {
                "COMPANION_REQUESTS_PER_MINUTE": "1000000",
                "COMPANION_STREAMS_PER_ADDRESS": "5000",
                "COMPANION_STREAMS": "5000",
                "COMPANION_CONNECTIONS_PER_ADDRESS": "5000",
                "COMPANION_FORMS_PER_MINUTE": "1000000",
                "COMPANION_SILENT_S": "3600",  # else tables opened early lose their connections
                "COMPANION_HOST_GONE_S": "86400",
            }
        began = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-c", AS_USERS_HAVE_IT, "--no-browser"],
            env=environment | environ,
            stdout=subprocess.DEVNULL,
        )
        if core is not None:
            os.sched_setaffinity(self.process.pid, {core})
        while True:
            try:
                Phone(self.port).get("/")
                break
            except OSError:
                time.sleep(0.005)
        self.first_page_s = time.perf_counter() - began
        time.sleep(SETTLED_S)

    def memory_mb(self) -> float:
        return memory_mb(self.process.pid)

    def end(self) -> float:
        began = time.perf_counter()
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(10) == 0
        return time.perf_counter() - began


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes
    bytes_wire: int

    @property
    def text(self) -> str:
        packed = self.headers.get("Content-Encoding") == "gzip"
        return (gzip.decompress(self.body) if packed else self.body).decode()


@dataclass
class Phone:
    """A browser as far as the figures need one: cookies, and compressed answers counted."""

    port: int
    language: str = "en"
    cookies: dict[str, str] = field(default_factory=dict)

    def headers(self) -> dict[str, str]:
        headers = {"Accept-Language": self.language, "Accept-Encoding": "gzip"}
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return headers

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        body = urlencode(form) if form is not None else None
        headers = self.headers()
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            headers["Origin"] = f"http://127.0.0.1:{self.port}"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        head = sum(len(name) + len(value) + 4 for name, value in answer.getheaders()) + 17
        for cookie in answer.headers.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return Answer(answer.status, answer.headers, content, head + len(content))

    def get(self, path: str) -> Answer:
        return self.ask("GET", path)

    def post(self, path: str, **form: str) -> str:
        answer = self.ask("POST", path, form)
        assert answer.status == 303, (path, answer.status, answer.text[-600:])
        return answer.headers["Location"]


@dataclass
class Table:
    port: int
    path: str
    key: str
    host: Phone
    phones: list[Phone]

    @property
    def version(self) -> str:
        found = re.search(r'name="version" value="(\d+)"', self.host.get(f"{self.path}/host").text)
        assert found
        return found[1]

    def do(self, phone: Phone, command: str, **form: str) -> None:
        phone.post(f"{self.path}/do/{command}", version=self.version, key=str(time.time()), **form)


def table_of(port: int, phones: int, names: Sequence[str] = NAMES) -> Table:
    host = Phone(port)
    host.get("/")
    path = host.post("/open", key="1")
    code = re.search(r">\s*([2-9A-HJ-NP-Z]{6})\s*<", host.get(f"{path}/qr").text)
    assert code, "the QR page shows no code"
    key = host.post("/code", code=code[1]).rpartition("/")[2]
    guests = [Phone(port, LANGUAGES[number % len(LANGUAGES)]) for number in range(phones)]
    for guest, name in zip(guests, names, strict=False):
        guest.get(f"/j/{key}")
        guest.post(f"/j/{key}", name=name)
    return Table(port, path, key, host, guests)


def resources(page: str) -> tuple[list[str], list[str]]:
    """What a browser loads with the page: to show it, and scripts that may follow."""
    shown = re.findall(r'<link rel="stylesheet" href="([^"]+)"', page)
    scripts = re.findall(r'<script[^>]* src="([^"]+)"', page)
    return shown, scripts


def bytes_of(phone: Phone, path: str) -> dict[str, int]:
    first = phone.get(path)
    assert first.status == 200, path
    shown, scripts = resources(first.text)
    again = phone.get(path)  # all else lies in the cache for good
    return {
        "page": first.bytes_wire,
        "styles": sum(phone.get(each).bytes_wire for each in shown),
        "scripts": sum(phone.get(each).bytes_wire for each in scripts),
        "repeat": again.bytes_wire,
    }


def version_of(message: bytes) -> int | None:
    """The table's version, which is the id of a message on a stream; None: it has none."""
    found = re.search(rb"^id: (\d+)$", message, re.MULTILINE)
    return int(found[1]) if found else None


class Line:
    """One phone's stream, packed as a browser asks for it."""

    def __init__(self, table: Table, phone: Phone) -> None:
        self.table, self.phone = table, phone
        self.socket = socket.create_connection(("127.0.0.1", table.port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        head = "".join(f"{name}: {value}\r\n" for name, value in phone.headers().items())
        asked = f"GET {table.path}/live?page=seat HTTP/1.1\r\nHost: 127.0.0.1\r\n{head}"
        self.socket.sendall(f"{asked}\r\n".encode())
        self.socket.setblocking(False)
        self._unpack = zlib.decompressobj(zlib.MAX_WBITS | 16)
        self._headed = False
        self._wire, self._text, self._packed = b"", b"", 0

    def read(self) -> list[tuple[int, int]] | None:
        """The version and the bytes of each message that has come whole; None at the end."""
        data = self.socket.recv(1 << 16)
        if not data:
            return None
        self._wire += data
        if not self._headed:
            head, found, rest = self._wire.partition(b"\r\n\r\n")
            if not found:
                return []
            assert re.search(rb" 200 .*gzip", head, re.DOTALL), head
            self._headed, self._wire = True, rest
        whole = []
        while (end := self._wire.find(b"\r\n")) > 0:  # chunks of the transfer encoding
            size = int(self._wire[:end], 16)
            after = end + 2 + size + 2
            if len(self._wire) < after:
                break
            self._text += self._unpack.decompress(self._wire[end + 2 : after - 2])
            self._packed += after
            self._wire = self._wire[after:]
            if self._text.endswith(b"\n\n"):
                version = version_of(self._text)
                if version is not None:
                    whole.append((version, self._packed))
                self._text, self._packed = b"", 0
        return whole


class Streams(threading.Thread):
    """All phones' open streams: when each version of each table came to each of them, and in how
    many bytes."""

    def __init__(self, tables: list[Table]) -> None:
        super().__init__(daemon=True)
        self._selector = selectors.DefaultSelector()
        self.seen: dict[tuple[int, int], list[float]] = {}
        self.sizes: dict[tuple[int, int], list[int]] = {}
        self.ended = False
        for number, table in enumerate(tables):
            for phone in table.phones:
                line = Line(table, phone)
                self._selector.register(line.socket, selectors.EVENT_READ, (number, line))

    def run(self) -> None:
        while not self.ended:
            for ready, _ in self._selector.select(0.2):
                number, line = ready.data
                now = time.perf_counter()
                messages = line.read()
                if messages is None:
                    self._selector.unregister(line.socket)
                    continue
                for version, size in messages:
                    self.sizes.setdefault((number, version), []).append(size)
                    self.seen.setdefault((number, version), []).append(now)

    def complete(self, table: int, version: int, within_s: float = 5.0) -> list[float]:
        """When the version had come to each phone of the table."""
        end = time.perf_counter() + within_s
        while time.perf_counter() < end:
            arrivals = self.seen.get((table, version), [])
            if len(arrivals) >= PHONES:
                return arrivals
            time.sleep(0.002)
        raise SystemExit(f"version {version} of table {table} reached {len(arrivals)} phones")


def playing(port: int, tables: int) -> list[Table]:
    """Tables of ten where a round is played."""
    rooms = [table_of(port, PHONES) for _ in range(tables)]
    for room in rooms:
        room.do(room.host, "start")
        room.do(room.host, "begin")
    return rooms


def reports(rooms: list[Table], each: int, every_s: float) -> dict[str, float]:
    """How long until each phone has a report: since it was sent, and since its sender had the
    answer, which leaves when the report is on disk."""
    streams = Streams(rooms)
    streams.start()
    for number, room in enumerate(rooms):
        streams.complete(number, int(room.version), 20)
    accepted: list[float] = []
    sent: list[float] = []
    for turn in range(each):
        for number, room in enumerate(rooms):
            version = room.version
            if turn % 2:
                command, form = "take-back", {}
                reporter = room.host
            else:
                command, form = "play", {"play": "result", "reached": "1", "finisher": "2"}
                reporter = room.phones[1]
            began = time.perf_counter()
            reporter.post(f"{room.path}/do/{command}", version=version, key=str(began), **form)
            answered = time.perf_counter()
            arrivals = streams.complete(number, int(version) + 1)
            sent.extend(at - began for at in arrivals)
            accepted.extend(max(0.0, at - answered) for at in arrivals)
            time.sleep(every_s)
    streams.ended = True
    streams.join()
    return {
        "sent_p50_ms": 1000 * statistics.median(sent),
        "sent_p99_ms": 1000 * statistics.quantiles(sent, n=100)[98],
        "accepted_p50_ms": 1000 * statistics.median(accepted),
        "accepted_p99_ms": 1000 * statistics.quantiles(accepted, n=100)[98],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--reports", type=int, default=4, help="of each of the many tables")
    given = parser.parse_args()
    figures: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as data:
        server = Server(data)
        figures["start to first page, s"] = round(server.first_page_s, 2)
        table = table_of(server.port, PHONES - 1)
        guest = Phone(server.port)
        figures["join page, bytes"] = bytes_of(guest, f"/j/{table.key}")
        figures["seat page (lobby), bytes"] = bytes_of(table.phones[0], table.path)
        figures["one table of ten"] = reports(playing(server.port, 1), 60, 0.02)
        figures["memory with one table of ten, MB"] = round(server.memory_mb(), 1)
        figures[f"{given.tables} tables of ten"] = reports(
            playing(server.port, given.tables), given.reports, 0
        )
        figures["memory then, MB"] = round(server.memory_mb(), 1)
        figures["end, s"] = round(server.end(), 2)
    for name, value in figures.items():
        if isinstance(value, dict):
            value = json.dumps({key: round(each, 1) for key, each in value.items()})
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
