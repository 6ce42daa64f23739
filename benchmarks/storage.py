"""How many events a second the log takes: `python -m benchmarks.storage`.

Tables report at once, each one event after another, under gevent as in the server: with every
event in a commit of its own, and with the commits grouped; on the disk of the folder for temporary
files (TMPDIR), and on one that takes 5 ms more for each commit. A disk may answer before it has
written; the slow one shows what grouping is for.
"""

# ruff: noqa: E402  (gevent patches before anything else is imported)

from __future__ import annotations

from gevent import monkey

monkey.patch_all()

import tempfile
from pathlib import Path
from statistics import quantiles
from time import perf_counter

import gevent

from companion.storage import writer
from companion.storage.sqlite_log import SqliteLog
from companion.storage.writer import Job
from companion.tables.log import Index, Row

TABLES = 50
EVENTS = 40
SLOW_S = 0.005
GROUPED = writer.GROUP_MAX

sleep = monkey.get_original("time", "sleep")


def row(version: int) -> Row:
    data = {"seat": 1, "events": [{"event": "Passed", "by": 1}]}
    return Row(version, "Played", data, f"{version:064d}", "d" * 64, 1.0)


def run(folder: Path, group: int, slow_s: float) -> tuple[float, list[float], float]:
    """Events a second, milliseconds that each took, the longest that other greenlets waited."""
    writer.GROUP_MAX = group
    log = SqliteLog(folder, b"k" * 32)
    commit = log._writer._group

    def slow(jobs: list[Job[object]]) -> None:
        commit(jobs)
        sleep(slow_s)

    for number in range(TABLES):
        log.append(f"t{number}", [row(1)], Index(f"j{number}", f"c{number}", 1.0, frozenset()))
    if slow_s:
        log._writer._group = slow  # type: ignore[method-assign]
    took: list[float] = []
    stall = 0.0

    def report(number: int) -> None:
        index = Index(f"j{number}", f"c{number}", 1.0, None)
        for version in range(2, EVENTS + 2):
            began = perf_counter()
            assert log.append(f"t{number}", [row(version)], index)
            took.append((perf_counter() - began) * 1000)

    def watch() -> None:
        nonlocal stall
        while True:
            began = perf_counter()
            gevent.sleep(0.001)
            stall = max(stall, perf_counter() - began)

    watching = gevent.spawn(watch)
    began = perf_counter()
    gevent.joinall([gevent.spawn(report, number) for number in range(TABLES)], raise_error=True)
    spent = perf_counter() - began
    watching.kill()
    log.close()
    return TABLES * EVENTS / spent, took, stall * 1000


def main() -> None:
    print(f"{TABLES} tables at once, {EVENTS} events each")
    for name, slow_s in (("this disk", 0.0), ("5 ms slower", SLOW_S)):
        for way, group in (("one a commit", 1), ("grouped", GROUPED)):
            with tempfile.TemporaryDirectory() as folder:
                rate, took, stall = run(Path(folder), group, slow_s)
            cuts = quantiles(took, n=100)
            print(
                f"{name:12} {way:13} {rate:6.0f} events/s   p50 {cuts[49]:6.1f} ms"
                f"   p99 {cuts[98]:6.1f} ms   others waited {stall:4.1f} ms at most"
            )


if __name__ == "__main__":
    main()
