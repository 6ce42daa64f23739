"""Whether a server that runs for weeks grows: streams opened and dropped, requests asked.

    python benchmarks/leaks.py [--times 20000]

The server runs as its users start it, with a table of ten. Each kind of work is done in ten parts;
after the first half, when all caches are full, memory and open files must stay where they are.
"""

from __future__ import annotations

import argparse
import http.client
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.kit.server import Server
from benchmarks.kit.tables import PHONES, Phone, Table, table_of

PARTS = 10
GROWTH_MAX_MB = 3.0
"""In the second half of one kind of work; freed memory is given back in lumps."""

PAGES = ("", "/seat", "/qr", "/fair", "/report")


def files(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def streams(table: Table, times: int) -> None:
    """Opened and dropped, each when its first bytes have come."""
    for number in range(times):
        phone = table.phones[number % PHONES]
        head = "".join(f"{name}: {value}\r\n" for name, value in phone.headers().items())
        line = socket.create_connection(("127.0.0.1", table.port))
        start = f"GET {table.path}/live?page=seat HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\n"
        line.sendall(f"{start}{head}\r\n".encode())
        assert line.recv(1 << 12).startswith(b"HTTP/1.1 200")
        line.close()


def requests(table: Table, times: int) -> None:
    """Pages of ten phones in five languages, over connections that are kept."""
    lines = [http.client.HTTPConnection("127.0.0.1", table.port) for _ in table.phones]
    for number in range(times):
        line, phone = lines[number % PHONES], table.phones[number % PHONES]
        path = table.path + PAGES[number // PHONES % len(PAGES)]
        line.request("GET", path, headers=phone.headers())
        answer = line.getresponse()
        answer.read()
        assert answer.status == 200, (path, answer.status)
    for line in lines:
        line.close()


def strangers(table: Table, times: int) -> None:
    """Each with a cookie of its own, and what it sends is refused."""
    line = http.client.HTTPConnection("127.0.0.1", table.port)
    for number in range(times):
        headers = Phone(table.port, cookies={"device": f"{number:022d}"}).headers()
        line.request("POST", f"{table.path}/do/start", b"", {**headers, "Content-Length": "0"})
        answer = line.getresponse()
        answer.read()
        assert answer.status in (400, 403, 415), answer.status
    line.close()


WORK: tuple[Callable[[Table, int], None], ...] = (requests, streams, strangers)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20_000, help="each kind of work")
    times = parser.parse_known_args()[0].times
    grown = []
    with tempfile.TemporaryDirectory() as data:
        server = Server(data)
        try:
            table = table_of(server.port, PHONES)
            for work in WORK:
                had = files(server.pid)
                memory = [server.memory_mb()]
                for _ in range(PARTS):
                    work(table, times // PARTS)
                    memory.append(server.memory_mb())
                growth = memory[-1] - memory[PARTS // 2]
                left = files(server.pid) - had
                print(
                    f"{work.__name__:<10} {times:>8} times: {memory[0]:.1f} MB, then "
                    f"{memory[PARTS // 2]:.1f}, then {memory[-1]:.1f}; {left:+d} files",
                    flush=True,
                )
                if growth > GROWTH_MAX_MB or left > PHONES:
                    grown.append(work.__name__)
        finally:
            server.end()
    if grown:
        raise SystemExit(f"it grows: {', '.join(grown)}")


if __name__ == "__main__":
    main()
