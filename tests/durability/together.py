"""An evening at two processes that share a database and a bus, of which now one is killed, now
another; after each time all phones show the same, and the log holds what they were told.

    make together ARGS="--blows 1000 --seed 1"

Each request of a phone goes to whichever process, as a proxy hands them out.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import psycopg

from companion.games import GAMES
from companion.storage.postgres import PostgresLog
from companion.tables.service import Tables
from tests.durability.ledger import Ledger, Line
from tests.durability.server import Moments, QuickServer
from tests.durability.sitting import Sitting
from tests.kit.limits import limits
from tests.kit.phone import NO_MORE, Answer, Form, Phone
from tests.kit.server import WITHIN_S
from tests.kit.services import POSTGRES_USER, Postgres, Redis, Service

SECRET = "a secret of the tests"
AWAY_S = 0.5
FROZEN_S = 10.0
WHOLE_EVERY = 10
"""Starts of a process, of which one loads the program anew."""

BLOWS = (
    *("kill", "end", "freeze"),
    *("bus", "freeze bus"),
    *("database", "end database", "freeze database", "cut"),
)
"""One process is killed, or asked to end, or frozen so that it wakes with an old state; the bus is
killed or frozen; the database is killed, asked to end or frozen; all its connections are cut."""

WEIGHTS = (8, 4, 2, 4, 1, 3, 2, 1, 16)


class Roamer(Phone):
    """A phone whose requests go to any of several processes."""

    def __init__(self, ports: Sequence[int], name: str, over: threading.Event) -> None:
        self._ports = ports
        self._at = threading.local()
        super().__init__(ports[0], name, over=over)

    @property
    def port(self) -> int:  # type: ignore[override]
        return getattr(self._at, "port", None) or random.choice(self._ports)

    @port.setter
    def port(self, _: int) -> None:
        """It has none of its own."""

    def once(
        self,
        method: str,
        path: str,
        form: Form | None = None,
        headers: Mapping[str, str] = NO_MORE,
    ) -> Answer:
        """What could not be saved is sent again, as it is after a lost answer."""
        lines = self._at.__dict__.setdefault("lines", {})
        port = self._at.port = random.choice(self._ports)
        self._line.kept = lines.get(port)
        try:
            answer = super().once(method, path, form, headers)
        finally:
            lines[port] = self._line.kept
            self._at.port = None
        if answer.status_code == 503:
            raise ConnectionError("not saved")
        return answer


class Processes:
    """Of one program, with what they share."""

    def __init__(self, folder: Path, whole_every: int, number: int = 2) -> None:
        """`whole_every`: starts of each, of which one loads the program anew."""
        self.redis, self.postgres = Redis(), Postgres()
        self.database = self.postgres.url(POSTGRES_USER)
        self.servers = [
            QuickServer(
                folder / f"process{each}",
                whole_every,
                database=self.database,
                bus=self.redis.url,
                secret_key=SECRET,
                public_url="http://table.test",
                host_names="127.0.0.1",
            )
            for each in range(number)
        ]

    def start(self) -> None:
        self.postgres.start()
        self.redis.start()
        for server in self.servers:
            server.launch()
        for server in self.servers:
            server.wait()

    @property
    def starts(self) -> int:
        return sum(server.starts for server in self.servers)

    def phone(self, name: str, over: threading.Event) -> Phone:
        return Roamer([server.port for server in self.servers], name, over)

    def errors(self) -> str:
        return "".join(server.errors() for server in self.servers)

    def lines(self) -> list[Line]:
        with self._connected() as connection:
            rows = connection.execute(
                "SELECT version, kind, data, request, device, at FROM events ORDER BY version"
            )
            return [Line(*row) for row in rows]

    def cut(self) -> None:
        with self._connected() as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    def _connected(self) -> psycopg.Connection:
        wait = f"-c statement_timeout={WITHIN_S:.0f}s"
        return psycopg.connect(self.database, connect_timeout=int(WITHIN_S), options=wait)

    def stop(self) -> None:
        for server in self.servers:
            server.stop()
        self.redis.end()
        self.postgres.end()


@dataclass
class Figures:
    blows: Counter[str]
    plays: int
    games: int
    accepted: int
    versions: int
    shown_s: float
    """From the end of a blow until all phones show the same state, at most."""

    def __str__(self) -> str:
        ways = ", ".join(f"{way} {self.blows[way]}" for way in BLOWS)
        return (
            f"{self.blows.total()} blows ({ways}); {self.versions} versions, {self.accepted} "
            f"requests accepted, {self.plays} plays, {self.games} games; all phones show the same "
            f"{self.shown_s:.2f} s later at most"
        )


class BatteredEvening:
    """One table at two processes, and whoever strikes at them and at what they share."""

    def __init__(
        self, folder: Path, seed: int, frozen_s: float, whole_every: int = WHOLE_EVERY
    ) -> None:
        self.seed = seed
        self.processes = Processes(folder, whole_every)
        self.ledger = Ledger(SECRET.encode)
        self.moments = Moments()
        self.sitting = Sitting(self.processes, seed, self.ledger, self.moments)
        self.blows: Counter[str] = Counter()
        self._frozen_s = frozen_s
        self._rng = random.Random(seed + 1)
        self._shown_s = 0.0

    def run(self, blows: Sequence[str]) -> Figures:
        try:
            self.processes.start()
            self.sitting.gather()
            for way in blows:
                self._blow(way)
            self._agrees()
        except BaseException as error:
            error.add_note(f"seed {self.seed}, {dict(self.blows)}")
            error.add_note(self.processes.errors()[-3000:])
            raise
        finally:
            self.sitting.over.set()
            self.processes.stop()
            self.sitting.close()
        accepted = sum(report.told is not None for report in self.ledger.reports.values())
        return Figures(
            self.blows,
            self.sitting.plays,
            self.sitting.games,
            accepted,
            len(self.ledger.lines),
            self._shown_s,
        )

    def _blow(self, way: str) -> None:
        """While the phones play on."""
        with ThreadPoolExecutor(1) as pool:
            striking = pool.submit(self._strike, way)
            try:
                while not striking.done():
                    self.sitting.step()
            finally:
                striking.result()  # first: where it has failed, so has the rest
        self.blows[way] += 1
        began = time.monotonic()
        self.sitting.settle()
        self._shown_s = max(self._shown_s, time.monotonic() - began)
        self.sitting.same_everywhere()
        self.ledger.check(self.processes.lines())

    def _strike(self, way: str) -> None:
        self.moments.wait_for(self._rng.choice(("sent", "told", "shown")))
        time.sleep(self._rng.uniform(0, 0.01))
        server = self._rng.choice(self.processes.servers)
        if way in ("kill", "end"):
            server.kill(signal.SIGKILL if way == "kill" else signal.SIGTERM)
            server.launch()
            server.wait()
        elif way == "freeze":
            server.pause()
            time.sleep(self._frozen_s)
            server.resume()
        elif way == "cut":
            self.processes.cut()
        elif way in ("freeze bus", "freeze database"):
            frozen = self.processes.redis if way == "freeze bus" else self.processes.postgres
            frozen.pause()
            time.sleep(self._frozen_s)
            frozen.resume()
        elif way == "bus":
            self._restart(self.processes.redis, signal.SIGKILL)
        else:
            number = signal.SIGKILL if way == "database" else signal.SIGINT
            self._restart(self.processes.postgres, number)

    def _restart(self, service: Service, number: int) -> None:
        service.kill(number)
        time.sleep(self._rng.uniform(0, AWAY_S))
        service.start()

    def _agrees(self) -> None:
        """What any process would read is the game that was played."""
        log = PostgresLog(self.processes.database, SECRET.encode())
        tables = Tables(log, GAMES, limits(), secret=SECRET.encode(), clock=time.time)
        table = tables.get(self.sitting.path.rpartition("/")[2])
        log.close()
        assert table is not None
        assert table.version == len(self.ledger.lines)
        self.sitting.agrees(table)
        assert "Traceback" not in self.processes.errors(), self.processes.errors()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blows", type=int, default=1000)
    parser.add_argument("--frozen-s", type=float, default=FROZEN_S)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    blows = random.Random(given.seed).choices(BLOWS, WEIGHTS, k=given.blows)
    with tempfile.TemporaryDirectory() as folder:
        print(BatteredEvening(Path(folder), given.seed, given.frozen_s).run(blows))


if __name__ == "__main__":
    sys.exit(main())
