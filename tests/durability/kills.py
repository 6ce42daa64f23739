"""Kills the server again and again while a table plays on, and looks what is left each time.

    python -m tests.durability.kills [--kills 1000] [--tables 4] [--seed 1]

Each table has a server of its own, and after so many kills another table follows it. After every
kill the log is read as it lies on the disk and held against all that the phones were told and
shown; after every start all phones come back by themselves and show the same state; in the end the
server's game is the one that was played, and every game that was saved is a record that the
referee accepts.
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
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from companion.games import GAMES
from companion.settings import Settings
from companion.storage.folder import KEY_FILE
from companion.storage.secret_key import secret_key
from companion.storage.sqlite_log import SqliteLog
from companion.tables.service import Tables
from tests.durability.ledger import Ledger, lines_of
from tests.durability.server import WAYS, Moments, QuickServer
from tests.durability.sitting import Sitting
from tests.kit.limits import limits
from tests.kit.phone import PATIENCE_S

ERRORS_SHOWN = 3000
"""Letters of what a server said last, where it failed."""

SETTLED_S = PATIENCE_S

KILLS_MAX = 250
"""Of one evening: after each, all of its log is read."""


@dataclass
class Figures:
    kills: Counter[str]
    plays: int
    caught: Counter[str]
    accepted: int
    games: int
    records: int
    versions: int
    back_s: list[float]
    """From the moment when the server listens until all seven devices show the same state."""

    def __str__(self) -> str:
        ways = ", ".join(f"{way} {self.kills[way]}" for way in WAYS)
        slowest = f"{max(self.back_s):.2f} s" if self.back_s else "-"
        return (
            f"{self.kills.total()} kills ({ways}); a deal waited at {self.caught['SealsFixed']}, "
            f"an end that was told at {self.caught['EndTold']}; {self.versions} versions, "
            f"{self.accepted} requests accepted, {self.plays} plays, {self.games} games, "
            f"{self.records} records; all back after {slowest} at most"
        )


class KilledEvening:
    """One table, its server, and whoever kills it."""

    def __init__(self, folder: Path, seed: int, whole_every: int) -> None:
        self.seed = seed
        self.moments = Moments()
        self.server = QuickServer(folder, whole_every)
        self.ledger = Ledger((self.server.data / KEY_FILE).read_bytes)
        self.sitting = Sitting(self.server, seed, self.ledger, self.moments)
        self.kills: Counter[str] = Counter()
        self.back_s: list[float] = []
        self._rng = random.Random(seed + 1)
        self._settled = threading.Event()

    def run(self, kills: int) -> Figures:
        try:
            with ThreadPoolExecutor(1) as pool:
                killing = pool.submit(self._kill, kills)
                try:
                    self._play(killing.done)
                except AssertionError:
                    if killing.done():
                        killing.result()  # why they gave up
                    raise
                finally:
                    if not killing.done():
                        self.sitting.over.set()
                        self._settled.set()
                killing.result()
            self._end()
        except BaseException as error:
            error.add_note(f"seed {self.seed}, {self.kills.total()} kills: {dict(self.kills)}")
            error.add_note(self.server.errors()[-ERRORS_SHOWN:])
            raise
        finally:
            self.server.stop()
            self.sitting.close()
        accepted = sum(report.told is not None for report in self.ledger.reports.values())
        return Figures(
            self.kills,
            self.sitting.plays,
            self.ledger.caught,
            accepted,
            self.sitting.games,
            self.sitting.records,
            len(self.ledger.lines),
            self.back_s,
        )

    def _kill(self, times: int) -> None:
        try:
            self.server.launch()
            for _ in range(times):
                way = self._rng.choices(WAYS, (4, 8, 4, 4, 2, 2, 2, 4, 4))[0]
                if way != "starting":
                    self.server.wait()
                if way not in ("starting", "hurry"):
                    began = time.monotonic()
                    assert self._settled.wait(SETTLED_S), self.sitting.standing()
                    self.back_s.append(time.monotonic() - began)
                self.moments.hit(way, self._rng, self.server.whole)
                if self.sitting.over.is_set():
                    return
                self.server.kill(signal.SIGTERM if way == "asked" else signal.SIGKILL)
                self._settled.clear()
                if self.sitting.over.is_set():  # the others have given up, and set both
                    return
                self.kills[way] += 1
                self.ledger.check(lines_of(self.server.data))
                if self.kills.total() % 100 == 0:
                    print(f"seed {self.seed}: {self.kills.total()} kills", flush=True)
                self.server.launch()
        except BaseException:
            self.sitting.over.set()
            raise

    def _play(self, killed_enough) -> None:
        self.sitting.gather()
        known = 0
        while not killed_enough():
            self.sitting.step()
            life = self.server.starts
            if life != known:
                self.sitting.settle()
                self.sitting.same_everywhere()
                known = life
                if self.server.starts == life:
                    self._settled.set()

    def _end(self) -> None:
        """Once more after the last kill; then the files alone."""
        self.sitting.settle()
        self.sitting.same_everywhere()
        self.server.kill()
        self.ledger.check(lines_of(self.server.data))
        settings = Settings(data=self.server.data)
        log = SqliteLog(self.server.data, secret_key(settings))
        tables = Tables(log, GAMES, limits(), secret=secret_key(settings), clock=time.time)
        table = tables.get(self.sitting.path.rpartition("/")[2])
        log.close()
        assert table is not None
        assert table.version == len(self.ledger.lines)
        self.sitting.agrees(table)
        assert "Traceback" not in self.server.errors(), self.server.errors()


def run(
    folder: Path, kills: int, tables: int, seed: int, whole_every: int = 1
) -> Iterator[Figures]:
    """Several tables at the same time, the kills shared out among as many evenings as it takes:
    what each has shown, as soon as it is over."""
    evenings = max(tables, -(-kills // KILLS_MAX))

    def one(number: int) -> Figures:
        mine = kills // evenings + (number < kills % evenings)
        return KilledEvening(folder / f"table{number}", seed + 100 * number, whole_every).run(mine)

    with ThreadPoolExecutor(tables) as pool:
        running = [pool.submit(one, number) for number in range(evenings)]
        try:
            for each in as_completed(running):
                yield each.result()
        finally:
            pool.shutdown(cancel_futures=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=4, help="servers at the same time")
    parser.add_argument(
        "--whole-every", type=int, default=20, help="starts of which one loads the program anew"
    )
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for figures in run(Path(folder), given.kills, given.tables, given.seed, given.whole_every):
            print(figures, flush=True)
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    sys.exit(main())
