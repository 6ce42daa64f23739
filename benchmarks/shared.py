"""What several processes cost: reports at one with SQLite, at one with PostgreSQL and Redis, and at
two with each table's phones spread over both.

    python benchmarks/shared.py [--tables 20] [--seconds 10]

Processor time is that of the program alone; the database and the bus have theirs besides, and are
shown by themselves. All run on whatever cores there are, and share them with the phones.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.kit.club import Club
from benchmarks.kit.processes import allow_files, cpu_s
from benchmarks.web import Server
from tests.kit.services import Postgres, Redis

SECRET = "a secret of the benchmarks"


def of_services(*names: str) -> float:
    """Processor time of all processes of these names."""
    pids = [int(each) for each in os.listdir("/proc") if each.isdigit()]
    return sum(cpu_s(pid) for pid in pids if _name(pid) in names)


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def played(name: str, number: int, tables: int, seconds: float, environ: Mapping[str, str]) -> None:
    with ExitStack() as running:
        servers = []
        for _ in range(number):
            folder = running.enter_context(tempfile.TemporaryDirectory())
            servers.append(Server(folder, environ=environ))
            running.callback(servers[-1].end)
        club = Club(
            *(servers[0].port, servers[0].process.pid),
            *((each.port, each.process.pid) for each in servers[1:]),
        )
        club.open(tables)
        club.play(seconds / 5)
        before = of_services("postgres", "redis-server")
        found = club.play(seconds)
        services_s = of_services("postgres", "redis-server") - before
    p99 = quantiles(found.to_phone, n=100, method="inclusive")[98]
    print(
        f"{name}: {found.reports_per_s:.4g} reports/s, CPU ms/report "
        f"{found.cpu_ms_per_report:.4g}, of database and bus "
        f"{1000 * services_s / max(1, found.reports):.4g}; accepted to shown, ms: "
        f"p50 {1000 * median(found.to_phone):.4g}, p99 {1000 * p99:.4g}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10.0)
    given = parser.parse_args()
    allow_files()
    postgres, redis = Postgres(), Redis()
    try:
        postgres.start()
        redis.start()
        played("one process, SQLite", 1, given.tables, given.seconds, {})
        for number, name in ((1, "one process, PostgreSQL"), (2, "two processes, PostgreSQL")):
            shared = {
                "COMPANION_DATABASE": postgres.fresh(),
                "COMPANION_BUS": redis.url,
                "COMPANION_SECRET_KEY": SECRET,
            }
            played(name, number, given.tables, given.seconds, shared)
    finally:
        redis.end()
        postgres.end()


if __name__ == "__main__":
    main()
