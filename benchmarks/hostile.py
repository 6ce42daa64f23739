"""A table of ten under way while strangers hold a thousand connections.

    python benchmarks/hostile.py [--reports 120] [--connections 1000]

Two runs against one server with its usual limits for strangers: a report by one phone until all ten
show it, first in peace; then while a second process holds slow heads, slow bodies, streams that are
never read, and floods of requests, from ten addresses of the loopback interface. In the end stand
the 99th percentiles (accepted, then shown) and by how much the second is longer.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

if __name__ == "__main__" and "--attack" in sys.argv:  # before anything else is loaded
    from gevent import monkey

    monkey.patch_all()

import gevent
from gevent import socket

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from benchmarks import web
from benchmarks.kit.server import Server
from benchmarks.kit.tables import table_of

ADDRESSES = [f"127.0.0.{number}" for number in range(2, 12)]
KINDS = ("slow head", "slow body", "silent stream", "flood")
DRIP_S = 1.0
EVERY_S = 0.3  # between two reports: the limits for a seated phone hold here too


class Attack:
    """Connections of four kinds; whatever is closed is opened again."""

    def __init__(self, port: int, connections: int) -> None:
        self.port = port
        self.open: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()
        self.key = table_of(port, 0).key  # of the strangers' own
        for number in range(connections):
            kind = KINDS[number % len(KINDS)]
            address = ADDRESSES[number // len(KINDS) % len(ADDRESSES)]
            gevent.spawn(self._for_ever, kind, address)

    def _line(self, address: str) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), source_address=(address, 0))

    def _for_ever(self, kind: str, address: str) -> None:
        do = {
            "slow head": self._slow_head,
            "slow body": self._slow_body,
            "silent stream": self._silent_stream,
            "flood": self._flood,
        }[kind]
        while True:
            try:
                with self._line(address) as line:
                    self.open[kind] += 1
                    try:
                        do(line)
                    finally:
                        self.open[kind] -= 1
            except OSError:
                gevent.sleep(0.2)

    def _drip(self, line: socket.socket) -> None:
        while True:
            gevent.sleep(DRIP_S)
            line.sendall(b"x")

    def _slow_head(self, line: socket.socket) -> None:
        line.sendall(b"GET / HTTP/1.1\r\nX: ")
        self._drip(line)

    def _slow_body(self, line: socket.socket) -> None:
        line.sendall(
            b"POST /code HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9999\r\n"
            b"Content-Type: application/x-www-form-urlencoded\r\n\r\ncode="
        )
        self._drip(line)

    def _silent_stream(self, line: socket.socket) -> None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.sendall(f"GET /j/{self.key}/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        while True:
            gevent.sleep(10)

    def _flood(self, line: socket.socket) -> None:
        pages = (b"/", b"/rules", b"/m/22222222", b"/j/" + b"x" * 22, b"/t/" + b"x" * 22)
        while True:
            for page in pages:
                line.sendall(b"GET " + page + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                text = line.recv(65536)
                if not text:
                    return
                self.answers[text[9:12].decode()] += 1
                length = re.search(rb"Content-Length: (\d+)", text)
                left = int(length[1]) - len(text.partition(b"\r\n\r\n")[2]) if length else 0
                while left > 0:
                    left -= len(line.recv(left)) or left
                if b"Connection: close" in text:
                    return


def attack(port: int, connections: int) -> None:
    """Until it is ended; every line is how it stands."""
    running = Attack(port, connections)
    while True:
        gevent.sleep(0.5)
        print(json.dumps({"open": running.open, "answers": running.answers}), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=int, default=120)
    parser.add_argument("--connections", type=int, default=1000)
    parser.add_argument("--attack", type=int, metavar="PORT", help="only the strangers' side")
    given = parser.parse_args()
    if given.attack:
        attack(given.attack, given.connections)
        return
    with tempfile.TemporaryDirectory() as data:
        server = Server(data, strict=True)
        rooms = web.playing(server.port, 1)
        peace = web.reports(rooms, given.reports, EVERY_S)
        arguments = ["--attack", str(server.port), "--connections", str(given.connections)]
        strangers = subprocess.Popen(
            [sys.executable, __file__, *arguments], stdout=subprocess.PIPE, text=True
        )
        try:
            assert strangers.stdout is not None
            while True:
                state = json.loads(strangers.stdout.readline())
                if sum(state["open"].values()) >= 0.95 * given.connections:
                    break
            print("connections held:", state["open"])
            war = web.reports(rooms, given.reports, EVERY_S)
        finally:
            strangers.terminate()
            rest = strangers.communicate()[0].splitlines()
        print("in the end:", rest[-1] if rest else state)
        print("memory, MB:", round(server.memory_mb(), 1), "end, s:", round(server.end(), 2))
    for name in ("accepted_p50_ms", "accepted_p99_ms", "sent_p50_ms", "sent_p99_ms"):
        times = war[name] / max(peace[name], 0.1)
        print(f"{name}: {peace[name]:.1f} in peace, {war[name]:.1f} besieged, times {times:.2f}")


if __name__ == "__main__":
    main()
