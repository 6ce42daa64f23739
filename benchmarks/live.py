"""The live path: reports of real plays, accepted and shown on all ten phones of their tables.

    python benchmarks/live.py [--tables 50] [--seconds 20] [--peer]

The server has one core of this machine, the phones have another. Phones are in five languages and
ask for packed streams; the plays are those of random games, other ones at each table. Besides
plays there are looks at roles, deals and new games, which are shown on all phones too: with plays
they are all the commands. What they cost is counted to the plays, and once more plays are reported
alone. With --peer a small boardgame.io server (see `peers`), where all commands are plays, has the
same load, uncompressed as it comes and packed as ours; the last lines are ours by theirs. Figures
are only comparable within one run, and mean little when the server did not get its core: its share
of it is printed. Memory is what users have in the environment that `make run` makes; that of the
tests has Pillow, which takes 4 MB more as soon as it is there.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.kit.club import FEW_CARDS, Club, Measured
from benchmarks.kit.processes import allow_files, cores, cpu_s, memory_mb
from benchmarks.kit.server import Server
from benchmarks.kit.tables import PHONES, bytes_of
from benchmarks.referee_web import filled, opened
from companion.server.memory import COLLECT_EVERY_S

PEERS = Path(__file__).parent / "peers"
SERVER_CORE, CLIENT_CORE = cores()
MANY = 100
"""Tables of a thousand phones."""

ALONE_EVERY_S = 0.1
PACED_EVERY_S = 2.0


def show(name: str, **figures: float) -> None:
    found = ", ".join(f"{key} {value:.4g}" for key, value in figures.items())
    print(f"{name}: {found}", flush=True)


@contextmanager
def serving() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as data:
        server = Server(data, core=SERVER_CORE)
        try:
            yield server
        finally:
            server.end()


def p99(values: list[float]) -> float:
    return quantiles(values, n=100, method="inclusive")[98]


def shares(measured: Measured) -> dict[str, float]:
    """Whether the server had its core, and the clients enough of theirs."""
    return {
        "server's share of its core": measured.server_cpu_s / measured.seconds,
        "clients'": measured.client_cpu_s / measured.seconds,
    }


def saturated(tables: int, seconds: float) -> Measured:
    with serving() as server:
        club = Club(server.port, server.pid)
        club.open(tables)
        club.play(seconds / 10)  # what is loaded or kept at first
        measured = club.play(seconds)
        alone = club.play_only_reports(seconds / 2)
    show(
        f"saturated, {tables} tables of ten",
        **{
            "reports/s": measured.reports_per_s,
            "CPU ms/report": measured.cpu_ms_per_report,
            "commands/s": measured.commands_per_s,
            "CPU ms/command": measured.cpu_ms_per_command,
            "median cards in the maze": median(measured.cards),
            "most": max(measured.cards),
        },
        **shares(measured),
    )
    show(
        f"where all that happens is that plays are reported, up to {FEW_CARDS} cards in the maze",
        **{
            "reports": alone.reports,
            "CPU ms/report": alone.cpu_ms_per_report,
            "median cards": median(alone.cards),
        },
    )
    show(
        "an update on the wire, packed, bytes",
        median=median(size for _, size in measured.updates),
        **{
            f"largest with up to {FEW_CARDS} cards": max(
                size for cards, size in measured.updates if cards <= FEW_CARDS
            ),
            "largest": max(size for _, size in measured.updates),
            "median answer to a report": median(measured.answers),
        },
    )
    return measured


def paced(tables: int, seconds: float) -> None:
    """From one table to many, on one server."""
    with serving() as server:
        show("start to first page, s", first=server.first_page_s)
        club = Club(server.port, server.pid)
        club.open(1)
        measured = club.play(seconds, ALONE_EVERY_S)
        show(
            "one table of ten, from accepted to shown, ms",
            p50=1000 * median(measured.to_phone),
            p99=1000 * p99(measured.to_phone),
            **{"CPU ms/report": measured.cpu_ms_per_report},
        )
        show("memory with one table of ten, MB", RSS=server.memory_mb())
        seat_page(server)
        club.open(MANY)
        club.play(COLLECT_EVERY_S + seconds / 2, PACED_EVERY_S)  # what is free has been given back
        show(f"memory with {MANY * PHONES} phones, MB", RSS=server.memory_mb())
        club.open(tables)
        measured = club.play(seconds, PACED_EVERY_S)
        late = {"done": measured.commands, "of": measured.due}
        show(
            f"{len(club.rooms)} tables of ten, a report every {PACED_EVERY_S:g} s each, ms from "
            "when it was due to all ten",
            p50=1000 * median(measured.to_all),
            p99=1000 * p99(measured.to_all),
            **late,
            **shares(measured),
        )


def seat_page(server: Server) -> None:
    table = opened(server.port)
    filled(table, FEW_CARDS)
    sizes = bytes_of(table.phones[0], table.path)
    repeat = sizes.pop("repeat")
    show(
        f"table page with {FEW_CARDS} cards, packed, bytes",
        **{"first visit": sum(sizes.values())},
        **sizes,
        again=repeat,
    )


# The peer


def installed_peer() -> str:
    """Where node is; with the peer's packages in place."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise SystemExit("The peer needs node and npm, and they are not here.")
    if not (PEERS / "node_modules").exists():
        subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=PEERS, check=True)
    asked = subprocess.run(
        [node, "-p", "process.execPath"], check=True, capture_output=True, text=True
    )
    return asked.stdout.strip()  # itself, not what starts it: its processor time is measured


@contextmanager
def peer_serving(node: str, wire: str) -> Iterator[tuple[int, int]]:
    """Its port and process. `wire`: "plain" or "packed"."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    process = subprocess.Popen(
        [node, "server.js", str(port), wire], cwd=PEERS, env=os.environ | {"NODE_ENV": "production"}
    )
    os.sched_setaffinity(process.pid, {SERVER_CORE})
    try:
        while process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.02)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait(10)


def peer_played(node: str, wire: str, tables: int, seconds: float) -> dict[str, float]:
    """The figures of the load, and with them what its server cost."""
    with peer_serving(node, wire) as (port, pid):
        load = subprocess.Popen(
            [node, "load.js", str(port), str(tables), str(seconds)],
            cwd=PEERS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert load.stdin is not None
        assert load.stdout is not None
        used = []
        for expected in ("begin\n", "end\n"):
            if load.stdout.readline() != expected:
                raise SystemExit("The peer's load ended early.")
            used.append(cpu_s(pid))
        figures: dict[str, float] = json.loads(load.stdout.readline())
        figures["server_cpu_s"] = used[1] - used[0]
        figures["memory_mb"] = memory_mb(pid)
        load.stdin.close()
        load.wait(10)
    return figures


def peer(ours: Measured, tables: int, seconds: float) -> Iterator[tuple[str, dict[str, float]]]:
    """Our speed by the peer's, for each way it sends."""
    node = installed_peer()
    for wire in ("plain", "packed"):
        figures = peer_played(node, wire, tables, seconds)
        cpu_ms = 1000 * figures["server_cpu_s"] / figures["reports"]
        show(
            f"boardgame.io saturated, {wire}, {tables} tables of ten",
            **{
                "reports/s": figures["reports_per_s"],
                "CPU ms/report": cpu_ms,
                "mean bytes of an update": figures["bytes_per_update"],
                "server's share of its core": figures["server_cpu_s"] / seconds,
                "clients'": figures["client_cpu_share"],
            },
        )
        yield (
            wire,
            {
                "reports/s": ours.reports_per_s / figures["reports_per_s"],
                "commands/s": ours.commands_per_s / figures["reports_per_s"],
                "CPU a report": cpu_ms / ours.cpu_ms_per_report,
                "CPU a command": cpu_ms / ours.cpu_ms_per_command,
            },
        )
    many = peer_played(node, "plain", MANY, 1)
    show(f"boardgame.io, memory with {MANY * PHONES} phones, MB", RSS=many["memory_mb"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=50, help="with as many reports as it carries")
    parser.add_argument(
        "--paced-tables",
        type=int,
        default=200,
        help="with a report every 2 s; 0: only what the ratio needs, in a minute or two",
    )
    parser.add_argument("--seconds", type=float, default=20, help="of play in each mode")
    parser.add_argument("--peer", action="store_true", help="beside boardgame.io; needs node")
    given = parser.parse_args()
    if given.peer:
        installed_peer()
    allow_files()
    os.sched_setaffinity(0, {CLIENT_CORE})
    if SERVER_CORE == CLIENT_CORE:
        print("There is one core for all: the server shares it with its clients.")
    ours = saturated(given.tables, given.seconds)
    ratios = list(peer(ours, given.tables, given.seconds)) if given.peer else []
    if given.paced_tables:
        paced(given.paced_tables, given.seconds)
    for wire, ratio in ratios:
        show(f"ours, packed, by the peer's, {wire}", **ratio)


if __name__ == "__main__":
    main()
