"""What several processes cost: reports at one with SQLite, at one with PostgreSQL and Redis, at two
with each table's phones spread over both, and at two with each table at one of them; and how long
phones are without a process that is killed.

    python benchmarks/shared.py [--tables 10] [--seconds 10] [--rounds 3]

All run side by side and play in turn, so that whatever else the machine does meets them
alike. What counts is processor time: that of the program alone; the database and the bus have
theirs besides, and are shown by themselves. Where one process plays, it and all else have one core;
where two play, each has a core, and all else both: so a core carries the same share of everything,
and two cores can be held against one.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.kit.club import Club
from benchmarks.kit.processes import allow_files, cpu_s
from benchmarks.kit.server import Server
from benchmarks.kit.streams import Line
from tests.kit.services import Postgres, Redis

CORES = sorted(os.sched_getaffinity(0))
SERVICES = ("postgres", "redis-server", "valkey-server")

SECRET = "a secret of the benchmarks"
EVERY_S = 2.0
"""Between two reports of a table, where it is measured how long they take to come."""


def services() -> list[int]:
    """The processes of the database and the bus."""
    pids = [int(each) for each in os.listdir("/proc") if each.isdigit()]
    return [pid for pid in pids if _name(pid) in SERVICES]


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


class Way:
    """So many processes at one log, with tables that play there."""

    def __init__(
        self,
        name: str,
        number: int,
        settings: Mapping[str, str],
        running: ExitStack,
        *,
        spread: bool = True,
    ) -> None:
        self.name = name
        self.servers = []
        self._cores = CORES[:number]
        for core in self._cores:
            folder = running.enter_context(tempfile.TemporaryDirectory())
            self.servers.append(Server(folder, core=core, **settings))
            running.callback(self.servers[-1].stop)
        first, *others = [(each.port, each.pid) for each in self.servers]
        self.club = Club(*first, *others, spread=spread)
        self.cpu_ms: list[float] = []
        self.services_ms: list[float] = []
        self.reports_per_s: list[float] = []
        self.to_phone: list[float] = []

    def play(self, seconds: float) -> None:
        """As fast as it goes; then as quietly as people do."""
        used = services()
        for pid in (0, *used):
            os.sched_setaffinity(pid, self._cores)
        before = sum(map(cpu_s, used))
        found = self.club.play(seconds)
        after = sum(map(cpu_s, used))
        self.cpu_ms.append(found.cpu_ms_per_report)
        self.services_ms.append(1000 * (after - before) / max(1, found.reports))
        self.reports_per_s.append(found.reports_per_s)
        self.to_phone += self.club.play(seconds, EVERY_S).to_phone

    def __str__(self) -> str:
        return (
            f"{self.name}: CPU ms/report {median(self.cpu_ms):.4g}, of database and bus "
            f"{median(self.services_ms):.3g}; {median(self.reports_per_s):.4g} reports/s; accepted "
            f"to shown, ms: p50 {1000 * median(self.to_phone):.4g}, p99 {1000 * self.p99_s:.4g}"
        )

    @property
    def p99_s(self) -> float:
        return quantiles(self.to_phone, n=100, method="inclusive")[98]


def back_s(way: Way) -> float:
    """One of two processes is killed: until all of its phones show the present state, when they
    turn to the other one at once."""
    killed, other = way.servers
    killed.kill()
    began = time.perf_counter()
    for room in way.club.rooms:
        lost = [line.phone for line in room.lines if line.table.port == killed.port]
        for line in [Line(replace(room.table, port=other.port), phone) for phone in lost]:
            line.socket.setblocking(True)
            while not any(version >= room.version for version, _ in line.read() or []):
                pass
    return time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    allow_files()
    postgres, redis = Postgres(), Redis()
    try:
        postgres.start()
        redis.start()

        def shared() -> dict[str, str]:
            return {
                "database": postgres.fresh(),
                "bus": redis.url,
                "secret_key": SECRET,
            }

        with ExitStack() as running:
            ways = [
                Way("one process, SQLite", 1, {}, running),
                Way("one process, PostgreSQL", 1, shared(), running),
                Way("two processes, PostgreSQL, phones spread", 2, shared(), running),
                Way("two, each table at one", 2, shared(), running, spread=False),
            ]
            for way in ways:
                way.club.open(given.tables)
                way.club.play(given.seconds / 5)
            for _ in range(given.rounds):
                for way in ways:
                    way.play(given.seconds)
            print(*ways, sep="\n")
            alone, one, two, together = (median(way.cpu_ms) for way in ways)
            speed = [median(way.reports_per_s) for way in ways]
            print(
                f"one process, PostgreSQL against SQLite: {alone / one:.2f} of the reports in the "
                f"same processor time; two processes against one, with phones spread: "
                f"{two / one:.2f} of the processor time of a report, {speed[2] / speed[1]:.2f} of "
                f"the reports; each table at one of two: {together / one:.2f}, "
                f"{speed[3] / speed[1]:.2f}; p99 {ways[2].p99_s / ways[1].p99_s:.2f} of that of "
                f"one; one of two killed: {given.tables * 5} phones back after "
                f"{back_s(ways[2]):.2f} s"
            )
    finally:
        redis.end()
        postgres.end()


if __name__ == "__main__":
    main()
