"""The figures of the web: start, bytes over the wire, reports to all phones, memory.

    python benchmarks/web.py [--tables 50] [--reports 4]

The server runs as its users start it, on the loopback interface; the phones are in this process.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.kit.server import Server
from benchmarks.kit.streams import Streams
from benchmarks.kit.tables import PHONES, Phone, Table, bytes_of, table_of


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
        figures["table page (lobby), bytes"] = bytes_of(table.phones[0], table.path)
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
