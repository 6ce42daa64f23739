"""How soon all phones show the next step of an explanation, beside a play under the referee.

    python benchmarks/explained.py [--times 300]

Two tables of ten at one server, in turns: at the one the host taps on through the steps of
Saboteur, at the other the next play of a random game is reported. Milliseconds from the tap until
each of the ten phones has it; figures are only comparable within one run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.kit.evening import EDITION, Command, commands
from benchmarks.kit.processes import cores
from benchmarks.kit.server import Server
from benchmarks.kit.streams import Streams
from benchmarks.kit.tables import PHONES, table_of

SERVER_CORE, _ = cores()
STEPS = 12


def steps() -> Iterator[Command]:
    """The host taps on, and begins anew after the last one."""
    for step in cycle(range(1, STEPS + 1)):
        yield Command("explain", None, {"step": str(step)}, 1, 0)


def measured(port: int, times: int) -> dict[str, list[float]]:
    """Seconds until each phone has a step, and until it has a play: so many of each."""
    rooms = [table_of(port, PHONES) for _ in range(2)]
    rooms[1].do(rooms[1].host, "configure", way="referee", edition=EDITION)
    versions = [int(room.version) for room in rooms]
    streams = Streams(rooms)
    streams.start()
    plans = steps(), commands(1)
    took: dict[str, list[float]] = {"explain": [], "play": []}
    while len(took["play"]) < times * PHONES:
        for number, (room, plan) in enumerate(zip(rooms, plans, strict=True)):
            command = next(plan)
            sender = room.host if command.by is None else room.phones[command.by]
            form = {"version": str(versions[number]), "key": str(time.perf_counter())}
            versions[number] += command.events
            tapped = time.perf_counter()
            sender.post(f"{room.path}/do/{command.name}", **form, **command.form)
            arrivals = streams.complete(number, versions[number])
            if command.name in took:
                took[command.name] += [at - tapped for at in arrivals]
    streams.ended = True
    streams.join()
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=300)
    times: int = parser.parse_args().times
    with tempfile.TemporaryDirectory() as data:
        server = Server(data, core=SERVER_CORE)
        took = measured(server.port, times)
        server.end()
    for name, each in took.items():
        p99 = quantiles(each, n=100)[98]
        print(f"{name}: median {1000 * median(each):.1f} ms, p99 {1000 * p99:.1f} ms ({len(each)})")


if __name__ == "__main__":
    main()
